"""Archives of competitions in which somebody was reinstated, or added after the freeze, hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from arena.storage.facts import MatchState
from arena.tournament.competition import events
from arena.tournament.competition.archive import write_archive
from tests.tournament.competition.archiveforging import (
    Facts,
    Report,
    changed_matches,
    event_of,
    has,
    rechained,
    resealed,
)
from tests.tournament.competition.archiveworld import ADMIN, World, entries

pytest_plugins = ["tests.tournament.competition.archivefixtures"]

GONE: Final = "cem/sum"
LATE: Final = "eve/fifth"
OPEN_TO_ALL: Final = """
name = "open"
title = "Open to all"

[game]
ruleset = "express"
players = 2
hands = 1
boards = 1

[entrants]
seeding = "lot"

[[stage]]
format = "round-robin"
"""


def cancelled(world: World) -> set[str]:
    """Cancel what nobody plays any more, as a server does; what that was."""
    waiting = {
        stage.name_of(pairing.key) for stage in world.here.stages for pairing in stage.to_play()
    }
    gone = {
        name
        for name, match in world.store.items()
        if match.state is MatchState.QUEUED and name not in waiting
    }
    for name in gone:
        world.store[name] = replace(world.store[name], state=MatchState.CANCELLED)
    return gone


def inserted(facts: Facts, event: events.Event) -> None:
    """Put a line of an operator's before the end."""
    end = event_of(facts, "finished")
    line = {"at": end["at"], "who": ADMIN, **events.event_facts(event)}
    facts.insert(facts.index(end), line)


@pytest.fixture(scope="module", name="back")
def in_which_somebody_came_back() -> tuple[World, set[str]]:
    """One is disqualified after some matches, and reinstated; the runs that were cancelled."""
    world = World()
    world.freeze()
    world.say(events.Started())
    world.go_on()
    world.go_on()
    world.play(2)
    number = world.here.entry(GONE)
    world.say(events.Withdrawn(number, "its owner is ill"))
    gone = cancelled(world)
    world.say(events.Disqualified(number, "it was copied"))
    world.play(1)
    world.say(events.Reinstated(number, "it was another who is ill"))
    world.play_all()
    world.finish()
    return world, gone


@pytest.fixture(name="folder")
def archived(back: tuple[World, set[str]], tmp_path: Path) -> Path:
    write_archive(back[0], tmp_path / "a")
    return tmp_path / "a"


def test_cancelled_runs_stay_listed_and_the_new_ones_are_checked(
    back: tuple[World, set[str]], folder: Path, report: Report
) -> None:
    world, gone = back
    assert gone
    first = world.here.stages[0]
    assert len(first.results) == len(first.pairings) == 6
    assert {name for name in world.store if name.endswith("/2")} == {
        f"{name.removesuffix('/1')}/2" for name in gone
    }
    found = report(folder)
    assert found.findings == ()
    assert found.matches == len(world.store) == 6 + len(gone) + 1
    assert found.records == 7
    notes = list(found.notes)
    has(
        notes,
        f"by {ADMIN}: {GONE} withdraws: its owner is ill",
        f"by {ADMIN}: {GONE} is disqualified: it was copied",
        f"by {ADMIN}: {GONE} plays on, as if it had never left: it was another who is ill",
    )


def test_a_cancelled_run_cannot_be_left_out(
    back: tuple[World, set[str]], folder: Path, report: Report
) -> None:
    name = min(back[1])

    def hide(facts: Facts) -> None:
        facts[:] = [one for one in facts if one["pairing"] != name]

    changed_matches(folder, hide)
    resealed(folder)
    has(list(map(str, report(folder).findings)), f"matches.jsonl: has no match for {name}")


def test_nobody_is_reinstated_after_the_next_stage_has_begun(copy: Path, report: Report) -> None:
    rechained(copy, lambda facts: inserted(facts, events.Reinstated(2, "it was none")))
    resealed(copy)
    findings = list(map(str, report(copy).findings))
    has(findings, f"{GONE}: it is too late to take that back: stage 2, Final, has begun since")


@pytest.fixture(name="grown")
def with_one_added_after_the_freeze(tmp_path: Path) -> Path:
    world = World(OPEN_TO_ALL)
    *four, late = entries(grouped=False, more=(LATE,))
    world.freeze(four)
    world.say(events.Joined(0, late))
    world.say(events.Started())
    world.play_all()
    world.finish()
    assert len(world.store) == 10
    write_archive(world, tmp_path / "grown")
    return tmp_path / "grown"


def test_who_was_added_after_the_freeze_is_told(grown: Path, report: Report) -> None:
    found = report(grown)
    assert found.findings == ()
    assert (found.entries, found.records) == (5, 10)
    has(
        list(found.notes),
        f"by {ADMIN}: {LATE} is added before the first stage, with its versi",
    )
    assert LATE in (grown / "tables" / "entries.csv").read_text("utf-8-sig")


def test_nobody_is_added_as_if_no_stage_had_begun(grown: Path, report: Report) -> None:
    entry = replace(entries(grouped=False)[0], title="fay/sixth")
    rechained(grown, lambda facts: inserted(facts, events.Joined(0, entry)))
    resealed(grown)
    has(list(map(str, report(grown).findings)), "stage 0: the last that has begun is 1")
