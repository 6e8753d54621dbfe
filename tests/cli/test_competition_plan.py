"""`arena competition plan`: what it prints, its JSON value, and what it refuses."""

from __future__ import annotations

import io
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

import pytest
from rich.console import Console

from arena.cli.competitioninit import Example, example_text
from arena.cli.competitionplanrun import Bar, Found, Wanted, figures, simulate
from arena.cli.competitionplanspeed import Containers, Speed
from arena.cli.competitionplanwords import Report, duration
from arena.tournament.competition.plannoise import Noise
from arena.tournament.competition.planplay import Plan
from arena.tournament.competition.plantime import Pace
from arena.tournament.competition.regulationsfile import regulations_from
from arena.tournament.competition.regulationsoutline import outline
from tests.cli.matchroom import Room

SMALL = """\
name = "cup"
title = "Cup"
[game]
boards = 4
[entrants]
most = 4
seeding = "lot"
{schedule}
[[stage]]
name = "League"
format = "round-robin"
"""
DATES = """\
[schedule]
freeze = 2027-03-01T09:00:00+01:00
start = 2027-03-01T10:00:00+01:00
release = 2027-03-01T12:00:00+01:00
"""
BEFORE = int(1000 * datetime.fromisoformat("2027-02-01T00:00:00+00:00").timestamp())
AFTER = int(1000 * datetime.fromisoformat("2027-03-01T10:30:00+00:00").timestamp())


@cache
def simulated(schedule: str) -> Found:
    made = regulations_from(SMALL.format(schedule=schedule), "cup.toml")
    tried = Plan(regulations=made, entrants=4, noise=Noise(), spread=140)
    return simulate(tried, Wanted(confidence=0.5, gap=50, simulations=10), lambda: None)


def report(game: float, *, now: int = BEFORE, at_once: int = 1, schedule: str = DATES) -> Report:
    """Of four bots that play six matches of eight games."""
    found = simulated(schedule)
    return Report(
        stages=outline(found.plan.regulations, 4),
        found=found,
        speed=Speed(Pace(game=game, start=10, at_once=at_once), 4.0, Containers.FIGURE),
        now=now,
    )


def told(one: Report) -> str:
    console = Console(file=io.StringIO(), width=110, highlight=False, markup=False)
    one.print(console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


# -- time, with a clock and a speed of one's own ------------------------------------------------


def test_times_add_up_to_the_end() -> None:
    time = report(20).facts()["time"]
    assert time["seconds"] == 6 * (10 + 8 * 20)
    assert time["start"] == "2027-03-01T10:00:00+01:00"
    assert time["is_scheduled"]
    end = datetime.fromisoformat(time["end"])
    assert end - datetime.fromisoformat(time["start"]) == timedelta(seconds=6 * 170)
    assert time["release"] == "2027-03-01T12:00:00+01:00"
    assert not time["is_late"]
    assert report(20, at_once=3).facts()["time"]["seconds"] == 2 * 170


def test_a_release_before_the_end_is_warned_of() -> None:
    late = report(200)  # six matches of 1,610 s are 2 h 41 min
    assert late.facts()["time"]["is_late"]
    text = told(late)
    assert "WARNING" in text
    assert "the release may come before the end of play" in text
    assert "2027-03-01 12:41" in text
    assert "WARNING" not in told(report(20))


def test_without_a_start_to_come_it_begins_now() -> None:
    past = report(20, now=AFTER).facts()["time"]
    assert (past["start"], past["is_scheduled"]) == ("2027-03-01T11:30:00+01:00", False)
    text = told(report(20, schedule=""))
    assert "(now)" in text
    assert "release" not in text


def test_what_was_measured_and_what_was_not_is_said() -> None:
    text = told(report(20))
    assert "20.00 s, measured now with keeper and racer as plain programs" in text
    assert "10.0 s for each match; 4.0 s of it because bots are in containers" in text
    assert "measured on another machine" in text


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (4.4, "4 s"),
        (59.7, "1 min"),
        (90, "2 min"),
        (3599, "1 h 0 min"),
        (12_000, "3 h 20 min"),
        (187_000, "2 d 4 h"),
    ],
)
def test_durations_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


# -- the command --------------------------------------------------------------------------------


@pytest.fixture
def cup(room: Room) -> Path:
    file = room.folder / "cup.toml"
    file.write_text(SMALL.format(schedule=""))
    return file


def call(room: Room, *args: str) -> list[str]:
    given = ("competition", "plan", "cup.toml", "--seconds-per-game", "0.5", "--simulations", "20")
    done = room.call(*given, *args)
    assert done.code == 0, done.err
    return done.out.splitlines()


