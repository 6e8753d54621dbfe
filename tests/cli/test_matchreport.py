"""What `arena match` says of a match: the plan, the table, the JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from arena.app import MatchOutcome, MatchSpec
from arena.cli.matchreport import MatchReport, labels, plan_line
from arena.engine.scoring import Length
from arena.referee.scripted import Leave, Reply, ScriptedSeat, play_out
from arena.referee.tally import Fault
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
    outcome = MatchOutcome(tuple(match.results), tuple(match.tallies.values()), ("", "hello"))
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
    ],
)
def test_the_plan_is_one_line(planned: MatchSpec, line: str) -> None:
    assert plan_line(planned, "x") == line


def test_only_bots_of_one_name_are_numbered() -> None:
    assert labels(spec("a b a", "plateau", 1)) == ("a #1", "b", "a #2")


def test_the_table_names_every_fault_that_occurred_and_fits_in_eighty_columns() -> None:
    console = Console(width=80, record=True)
    with console.capture() as captured:
        console.print(report().table())
    text = captured.get()
    assert max(map(len, text.splitlines())) <= 80
    assert "illegal: 1" in text
    assert "crash: 1" in text
    assert "mean" in text
    assert "points" in text


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


def test_who_wrote_something_is_quoted() -> None:
    assert report().last_words() == ["two wrote: hello"]
