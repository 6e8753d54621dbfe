"""What `arena match` does not begin: one line that says what is wrong and what would be right."""

from __future__ import annotations

import os
import socket

import pytest

from tests.cli.matchroom import FIRST, Room

PAIR = ("First", "Last")


def refused(room: Room, *args: str, in_process: bool = True) -> str:
    """The one line; the same is the only value on standard output with `--json`."""
    call = room.match if in_process else lambda *given: room.call("match", *given)
    done = call(*args, "--json")
    assert done.code == 2, (done.code, done.err)
    told = [line for line in done.err.splitlines() if not line.startswith("plan: ")]
    assert told == [f"arena: {done.message}"]
    assert done.json["error"]["message"] == done.message
    assert call(*args).out == "" or "--json" in args
    return done.message


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nobody"], "unknown bot 'nobody': it is no folder and no example bot; the examples are"),
        ([], "1 player: classic is for 2 or 3 players"),
        (["First", "Last", "First", "Last"], "5 players: classic is for"),
        (["Last", "-r", "poker"], "unknown preset 'poker'; the presets are"),
        (["Last", "-o", "target=5"], "option target: 5 is not allowed"),
        (["Last", "--rotations", "some"], "--rotations some: must be all or none"),
        (
            ["Last", "--hands", "3", "--match-points", "700"],
            "--hands and --match-points both say how long a game is; give one",
        ),
        (["Last", "-r", "express", "--match-points", "700"], "option match_points: 700 is not"),
        (["Last", "-o", "match_points=700", "--match-points", "700"], "option match_points is giv"),
        (["Last", "--window", "open"], "window 'open': must be one of prompt, sealed, standing"),
        (["Last", "--turn-time", "inf"], "'--turn-time': Input should be less than or equal to"),
        (["Last", "--bank", "nan"], "'--bank': Input should be"),
        (["Last", "--boards", "0"], "'--boards'"),
        (["Last", "--sprt", "20", "0"], "elo1 0: must be above elo0, which is 20"),
        (["Last", "--sprt", "0", "0"], "elo1 0: must be above elo0"),
        (["Last", "--sprt", "0", "5000"], "elo1 5000: must be from -1000 to 1000"),
        (["Last", "--sprt", "0"], "'--sprt': Input should be a valid number"),
        (["Last", "--sprt", "0", "5", "--alpha", "0.7"], "'--alpha'"),
        (["Last", "Chance", "--sprt", "0", "5"], "--sprt compares two sides, and here are 3"),
        (["Last", "--until-width", "2"], "width 2: must be above 0 and below 1, such as 0.1"),
        (["Last", "--json", "--csv"], "--json and --csv: standard output has room for one"),
        (["Last", "--record", "records"], "--record and --port are about what goes over the prot"),
        (["Last", "--port", "0"], "--record and --port are about what goes over the protocol"),
        (["Last", "--logs", "/dev/null/x"], "'--logs': /dev/null/x: cannot be written to: Not a"),
        (["Last", "--limits", "none.toml"], "'--limits'"),
        (["Last", "--resume", "."], "'--resume'"),
        (["Last", "--resume", "no/where"], "no/where: cannot be opened for writing: No such file"),
        (["Last", "--resume", "bots.py"], "bots.py: is no state of a series"),
        (["Last", "--no-such"], "no such option: --no-such"),
        (["-- sh -c true"], "bot 'sh -c true' cannot play in this process: its run must be a Pyth"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_what_is_wrong_is_told_in_one_line(room: Room, args: list[str], message: str) -> None:
    assert message in refused(room, "First", *args)


def test_a_bot_in_another_language_cannot_play_in_one_process(room: Room) -> None:
    folder = room.bot("rusty", FIRST)
    toml = room.folder / "rusty" / "bot.toml"
    for old, new in [('"python"\n', '"rust"\n'), ('["python", "bot.py"]', '["./bot"]')]:
        toml.write_text(toml.read_text().replace(old, new, 1))
    assert refused(room, "First", folder) == (
        "bot 'rusty' cannot play in this process: its run must be a Python file, such as "
        '["python", "my_bot.py"]; leave out --in-process'
    )


def test_a_python_file_that_is_not_there_is_told(room: Room) -> None:
    folder = room.bot("lost", FIRST)
    (room.folder / "lost" / "bot.py").unlink()
    assert refused(room, "First", folder) == f"bot 'lost': {folder}/bot.py: no such file"


def test_a_bad_manifest_is_told_with_its_file(room: Room) -> None:
    folder = room.bot("bad", FIRST)
    (room.folder / "bad" / "bot.toml").write_text("name = 3\n")
    assert refused(room, "First", folder).startswith(f"{folder}/bot.toml: 'version' is missing; ")


# -- over the protocol ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("-- no-such-interpreter x.py", "bot 'no-such-interpreter x.py': no program "),
        ("-- ./mybot --fast", "/mybot: no such program"),
        ("-- ./bots.py", "/bots.py: cannot be executed; chmod +x makes it so"),
        ("-- ", "must be '-- ' and a program with its arguments"),
        ("-- 'a", "No closing quotation"),
    ],
)
def test_a_command_that_cannot_be_run_is_told_before_the_first_game(
    room: Room, bot: str, message: str
) -> None:
    assert message in refused(room, bot, "bots:First", in_process=False)


