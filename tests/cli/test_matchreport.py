"""What `arena match` says of a match: the plan, the table, the JSON."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from rich.console import Console

from arena.app import MatchOutcome, MatchSpec
from arena.cli.matchlogs import make_folder, write_logs
from arena.cli.matchreport import MatchReport, labels, plan_line, title
from arena.engine.scoring import Length
from arena.errors import HostFault
from arena.referee.events import GameResult
from arena.referee.scripted import Leave, Reply, ScriptedSeat, play_out
from arena.referee.tally import Fault, Tally
from arena.submissions.manifest import Manifest
from tests.referee.plans import at_random, make_plan, once


def manifest(name: str) -> Manifest:
    return Manifest(name=name, version="1", language="python", run=("x",), folder=Path())


def report(preset: str = "classic", hands: int | None = 1) -> MatchReport:
    """Of a match in which the first bot plays something illegal once, and the second one dies."""
    plan = make_plan(preset, games=3, hands=hands)
    seats = [
        ScriptedSeat(once([Reply(99)], at_random(1))),
        ScriptedSeat(once([Leave()], at_random(2))),
    ]
    match = play_out(plan, seats)
    spec = MatchSpec(
        bots=(manifest("one"), manifest("two")),
        rules=plan.rules,
        seating=plan.seating,
        seed=bytes(32),
        games=3,
        length=plan.length,
    )
    logs = ("", f"hello\n\n{'x' * 90}\n")
    outcome = MatchOutcome(tuple(match.results), tuple(match.tallies.values()), logs)
    return MatchReport(spec, outcome, "7")


def spec(names: str, preset: str, hands: int | None, games: int = 2) -> MatchSpec:
    plan = make_plan(preset, len(names.split()))
    return MatchSpec(
        bots=tuple(manifest(name) for name in names.split()),
        rules=plan.rules,
        seating=plan.seating,
        seed=bytes(32),
        games=games,
        length=Length(hands),
    )


@pytest.mark.parametrize(
    ("planned", "line"),
    [
        (spec("a b", "classic", None), "a, b: classic, 2 games to 5000 points, seed x"),
        (spec("a b", "express", None, 1), "a, b: express, 1 game of one hand, seed x"),
        (spec("a b a", "plateau", 1), "a #1, b, a #2: plateau, 2 games of 1 hand, seed x"),
        (spec("a b", "classic", 3), "a, b: classic, 2 games of 3 hands, seed x"),
        (spec("a b a c", "classic", 1), "a #1 + a #2, b + c: classic, 2 games of 1 hand, seed x"),
    ],
)
def test_the_title_says_in_one_line_who_plays_what(planned: MatchSpec, line: str) -> None:
    assert title(planned, "x") == line


def test_the_plan_says_how_many_games_and_how_to_repeat_them() -> None:
    assert plan_line(spec("a b", "classic", 3, 1), "x") == "playing 1 game, seed x"


def test_only_bots_of_one_name_are_numbered() -> None:
    assert labels(spec("a b a", "plateau", 1)) == ("a #1", "b", "a #2")


def printed(shown: MatchReport, width: int) -> list[str]:
    console = Console(width=width)
    with console.capture() as captured:
        console.print(shown.table())
    return captured.get().splitlines()


@pytest.mark.parametrize("width", [60, 80])
def test_the_table_is_whole_in_a_narrow_terminal(width: int) -> None:
    lines = printed(report(), width)
    assert max(map(len, lines)) <= width
    assert "…" not in "".join(lines)
    assert lines[0].strip() == "one, two: classic, 3 games of 1 hand, seed 7"
    first, second = (line.split() for line in lines[2:4])
    assert first == ["mean", "coups", "median", "max"]
    assert second == ["bot", "seats", "won", "drawn", "points", "fourrés", "ms", "ms"]


def test_six_bots_fit_in_sixty_columns() -> None:
    plan = make_plan(players=6, games=6)
    match = play_out(plan, [ScriptedSeat(at_random(seed)) for seed in range(6)])
    outcome = MatchOutcome(tuple(match.results), tuple(match.tallies.values()), ("",) * 6)
    six = replace(spec("cautious " * 6, "classic", 1), games=6)
    lines = printed(MatchReport(six, outcome, "7"), 60)
    assert max(map(len, lines)) <= 60
    assert sum(line.startswith(" cautious #") and "1 each" in line for line in lines) == 6


def test_who_did_something_wrong_has_a_line_under_the_table() -> None:
    shown = report()
    assert shown.fault_lines() == ["one: 1 illegal", "two: 1 crash"]
    faults = {Fault.TIMED_OUT: 22, Fault.MISSED_WINDOW: 1, Fault.LATE: 2, Fault.STALE: 3}
    tallies = (Tally(Counter(faults)), Tally())
    planned = spec("veryslow b", "classic", 1)
    mixed = MatchReport(planned, MatchOutcome(report_results(), tallies, ("", "")), "7")
    assert mixed.fault_lines() == ["veryslow: 22 time-outs, 1 missed window, 2 late"]
    assert [line.split()[-2:] for line in printed(mixed, 80) if "/" in line][:2] == [["-", "-"]] * 2
    facts = mixed.facts()["bots"]
    assert isinstance(facts, list)
    assert facts[0]["think_milliseconds"] == {"median": None, "max": None}


def report_results() -> tuple[GameResult, ...]:
    return tuple(play_out(make_plan(games=1), [ScriptedSeat(), ScriptedSeat()]).results)


def test_the_facts_are_json_with_every_cause_and_add_up() -> None:
    facts = json.loads(json.dumps(report().facts()))
    first, second = facts["bots"]
    assert first["faults"] == {fault.value: int(fault is Fault.ILLEGAL) for fault in Fault}
    assert second["faults"]["crashed"] == 1
    assert first["won"] + second["won"] + first["drawn"] == 3
    assert first["games_by_seat"] == [2, 1]
    seats = [game["seats"] for game in facts["results"]]
    assert seats == [["one", "two"], ["two", "one"], ["one", "two"]]
    points = [game["points"][game["seats"].index("one")] for game in facts["results"]]
    assert first["mean_points"] == sum(points) / 3


def test_where_there_are_no_points_there_are_km() -> None:
    facts = json.loads(json.dumps(report("express", None).facts()))
    km = [game["km"][game["seats"].index("two")] for game in facts["results"]]
    assert facts["bots"][1]["mean_km"] == sum(km) / 3
    assert "mean_points" not in facts["bots"][1]


def test_who_wrote_something_is_quoted_line_by_line() -> None:
    assert report().log_lines(80) == ["two wrote:", "  hello", "  " + "x" * 75 + "..."]
    facts = json.loads(json.dumps(report().facts()))
    assert [bot["log_tail"] for bot in facts["bots"]] == [[], ["hello", "x" * 90]]


# -- logs -------------------------------------------------------------------------------------


def test_logs_get_safe_names_in_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "logs"
    make_folder(folder)
    write_logs(folder, ["../a b", "é" * 64], ["one\n", "two\né"])
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "1-.._a_b.log": "one\n",
        f"2-{'_' * 64}.log": "two\né",
    }


def test_a_folder_that_cannot_be_is_refused_before_the_match(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(typer.BadParameter, match=r"file/logs: cannot be written to: Not a dir"):
        make_folder(tmp_path / "file" / "logs")


def test_a_log_that_cannot_be_written_leaves_nothing_half_done(tmp_path: Path) -> None:
    (tmp_path / "1-a.log").mkdir()
    with pytest.raises(HostFault, match=r"1-a\.log: cannot be written: Is a directory"):
        write_logs(tmp_path, ["a"], ["text"])
    assert [path.name for path in tmp_path.iterdir()] == ["1-a.log"]