def test_the_same_seed_says_the_same(room: Room, cup: Path) -> None:
    def power(seed: str) -> list[str]:
        lines = call(room, "--seed", seed, "--confidence", "0.3")
        return lines[lines.index("Power: how likely the best bot wins") :]

    assert cup.exists()
    assert power("4") == power("4")
    assert power("4") != power("5")


def test_the_json_value(room: Room, cup: Path) -> None:
    done = room.call(
        "competition", "plan", cup.name, "--seconds-per-game", "0.5", "--simulations", "20",
        "--at-once", "2", "--gap", "80", "--json",
    )  # fmt: skip
    assert done.code == 0, done.err
    found = done.json
    assert set(found) == {
        "name", "title", "digest", "entrants", "stages", "time", "power", "enough", "assumptions",
    }  # fmt: skip
    (stage,) = found["stages"]
    assert {name: stage[name] for name in ("rounds", "pairings", "matches", "boards", "games")} == {
        "rounds": 3, "pairings": 6, "matches": 6, "boards": 4, "games": 48,
    }  # fmt: skip
    assert found["time"]["seconds"] == 3 * 8 * 0.5
    assert (found["time"]["source"], found["time"]["at_once"]) == ("included", 2)
    for name in ("wins", "first_three", "last_stage"):
        chance = found["power"][name]
        assert 0 <= chance["low"] <= chance["value"] <= chance["high"] <= 1
    assert found["power"]["last_stage"]["value"] == 1
    enough = found["enough"]
    assert (enough["gap"], enough["confidence"], enough["last_stage"]) == (80, 0.9, None)
    assert enough["planned"]["boards"] == [4]
    assert enough["all_stages"]["wins"]["value"] >= 0.9
    assert enough["all_stages"]["boards"] == [enough["all_stages"]["enough"]]


def test_what_cannot_be_reached_is_said_plainly(room: Room, cup: Path) -> None:
    assert cup.exists()
    text = "\n".join(call(room, "--gap", "0", "--spread", "0"))
    assert "Not even 1,000 boards in a match reach 90%" in text
    assert "1,000: not enough" in text


def test_balance_is_told_for_tables(room: Room) -> None:
    text = SMALL.format(schedule="").replace("boards = 4", 'ruleset = "express"\nplayers = 4')
    text = text.replace("most = 4", "most = 5").replace("round-robin", "tables")
    (room.folder / "cup.toml").write_text(text + "rounds = 3\n")
    lines = call(room, "--gap", "500", "--confidence", "0.1")
    assert any("two entrants meet: " in line for line in lines)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--confidence", "1", "--confidence 1: must be between 0 and 1, such as 0.9"),
        ("--gap", "-3", "--gap -3: must be from 0 to 2,000 Elo"),
        ("--spread", "nan", "--spread nan: must be from 0 to 2,000 Elo"),
        ("--entrants", "1", None),
        ("--simulations", "3", None),
        (
            "--seconds-per-game",
            "0",
            "--seconds-per-game 0: must be more than 0 and at most 86,400",
        ),
    ],
)
def test_wrong_numbers_are_refused_in_one_line(
    room: Room, cup: Path, option: str, value: str, message: str | None
) -> None:
    given = [] if option == "--seconds-per-game" else ["--seconds-per-game", "1"]
    done = room.call("competition", "plan", cup.name, *given, option, value)
    assert (done.code, done.out) == (2, "")
    assert "Traceback" not in done.err
    if message is not None:
        assert done.message == message


def test_too_few_for_a_stage_and_wrong_regulations_are_one_line(room: Room, cup: Path) -> None:
    done = room.call("competition", "plan", "none.toml")
    assert (done.code, done.message) == (2, "none.toml: No such file or directory")
    text = example_text(Example.FINAL)
    cup.write_text(text)
    done = room.call("competition", "plan", "cup.toml", "--entrants", "3")
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert done.message.startswith("Groups with 3 entrants: ")
    cup.write_text(text.replace("players = 2", "players = 9"))
    done = room.call("competition", "plan", "cup.toml")
    assert done.code == 2
    assert "players" in done.message


# -- progress -----------------------------------------------------------------------------------


def test_no_more_is_simulated_than_the_bar_is_long() -> None:
    made = regulations_from(example_text(Example.SCHOOL), "school.toml")
    tried = Plan(regulations=made, entrants=4, noise=Noise(), spread=140)
    steps: list[int] = []
    simulate(tried, Wanted(confidence=0.6, gap=200, simulations=2), lambda: steps.append(1))
    assert 0 < len(steps) <= 2 * figures(tried)


def test_where_there_is_no_terminal_a_line_is_printed_now_and_then() -> None:
    now = [0.0]
    console = Console(file=io.StringIO(), width=80)
    with Bar(console, "simulations", 4, clock=lambda: now[0]) as bar:
        bar.advance()
        now[0] = 61
        bar.advance()
        bar.advance()
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == "simulations: 50% done\n"
