"""`arena match` in one process: what it plays, says and keeps."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.matchroom import FIRST, Room

EXPRESS = ("-r", "express", "--seed", "7")


def timeless(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts without what takes a different time in every run."""
    bots = [
        {key: value for key, value in bot.items() if not key.endswith("milliseconds")}
        for bot in facts["bots"]
    ]
    return {**facts, "bots": bots, "ended": ""}


# -- what is played ---------------------------------------------------------------------------


def test_boards_in_both_rotations(room: Room) -> None:
    facts = room.facts("First", "Chance", *EXPRESS, "-n", "3")
    assert (facts["boards"], facts["games_per_board"], facts["boards_planned"]) == (3, 2, 3)
    assert [(one["board"], one["rotation"]) for one in facts["games"]] == [
        (0, 0),
        (0, 1),
        (1, 1),
        (1, 0),
        (2, 0),
        (2, 1),
    ]
    for bot in facts["bots"]:
        assert bot["games"] == 6
        assert bot["games_by_seat"] == [3, 3]


def test_without_rotations_each_board_once(room: Room) -> None:
    facts = room.facts("First", "Last", "Chance", *EXPRESS, "-n", "6", "--rotations", "none")
    assert [(one["board"], one["rotation"]) for one in facts["games"]] == [
        (board, board % 3) for board in range(6)
    ]
    assert [bot["games_by_seat"] for bot in facts["bots"]] == [[2, 2, 2]] * 3


def test_the_same_seed_plays_the_same_and_another_one_does_not(room: Room) -> None:
    args = ("First", "Chance", "-r", "express", "-n", "3", "--seed")
    one, again, other = (timeless(room.facts(*args, seed)) for seed in ("x", "x", "y"))
    assert one == again
    assert one["games"] != other["games"]


@pytest.mark.slow
def test_a_seed_is_made_and_shown_where_none_is_given(room: Room) -> None:
    one, other = (room.facts("First", "Last", "-r", "express", "-n", "1") for _ in range(2))
    assert one["seed"] != other["seed"]
    again = room.facts("First", "Last", "-r", "express", "-n", "1", "--seed", one["seed"])
    assert again["games"] == one["games"]


@pytest.mark.parametrize(
    ("args", "hands", "most"),
    [(["--hands", "2"], {2}, 10**6), (["--match-points", "700"], set(range(1, 9)), 10**6)],
)
def test_how_long_a_game_lasts(room: Room, args: list[str], hands: set[int], most: int) -> None:
    facts = room.facts("First", "Chance", "-n", "2", "--seed", "7", *args)
    assert {game["hands"] for game in facts["games"]} <= hands
    if "--match-points" in args:
        assert all(max(game["points"]) >= 700 for game in facts["games"])
        assert facts["options"]["match_points"] == 700


@pytest.mark.slow
@pytest.mark.parametrize("stop", [[], ["--sprt", "-50", "150"], ["--until-width", "0.5"]])
def test_the_table_does_not_depend_on_the_number_of_jobs(room: Room, stop: list[str]) -> None:
    args = ("Chance", "First", *EXPRESS, "-n", "30", "--match-boards", "2", *stop)
    one, two = (timeless(room.facts(*args, "--jobs", jobs)) for jobs in ("1", "2"))
    assert one == two
    assert one["stopped_early"] == bool(stop)
    assert (one["boards"] < 30) == bool(stop)
    if stop[:1] == ["--sprt"]:
        assert one["sprt"]["decision"] in {"accept H0", "accept H1"}
        assert one["sprt"]["boards"] == one["boards"]


def test_teams_are_told_as_they_sit(room: Room) -> None:
    facts = room.facts("First", "Last", "Chance", "First", "-n", "1", "--hands", "1")
    assert facts["teams"] == [[0, 2], [1, 3]]
    assert facts["pairs"][0]["sides"] == [
        "bots:First #1 + bots:Chance",
        "bots:Last + bots:First #2",
    ]
    assert len(facts["games"]) == 4


