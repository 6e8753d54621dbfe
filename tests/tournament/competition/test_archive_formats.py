"""Archives of all kinds of tables and stages hold, whatever a person has decided in between."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Final

import pytest

from arena.tournament.competition import events
from arena.tournament.competition.archive import write_archive
from tests.tournament.competition.archiveforging import Report, changed_matches, has, resealed
from tests.tournament.competition.archiveworld import World, entries

pytest_plugins = ["tests.tournament.competition.archivefixtures"]

HEAD: Final = """
name = "other"
title = "Another one"

[game]
ruleset = "{ruleset}"
players = {players}
teams = {teams}
hands = 1
boards = 1

[entrants]
most = 8

[seed]
public = "the first digits of tomorrow's numbers"

[[stage]]
{stage}
"""

STAGES: Final = {
    "tables of three": ("classic", 3, "false", 'format = "tables"\nrounds = 2'),
    "partners": ("classic", 4, "true", 'format = "partners"\nrounds = 3'),
    "complete": ("classic", 3, "false", 'format = "complete"\nboards = 1'),
    "swiss": ("express", 2, "false", 'format = "swiss"\nrounds = 2'),
    "gauntlet": ("express", 2, "false", 'format = "gauntlet"'),
    "double elimination": ("express", 2, "false", 'format = "double-elimination"'),
    "groups": (
        "express",
        2,
        "false",
        'format = "groups"\ngroups = 2\nadvance = 2\n\n[[stage]]\nformat = "elimination"',
    ),
}


def played(what: str) -> World:
    """A competition of five or four, in which a person has decided the second match."""
    ruleset, players, teams, stage = STAGES[what]
    world = World(HEAD.format(ruleset=ruleset, players=players, teams=teams, stage=stage))
    more = () if what in ("complete", "groups") else ("eve/fifth",)
    world.freeze(entries(grouped=False, more=more))
    world.say(events.Mixed("12345"))
    world.say(events.Started())
    world.go_on()
    world.go_on()
    world.play(1)
    first = world.here.stages[0]
    if waiting := first.to_play():
        ranks = tuple(range(1, len(waiting[0].teams) + 1))
        world.say(events.Decided(stage=1, key=waiting[0].key, ranks=ranks, why="a power cut"))
    world.play_all()
    world.finish()
    return world


@pytest.mark.parametrize("what", STAGES)
def test_it_holds(what: str, tmp_path: Path, report: Report) -> None:
    world = played(what)
    write_archive(world, tmp_path / "a")
    found = report(tmp_path / "a")
    assert found.findings == ()
    assert found.records == len(world.records) > 1
    has(
        list(found.notes),
        "the public value mixed in is '12345'; compare it with what was named in advance: the "
        "first digits of tomorrow's numbers",
        "is decided: a power cut",
    )
    for path in (tmp_path / "a" / "tables").glob("*.csv"):
        rows = list(csv.reader(path.read_text("utf-8-sig").splitlines()))
        assert len({len(row) for row in rows}) == 1, path.name


@pytest.mark.parametrize("what", ["tables of three", "partners"])
def test_seats_that_were_exchanged(what: str, tmp_path: Path, report: Report) -> None:
    write_archive(played(what), tmp_path / "a")
    changed_matches(tmp_path / "a", lambda facts: facts[0]["seats"].reverse())
    resealed(tmp_path / "a")
    has(
        list(map(str, report(tmp_path / "a").findings)),
        "matches.jsonl: line 1: match 41: seats are",
        "records/41-1.jsonl: line 1: its versions must be",
    )
