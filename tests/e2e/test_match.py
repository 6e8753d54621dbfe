"""`arena match` as it is: real processes, real sockets, and nothing left behind."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arena.submissions.manifest import LANGUAGES, find_bot
from tests.e2e.house import ARENA, PATIENT, House, faults, only_results, refused

EXPRESS = ("-r", "express", "--seed", "7")

# -- matches ----------------------------------------------------------------------------------


def test_a_board_is_played_in_both_rotations_by_fresh_processes(house: House) -> None:
    logs = house.bots / "logs"
    args = (house.bot("witness"), house.bot("plain"), *EXPRESS, "-n", "2", "--logs", str(logs))
    facts = house.facts(*args)
    assert [(one["board"], one["rotation"], one["seats"]) for one in facts["games"]] == [
        (0, 0, ["witness", "plain"]),
        (0, 1, ["plain", "witness"]),
        (1, 1, ["plain", "witness"]),
        (1, 0, ["witness", "plain"]),
    ]
    first, second = map(json.loads, (logs / "1-witness-match0.log").read_text().splitlines())
    assert first["process"] != second["process"]
    assert first["ARENA_BOT_SEED"] != second["ARENA_BOT_SEED"]
    for found in (first, second):
        assert found["ARENA_ADDRESS"].startswith(f"unix:{house.temporary}/arena-")
        assert 0 <= int(found["ARENA_BOT_SEED"]) < 2**64
        assert found["folder"] == str(house.bots / "witness")
        assert found["first in PATH"] == str(ARENA.parent)
        assert (found["input"], found["session"]) == ("", True)
        assert (found["ARENA_STRICT"], found["ARENA_TOKEN"]) == (None, None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kinds", "args"),
    [
        ("plain other", ["--hands", "2"]),
        ("plain other", []),
        ("plain attacker patient", ["-n", "1", "--hands", "1"]),
        ("plain attacker patient other", ["-n", "1", "--hands", "1"]),
        ("plain attacker patient other plain attacker", ["-n", "1", "--hands", "1"]),
        ("random attacker patient", ["-r", "express", "-o", "top_choice=true"]),
        ("plain attacker patient other", ["-r", "express"]),
        ("patient attacker random", ["-r", "plateau"]),
        ("patient attacker", ["-r", "plateau", "--window", "standing"]),
        ("patient attacker", ["-r", "express", "--window", "sealed", "--response-window", "0.5"]),
    ],
)
def test_in_one_process_the_same_games_are_played(
    kinds: str, args: list[str], house: House
) -> None:
    """Whoever tries things in one process finds the same over the protocol."""
    folders = {kind: house.bot(kind) for kind in dict.fromkeys(kinds.split())}
    (house.bots / "bots.py").write_text(
        f"import sys\nsys.path.insert(0, {str(Path(__file__).parents[2])!r})\n"
        "from tests.e2e.odd_bot import *\n"
    )
    classes = [f"bots:{kind.capitalize()}" for kind in kinds.split()]
    common = (*PATIENT, "-n", "2", "--seed", "x", *args)
    over = house.facts(*[folders[kind] for kind in kinds.split()], *common, limits=())
    within = house.facts(*classes, *common, "--in-process", limits=())
    assert len(over["games"]) == len(within["games"]) > 0
    for one, other in zip(over["games"], within["games"], strict=True):
        assert {**one, "seats": 0} == {**other, "seats": 0}
    assert [faults(over, bot) for bot in range(len(classes))] == [{}] * len(classes)
    assert [faults(within, bot) for bot in range(len(classes))] == [{}] * len(classes)


@pytest.mark.slow
def test_the_table_does_not_depend_on_how_many_matches_are_played_at_once(house: House) -> None:
    bots = (house.bot("random"), house.bot("attacker"))
    args = (*bots, *EXPRESS, "-n", "6", "--match-boards", "2")
    one, two = (only_results(house.facts(*args, "--jobs", jobs)) for jobs in ("1", "2"))
    assert one == two
    assert one["boards"] == 6


@pytest.mark.slow
@pytest.mark.parametrize("stop", [["--sprt", "0", "150"], ["--until-width", "0.55"]])
def test_a_stop_is_met_at_the_same_board_with_any_jobs(stop: list[str], house: House) -> None:
    bots = (house.bot("random"), house.bot("patient"))
    args = (*bots, *EXPRESS, "-n", "60", "--match-boards", "2", *stop)
    one, two = (only_results(house.facts(*args, "--jobs", jobs)) for jobs in ("1", "2"))
    assert one == two
    assert one["stopped_early"]
    assert 0 < one["boards"] < 60


@pytest.mark.slow
def test_a_game_is_played_to_its_match_points(house: House) -> None:
    facts = house.facts(house.bot("patient"), house.bot("attacker"), "-n", "2")
    assert len(facts["games"]) == 4
    assert all(max(game["points"]) >= 5000 for game in facts["games"])


@pytest.mark.slow
def test_bots_can_connect_to_ports_as_well_leg_after_leg(house: House) -> None:
    bots = (house.bot("plain"), house.bot("attacker"))
    sockets = house.facts(*bots, *EXPRESS, "-n", "2")
    ports = house.facts(*bots, *EXPRESS, "-n", "2", "--port", "0")
    assert only_results(ports) == only_results(sockets)


@pytest.mark.slow
def test_a_class_and_a_command_play_from_the_present_folder(house: House) -> None:
    (house.bots / "mine.py").write_text(
        "from arena_sdk import Bot, run\n\n\nclass Mine(Bot):\n"
        "    def choose(self, prompt):\n        return prompt.legal[0]\n\n\n"
        'if __name__ == "__main__":\n    run(Mine())\n'
    )
    facts = house.facts("mine:Mine", "-- python mine.py", *EXPRESS, "-n", "1")
    assert [bot["name"] for bot in facts["bots"]] == ["mine:Mine", "python mine.py"]
    assert [bot["won"] for bot in facts["bots"]] == [1, 1]
    assert faults(facts, 0) == faults(facts, 1) == {}


# -- bots that do wrong -----------------------------------------------------------------------


@pytest.mark.slow
def test_a_bot_that_sleeps_through_a_prompt_has_a_strike(house: House) -> None:
    limits = ("--turn-time", "1", "--bank", "1", "--response-window", "30")
    bots = [house.bot("sleeper"), house.bot("plain")]
    facts = house.facts(*bots, *EXPRESS, "-n", "1", "--rotations", "none", limits=limits)
    assert faults(facts, 0) == {"timed_out": 1, "late": 1}
    assert faults(facts, 1) == {}
    assert facts["games"][0]["finished"]
    assert facts["forfeits"] == []


@pytest.mark.slow
def test_one_slip_costs_one_decision(house: House) -> None:
    """The bot sleeps so long that the prompts behind are closed; it does not answer those."""
    limits = ("--turn-time", "0.5", "--bank", "0", "--response-window", "30")
    bots = [house.bot("napper"), house.bot("plain")]
    facts = house.facts(*bots, *EXPRESS, "-n", "1", "--rotations", "none", limits=limits)
    assert faults(facts, 0) == {"timed_out": 2, "late": 1}


@pytest.mark.slow
def test_a_bot_that_leaves_has_lost_that_game_and_no_other(house: House) -> None:
    bots = (house.bot("quitter"), house.bot("plain"))
    facts = house.facts(*bots, *EXPRESS, "-n", "3", "--rotations", "none", "--match-boards", "3")
    # It leaves in the first game that it plays: those after it are played anew, without a first.
    assert [game["finished"] for game in facts["games"]] == [False] * 3
    assert {one["detail"] for one in facts["forfeits"]} == {"exited with code 0"}
    assert facts["bots"][1]["won"] == 3


@pytest.mark.slow
def test_an_always_crashing_bot_loses_all_games_and_the_run_ends(house: House) -> None:
    bots = (house.bot("crasher"), house.bot("plain"))
    facts = house.facts(*bots, *EXPRESS, "-n", "20", "--jobs", "2")
    assert len(facts["games"]) == 40
    assert facts["boards"] == 20
    assert facts["bots"][1]["won"] == 40
    assert faults(facts, 0) == {"forfeited": 40}
    assert {(one["bot"], one["reason"], one["detail"]) for one in facts["forfeits"]} == {
        ("crasher", "CRASH", "exited with code 7")
    }
    assert facts["bots"][0]["log_tail"] == ["no more petrol"] * 5
    assert facts["pairs"][0]["share"]["mean"] == 0


@pytest.mark.slow
def test_at_a_table_of_three_the_others_play_on_when_one_crashes(house: House) -> None:
    bots = (house.bot("crasher"), house.bot("plain"), house.bot("attacker"))
    facts = house.facts(*bots, *EXPRESS, "-n", "2")
    assert len(facts["games"]) == 6
    for game in facts["games"]:
        assert game["finished"]
        team = game["teams"][game["seats"].index("crasher")]
        assert game["forfeited_teams"] == [team]
        assert game["ranks"][team] == 2
        assert game["winner_team"] != team


@pytest.mark.slow
def test_in_a_team_a_crash_costs_both_the_game(house: House) -> None:
    bots = [house.bot(kind) for kind in ("plain", "crasher", "other", "attacker")]
    facts = house.facts(*bots, "-n", "1", "--hands", "1", "--seed", "7")
    assert len(facts["games"]) == 4
    assert [bot["won"] for bot in facts["bots"]] == [4, 0, 4, 0]


@pytest.mark.slow
def test_where_both_crash_each_game_is_lost_by_who_is_asked_first(house: House) -> None:
    bots = (house.bot("crasher"), house.bot("crasher", "crasher too"))
    facts = house.facts(*bots, *EXPRESS, "-n", "3")
    assert len(facts["games"]) == 6
    assert [bot["won"] for bot in facts["bots"]] == [3, 3]
    assert facts["pairs"][0]["share"]["mean"] == 0.5


@pytest.mark.slow
def test_a_bot_that_stops_starting_forfeits_what_is_left(house: House) -> None:
    bots = (house.bot("once"), house.bot("plain"))
    done = house.match(*bots, *EXPRESS, "-n", "1", *PATIENT)
    assert done.returncode == 0
    assert "once: 1 forfeit\n" in done.stdout
    assert "forfeit: once: STARTUP: exited with code 1 before it joined\n" in done.stdout
    assert "  ModuleNotFoundError: No module named 'no_such_module'\n" in done.stdout


@pytest.mark.slow
def test_a_bot_that_raises_plays_on_and_its_log_is_told_and_kept(house: House) -> None:
    logs = house.bots / "logs"
    bots = (house.bot("clumsy"), house.bot("plain"))
    once = ("-n", "1", "--rotations", "none")
    done = house.match(*bots, *EXPRESS, *once, *PATIENT, "--logs", str(logs))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    tail = lines[lines.index("clumsy wrote last:") + 1 :]
    assert len(tail) == 5
    assert "  RuntimeError: dropped all my cards" in tail
    log = (logs / "1-clumsy-match0.log").read_text().splitlines()
    assert log[0] == "Traceback (most recent call last):"
    assert (logs / "2-plain-match0.log").read_text() == ""


@pytest.mark.slow
def test_in_strict_play_the_first_fault_is_the_last_one(house: House) -> None:
    for kind, reason in (("clumsy", "CRASH"), ("liar", "ILLEGAL")):
        bots = (house.bot(kind), house.bot("plain", f"against {kind}"))
        facts = house.facts(*bots, *EXPRESS, "-n", "1", "--rotations", "none", "--strict")
        assert [(one["bot"], one["reason"]) for one in facts["forfeits"]] == [(kind, reason)]


@pytest.mark.slow
def test_a_bot_that_plays_what_is_not_legal_has_a_strike_for_each(house: House) -> None:
    once = ("-n", "1", "--rotations", "none")
    liar, inveterate, plain = (house.bot(kind) for kind in ("liar", "inveterate", "plain"))
    assert faults(house.facts(liar, plain, *EXPRESS, *once), 0) == {"illegal": 1}
    facts = house.facts(inveterate, plain, *EXPRESS, *once)
    assert faults(facts, 0) == {"illegal": 3, "forfeited": 1}
    (forfeit,) = facts["forfeits"]
    assert forfeit["reason"] == "ILLEGAL"
    assert re.fullmatch(r"prompt \d+: [\w ]+ is not legal now; strike 3 of 3", forfeit["detail"]), (
        forfeit
    )


@pytest.mark.slow
def test_a_coup_fourre_that_comes_late_is_no_fault(house: House) -> None:
    bots = (house.bot("dawdler"), house.bot("attacker"))
    limits = ("--turn-time", "60", "--response-window", "0.2")
    facts = house.facts(*bots, "-n", "3", "--hands", "1", "--seed", "7", limits=limits)
    found = faults(facts, 0)
    assert set(found) == {"missed_window", "late"}
    assert facts["bots"][0]["coups_fourres"] == 0
    assert facts["forfeits"] == []


@pytest.mark.slow
def test_a_bot_that_will_not_end_and_its_hidden_child_are_gone_after_the_match(
    house: House,
) -> None:
    facts = house.facts(house.bot("stubborn"), house.bot("plain"), *EXPRESS, "-n", "1")
    assert len(facts["games"]) == 2


# -- what this machine does -------------------------------------------------------------------


def murder(house: House, knives: int) -> tuple[str, str]:
    bots = (house.bot("murderer"), house.bot("plain"))
    for number in range(knives):
        (house.bots / "murderer" / f"knife{number}").touch()
    return bots


@pytest.mark.slow
def test_a_match_whose_referee_is_killed_is_played_again(house: House) -> None:
    bots = murder(house, 2)
    facts = house.facts(*bots, *EXPRESS, "-n", "2", "--match-boards", "1", "--jobs", "2")
    assert len(facts["voids"]) == 2
    assert all("a worker was killed by SIGKILL" in why for why in facts["voids"])
    clean = house.facts(*bots, *EXPRESS, "-n", "2", "--match-boards", "1")
    assert only_results(clean) == only_results(facts)


@pytest.mark.slow
def test_a_match_that_is_void_three_times_is_set_aside_and_told(house: House) -> None:
    bots = murder(house, 3)
    done = house.match(*bots, *EXPRESS, "-n", "2", "--match-boards", "1", *PATIENT)
    assert done.returncode == 1  # this machine did not do its part
    assert "1 board left out: this machine failed\n" in done.stdout
    assert done.stdout.count("void: match 00000-0-") == 3
    assert re.search(r"^ murderer +2 ", done.stdout, flags=re.MULTILINE)


# -- what cannot begin ------------------------------------------------------------------------


def test_a_bot_that_cannot_start_is_told_with_its_last_words(house: House) -> None:
    args = (house.bot("plain"), house.bot("broken"), "--json", "--jobs", "2", "-n", "40")
    message = refused(house.match(*args))
    assert message.startswith(
        "bot 'broken' did not start: it exited with code 1 before it joined: "
        "ModuleNotFoundError: No module named 'no_such_module' ("
    )
    assert re.search(r"odd_bot\.py, line \d+\)$", message)


@pytest.mark.slow
def test_a_bot_that_never_joins_is_told(house: House) -> None:
    args = (house.bot("mute"), house.bot("plain"), "--start-up", "3", "--json")
    message = refused(house.match(*args))
    assert message == "bot 'mute' did not start: it did not join within 3,000 ms"


@pytest.mark.slow
def test_a_program_that_is_no_program_is_told(house: House) -> None:
    (house.bots / "script").write_text("no first line\n")
    (house.bots / "script").chmod(0o755)
    message = refused(house.match("-- ./script", house.bot("plain"), "--json"))
    assert message.startswith("bot 'script' did not start: it cannot start './script' in ")
    assert "Exec format error" in message


@pytest.mark.slow
def test_what_a_bot_of_one_process_prints_behind_its_back_is_no_result(house: House) -> None:
    (house.bots / "loud.py").write_text(
        "import os, subprocess\nfrom arena_sdk import Bot\n\n\nclass Loud(Bot):\n"
        "    def choose(self, prompt):\n"
        '        os.write(1, b"one\\n")\n'
        "        return prompt.legal[0]\n\n"
        "    def match_over(self, result):\n"
        '        subprocess.run(["echo", "two"])\n'
    )
    facts = house.facts("loud:Loud", "loud:Loud", *EXPRESS, "-n", "1", "--in-process")
    assert len(facts["games"]) == 2


# -- the documents ----------------------------------------------------------------------------


def test_the_program_that_the_protocol_shows_is_a_good_manifest(house: House) -> None:
    text = (Path(__file__).parents[2] / "proto" / "README.md").read_text()
    (manifest,) = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    (house.bots / "bot.toml").write_text(manifest)
    assert find_bot(str(house.bots)).language == "rust"
    assert ", ".join(LANGUAGES) in manifest