def test_every_pair_at_a_table_is_compared(room: Room) -> None:
    facts = room.facts("First", "Last", "Chance", *EXPRESS, "-n", "4")
    pairs = [pair["sides"] for pair in facts["pairs"]]
    first, last, chance = "bots:First", "bots:Last", "bots:Chance"
    assert pairs == [[first, last], [first, chance], [last, chance]]
    assert all(pair["boards"] == 4 and pair["games"] == 12 for pair in facts["pairs"])


# -- what bots do -----------------------------------------------------------------------------


def test_a_bot_that_raises_plays_on_and_its_traceback_is_its_log(room: Room) -> None:
    facts = room.facts("Raising", "First", *EXPRESS, "-n", "1")
    assert facts["forfeits"] == []
    assert sum(facts["bots"][0]["faults"].values()) == 0
    tail = facts["bots"][0]["log_tail"]
    assert "RuntimeError: dropped all my cards" in tail
    assert tail[-1].startswith("arena_sdk: choose raised 1 time (last: RuntimeError: dropped all")
    assert facts["bots"][1]["log_tail"] == []


def test_in_strict_play_it_has_lost(room: Room) -> None:
    facts = room.facts("Raising", "First", *EXPRESS, "-n", "1", "--strict")
    assert {(one["reason"], one["detail"]) for one in facts["forfeits"]} == {
        ("CRASH", "choose raised RuntimeError: dropped all my cards")
    }
    assert facts["bots"][1]["won"] == 2


@pytest.mark.slow
def test_a_bot_that_exits_has_lost_that_game_and_the_run_goes_on(room: Room) -> None:
    facts = room.facts("Exiting", "First", *EXPRESS, "-n", "60", "--jobs", "2")
    assert len(facts["games"]) == 120
    assert facts["bots"][1]["won"] == 120
    assert {one["detail"] for one in facts["forfeits"]} == {"exited with code 3"}
    assert facts["bots"][0]["log_tail"] == ["so long"] * 5


def test_strikes_cost_a_game(room: Room) -> None:
    done = room.match("Illegal", "First", *EXPRESS, "-n", "1")
    assert done.code == 0
    assert "bots:Illegal: 6 illegal, 2 forfeits\n" in done.out
    assert "forfeit: bots:Illegal: ILLEGAL: prompt 3: " in done.out


def test_what_bots_print_is_in_their_own_logs(room: Room) -> None:
    logs = room.folder / "logs"
    facts = room.facts("Printing", "Murmuring", *EXPRESS, "-n", "1", "--logs", str(logs))
    first, second = (
        (logs / f"{number}-bots_{name}-match0.log").read_text().splitlines()
        for number, name in ((1, "Printing"), (2, "Murmuring"))
    )
    for lines, name in ((first, "Printing"), (second, "Murmuring")):
        made = [line.split() for line in lines if line.startswith("made with")]
        assert len(made) == 2  # once for each rotation, with a seed of its own
        assert len({words[2] for words in made}) == 2
        assert {words[4] for words in made} == {str(room.folder)}
        assert set(lines) - {" ".join(words) for words in made} == {f"I am {name}"}
    assert facts["bots"][0]["log_tail"] == ["I am Printing"] * 5


def test_bots_with_modules_of_one_name_have_each_their_own(room: Room) -> None:
    """Two versions of a bot have the same files; and each leg finds its module as it was."""
    body = (
        "import helper\n\n\nclass Mine(Bot):\n"
        "    def choose(self, prompt):\n"
        "        import late\n"
        "        helper.calls += 1\n"
        "        if helper.calls == 1:\n"
        "            print(helper.NAME, late.NAME, __name__)\n"
        "        return prompt.legal[0]\n"
    )
    for name in ("one", "two"):
        folder = Path(room.bot("same", body, version=name, folder=name))
        (folder / "helper.py").write_text(f"NAME = {name!r}\ncalls = 0\n")
        (folder / "late.py").write_text(f"NAME = {name!r}\n")
    facts = room.facts("./one", "./two", *EXPRESS, "-n", "2")
    assert [bot["name"] for bot in facts["bots"]] == ["same one", "same two"]
    for bot, name in zip(facts["bots"], ("one", "two"), strict=True):
        (line,) = set(bot["log_tail"])
        assert line == f"{name} {name} _arena_bot_{name}_bot"
        assert len(bot["log_tail"]) == 2  # the first call of each leg