def test_a_missing_interpreter_in_a_manifest_is_told(room: Room) -> None:
    folder = room.bot("odd", FIRST)
    toml = room.folder / "odd" / "bot.toml"
    toml.write_text(toml.read_text().replace('["python"', '["no-such-python"'))
    assert refused(room, folder, "bots:First", in_process=False) == (
        "bot 'odd': no program 'no-such-python' in PATH to run it with"
    )


def test_a_port_in_use_is_told_before_the_first_game(room: Room) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        # It is the one of the second bot.
        message = refused(
            room, "bots:First", "bots:Last", "--port", str(port - 1), in_process=False
        )
    assert message == (
        f"--port: 127.0.0.1:{port} cannot be had: Address already in use; name another one, or 0 "
        "for any free ones"
    )


def test_one_match_at_a_time_can_have_a_port(room: Room) -> None:
    args = ("bots:First", "bots:Last", "--port", "40000", "--jobs", "2", "--crowded")
    message = refused(room, *args, in_process=False)
    assert message == "--port 40000: one match at a time can have it; leave out --jobs"


def test_records_are_not_mixed_with_those_of_another_run(room: Room) -> None:
    (room.folder / "records").mkdir()
    (room.folder / "records" / "00000-0-1.jsonl").write_text("{}\n")
    for more in ([], ["--resume", "new"]):
        args = ("bots:First", "bots:Last", "--record", "records", *more)
        assert refused(room, *args, in_process=False) == (
            "--record records: has records already; name an empty folder"
        )


def test_more_jobs_than_cores_are_refused_unless_asked_for(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2})
    assert refused(room, *PAIR, "--jobs", "4") == (
        "--jobs 4: each match keeps a core busy and this machine has 3, so bots would lose time "
        "to each other; say at most 3, or --crowded"
    )
    args = (*PAIR, "-r", "express", "-n", "2", "--match-boards", "1")
    assert room.facts(*args, "--jobs", "4", "--crowded")["boards"] == 2


# -- a limits file ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("speed = 3\n", "limits.toml: no limit is called 'speed'; there are start_up, turn, bank"),
        ("turn = 0\n", "limits.toml: turn 0 s: must be above 0 and up to 86400 s"),
        ("bank = -1\n", "limits.toml: bank -1 s: must be from 0 up to 86400 s"),
        ('turn = "1"\n', "limits.toml: turn '1': must be a number"),
        ("turn = true\n", "limits.toml: turn 'True': must be a number"),
        ("turn = nan\n", "limits.toml: nan seconds: must be a finite number"),
        ("max_strikes = 0\n", "limits.toml: max strikes 0: must be from 1 to 1000000"),
        ("max_strikes = 1.5\n", "limits.toml: max_strikes '1.5': must be a number"),
        ('window = "open"\n', "limits.toml: window 'open': must be one of prompt, sealed, stan"),
        ("turn = \n", "limits.toml: not TOML: "),
        ("turn = 1\nturn = 2\n", "limits.toml: not TOML: "),
        ("[time]\nturn = 1\n", "limits.toml: no limit is called 'time'"),
        ("a = " + "[" * 100_000, "limits.toml: not TOML: "),
    ],
    ids=lambda text: text[:20],
)
def test_a_bad_limits_file_is_told_with_key_and_value(room: Room, text: str, message: str) -> None:
    (room.folder / "limits.toml").write_text(text)
    assert message in refused(room, *PAIR, "--limits", "limits.toml")


def test_a_limits_file_of_other_bytes_or_without_end_is_refused(room: Room) -> None:
    (room.folder / "limits.toml").write_bytes(b"\xff\xfe")
    assert "not UTF-8 text" in refused(room, *PAIR, "--limits", "limits.toml")
    assert "larger than" in refused(room, *PAIR, "--limits", "/dev/zero")


def test_options_override_the_file(room: Room) -> None:
    (room.folder / "limits.toml").write_text('turn = 5\nbank = 6\nwindow = "sealed"\n')
    args = ("-r", "express", "-n", "1", "--limits", "limits.toml", "--turn-time", "7", "--strict")
    limits = room.facts(*PAIR, *args)["limits_nanoseconds_and_counts"]
    assert (limits["turn"], limits["bank"]) == (7_000_000_000, 6_000_000_000)
    assert (limits["window"], limits["max_strikes"]) == ("sealed", 1)