def test_a_file_may_be_read_from_the_bot_s_folder(room: Room) -> None:
    body = (
        "class Mine(Bot):\n    def choose(self, prompt):\n"
        '        return prompt.legal[int(open("weights").read())]\n'
    )
    (Path(room.bot("reader", body)) / "weights").write_text("0")
    facts = room.facts("./reader", "First", *EXPRESS, "-n", "1")
    assert facts["bots"][0]["log_tail"] == []


# -- bots that cannot be made -----------------------------------------------------------------


def test_a_class_that_cannot_be_made_is_told_in_one_line(room: Room) -> None:
    for name, why in [
        ("Unmakable", "ValueError: no cards"),
        ("Needy", "TypeError: Needy.__init__() missing 1 required positional argument: 'seed'"),
        ("bots:Nobody", "bot bots:Nobody: bots has no class Nobody that is a Bot"),
        ("nothing:Nobody", "bot nothing:Nobody: cannot be loaded: ModuleNotFoundError: No module"),
    ]:
        done = room.match("First", name, *EXPRESS, "-n", "40")
        assert done.code == 2
        named = name if ":" in name else f"bots:{name}"
        begin = f"bot {named!r} did not start: it cannot be made: {why}"
        assert done.message.startswith(begin), done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("import sys\nsys.exit(4)\n", "bot.py: ends by itself when it is loaded (4)"),
        ("def broken(:\n", "bot.py: cannot be loaded: SyntaxError: "),
        ("x = 1\n", "bot.py: defines one Bot to play in this process, not none"),
        (FIRST + FIRST.replace("Mine", "Yours"), "bot.py: defines one Bot to play in this process"),
    ],
    ids=["exits", "syntax", "none", "two"],
)
def test_a_file_that_is_no_bot_is_told_in_one_line(room: Room, body: str, why: str) -> None:
    done = room.match("First", room.bot("odd", body), *EXPRESS)
    assert done.code == 2
    assert done.message.startswith("bot 'odd' did not start: it cannot be made: ")
    assert why in done.message


# -- outputs ----------------------------------------------------------------------------------


def test_the_plan_comes_before_and_the_table_after(room: Room) -> None:
    done = room.match("First", "Last", "-n", "2", "--hands", "1", "--seed", "7")
    assert done.code == 0
    assert done.err == (
        "plan: bots:First against bots:Last; classic, 1 hand a game; 2 boards in 2 rotations = 4 "
        "games in 1 match; in one process; seed 7\n"
    )
    for word in ("bot", "games", "won", "drawn", "fourrés", "start", "p50", "p99", "max"):
        assert word in done.out
    assert "1,000 ms are free, 100 in a window" in done.out
    assert "bots:First against bots:Last: won " in done.out
    assert done.out.endswith("95 % intervals from 2 boards, not from games; seed 7\n")


def test_names_are_harmless_in_every_output(room: Room) -> None:
    """A formula for spreadsheets and markup for terminals are names like any other."""
    bots = [room.bot("=cmd('x')", FIRST, folder="one"), room.bot("[red]b,c[[", FIRST, folder="two")]
    table = room.match(*bots, *EXPRESS, "-n", "1")
    assert table.code == 0, table.err
    assert "=cmd('x') against [red]b,c[[: " in table.out
    sheet = room.match(*bots, *EXPRESS, "-n", "1", "--csv")
    rows = list(csv.DictReader(io.StringIO(sheet.out)))
    names = ["'=cmd('x')", "[red]b,c[["]
    assert [row["bot"] for row in rows] == [*names, *reversed(names)]
    assert {row["finished"] for row in rows} == {"1"}
    assert all(None not in row.values() and None not in row for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("flag", ["--json", "--csv"])
def test_what_programs_read_is_one_value_also_when_it_fails(room: Room, flag: str) -> None:
    done = room.match("First", "Unmakable", *EXPRESS, flag)
    assert done.code == 2
    if flag == "--csv":
        assert done.out == ""
    else:
        assert done.json == {"error": {"kind": "input", "message": done.message}}


def test_a_seed_may_be_any_text_and_is_shown_as_it_is(room: Room) -> None:
    args = ("First", "Last", "-r", "express", "-n", "1", "--seed")
    done = room.match(*args, "[/x]\x1b[31m")
    assert done.code == 0, done.err
    assert "seed [/x]\\x1b[31m\n" in done.err
    assert "\x1b" not in done.out + done.err
    assert room.facts(*args, "\udcff")["seed"] == "\udcff"


@pytest.mark.parametrize(
    ("stop", "by"),
    [
        (["--until-width", "0.9"], "until_width"),
        (["--sprt", "-50", "150"], "sprt"),
        (["--until-width", "0.0001"], None),
    ],
)
def test_what_has_ended_a_series_is_told(room: Room, stop: list[str], by: str | None) -> None:
    args = ("Chance", "First", *EXPRESS, "-n", "30", "--match-boards", "2", *stop)
    facts = room.facts(*args)
    assert facts["stopped_by"] == by
    assert facts["stopped_early"] == (by is not None)


# -- taking it up again -----------------------------------------------------------------------


def test_a_series_that_is_complete_is_shown_again_and_not_played(room: Room) -> None:
    args = ("Chance", "First", *EXPRESS, "-n", "4", "--match-boards", "2", "--resume", "state")
    one = timeless(room.facts(*args))
    size = (room.folder / "state").stat().st_size
    (room.folder / "bots.py").write_text(
        (room.folder / "bots.py").read_text().replace("self.rng.choice", "undefined")
    )
    assert timeless(room.facts(*args)) == one
    assert (room.folder / "state").stat().st_size == size


def test_without_a_seed_the_one_of_the_file_is_taken(room: Room) -> None:
    args = ("Chance", "First", "-r", "express", "-n", "4", "--match-boards", "2")
    one = timeless(room.facts(*args, "--resume", "state"))
    lines = (room.folder / "state").read_bytes().splitlines(keepends=True)
    (room.folder / "state").write_bytes(lines[0] + lines[2])
    assert timeless(room.facts(*args, "--resume", "state")) == one


def test_a_file_of_another_plan_is_refused(room: Room) -> None:
    room.facts("First", "Last", *EXPRESS, "-n", "2", "--resume", "state")
    more = ("--resume", "state", "--match-boards", "1", "--json")
    done = room.match("First", "Last", *EXPRESS, "-n", "2", *more)
    assert done.code == 2
    assert done.json["error"]["message"] == (
        "state belongs to another plan: match_boards was 2 and is 1 now; give the same options "
        "again, or another file"
    )


def test_more_boards_can_be_asked_for_later(room: Room) -> None:
    args = ("Chance", "First", *EXPRESS, "--match-boards", "2")
    room.facts(*args, "-n", "3", "--resume", "state")
    whole = timeless(room.facts(*args, "-n", "7"))
    assert timeless(room.facts(*args, "-n", "7", "--resume", "state")) == whole
    assert timeless(room.facts(*args, "-n", "7", "--resume", "state")) == whole


def test_a_result_is_kept_as_soon_as_it_is_there(room: Room) -> None:
    """A later match fails to begin; those before it are in the file."""
    body = (
        "import os\n\n\nclass Mine(Bot):\n    def choose(self, prompt):\n"
        "        return prompt.legal[0]\n"
    )
    bot = room.bot("mine", body)
    args = (bot, "First", *EXPRESS, "-n", "4", "--match-boards", "1", "--resume", "state")
    room.facts(*args)
    lines = (room.folder / "state").read_text().splitlines()
    assert [json.loads(line).get("match") for line in lines] == [None, 0, 1, 2, 3]
