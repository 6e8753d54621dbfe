"""Competitions on a real server that is killed: nothing is lost, doubled, or seen too early."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from arena.storage.facts import AttemptState
from arena.tournament.competition import events
from arena.tournament.competition.journal import ITSELF
from tests.e2e.cups import Cup
from tests.faults.site import Site, building

pytestmark = pytest.mark.slow

SEED: Final = 20_261_130

BEGINNING: Final = """\
name = "cup"
title = "Cup"

[game]
ruleset = "express"
players = {players}
boards = 1
hands = 1

[limits]
window = "prompt"
response_window = 30
start_up = 100
turn = 60

[entrants]
most = 8
seeding = "lot"

[release]
during = "{level}"

"""
KNOCK_OUT: Final = """\
[[stage]]
name = "Swiss"
format = "swiss"
rounds = 3
advance = 2

[[stage]]
name = "Final"
format = "elimination"
"""
TABLES: Final = """\
[[stage]]
name = "Tables"
format = "tables"
rounds = 4
advance = 4

[[stage]]
name = "Final tables"
format = "complete"
"""
ROUND_ROBIN: Final = """\
[[stage]]
name = "League"
format = "round-robin"
"""
SCHEDULE: Final = """\
[schedule]
opens = {opens}
freeze = {freeze}
start = {start}
release = {release}
grace = 1

"""
SIX: Final = [f"owner{number}/bot{number}" for number in range(6)]


@pytest.fixture
def site() -> Iterator[Site]:
    with building() as site:
        yield site


def begun(site: Site, text: str, titles: Sequence[str]) -> Cup:
    """A cup that is played by these bots."""
    cup = Cup(site, text)
    cup.settle(titles)
    cup.start()
    cup.organise("open")
    enter(cup, titles)
    cup.organise("freeze")
    cup.wait(lambda: cup.progress().phase == "frozen")
    cup.organise("start")
    return cup


def enter(cup: Cup, titles: Sequence[str]) -> None:
    for title in titles:
        owner, _, bot = title.partition("/")
        with cup.site.client(owner) as client:
            client.competitions.enter(cup.name, bot)


def finished(cup: Cup) -> None:
    """The cup is played to its end, proven, and looked at."""
    cup.wait(lambda: cup.progress().is_played)
    commitment = cup.state().commitment
    head = cup.organise("finish")["head"]
    _, verified = cup.archived(head, commitment)
    assert verified["findings"] == []
    assert verified["phase"] == "finished"
    assert verified["head"] == head
    assert not cup.server.told("mistake"), cup.last_words()
    cup.end()
    assert cup.wrong() == []


@pytest.mark.parametrize(
    ("stages", "players"), [(KNOCK_OUT, 2), (TABLES, 3)], ids=["knock-out", "tables"]
)
def test_a_competition_goes_on_after_its_server_was_killed(
    site: Site, stages: str, players: int
) -> None:
    cup = begun(site, BEGINNING.format(players=players, level="public") + stages, SIX)
    cup.wait(lambda: cup.progress().decided >= 2)
    gone = cup.disqualify_last()
    stage, again = cup.play_again()
    cup.kill()
    cup.wait(lambda: cup.progress().is_played)
    here = cup.state()
    assert [here.entries[number].title for number in here.out] == [gone]
    assert here.stages[stage - 1].runs[again.key] == 2
    assert len(here.stages) == 2
    finished(cup)


def test_killed_five_times_at_random_moments_it_is_played_and_nobody_sees_how(
    site: Site,
) -> None:
    chance = random.Random(SEED)
    text = BEGINNING.format(players=2, level="hidden") + ROUND_ROBIN
    cup = begun(site, text, SIX)
    for _ in range(5):
        time.sleep(chance.uniform(0, 3))  # the moment is what is tried, not waited for
        assert cup.leaks() == []
        cup.kill()
    cup.wait(lambda: cup.progress().is_played)
    assert cup.leaks() == []
    assert cup.leaks("owner0") == []
    assert len(cup.played(1)) == len(cup.matches()) == 15
    lost = [one for match, _ in cup.matches() for one in match.attempts]
    assert {one.state for one in lost} <= {AttemptState.DONE, AttemptState.VOID, AttemptState.LOST}
    finished(cup)
    assert len(cup.restarts) == 5


def test_its_schedule_opens_freezes_starts_and_releases_it(site: Site) -> None:
    """Also what was to happen while no server ran: that happens as soon as one does."""
    plain = BEGINNING.format(players=2, level="hidden") + ROUND_ROBIN
    cup = Cup(site, plain)
    cup.settle(SIX[:4])
    cup.start()
    now = datetime.now(UTC).replace(microsecond=0)
    after = {"opens": 4, "freeze": 15, "start": 20, "release": 35}
    moments = {name: now + timedelta(seconds=seconds) for name, seconds in after.items()}
    written = SCHEDULE.format(**{name: one.isoformat() for name, one in moments.items()})
    cup.file.write_text(plain.replace("[release]", f"{written}[release]"))
    cup.organise("open")
    cup.wait(lambda: cup.progress().phase == "open")
    enter(cup, SIX[:4])
    cup.wait(lambda: cup.progress().phase == "frozen")
    cup.fetch()
    cup.server.kill_all()
    while datetime.now(UTC) < moments["start"]:
        time.sleep(0.1)
    cup.start()
    cup.wait(lambda: cup.progress().is_played)
    assert cup.leaks() == []
    head = cup.organise("finish")["head"]
    cup.wait(lambda: any(isinstance(one.event, events.Released) for one in cup.fetch()))
    assert cup.leaks() != []

    lines = cup.fetch()
    by_kind = {type(line.event): line for line in lines}
    for kind, name in (
        (events.Opened, "opens"),
        (events.Closed, "freeze"),
        (events.Started, "start"),
        (events.Released, "release"),
    ):
        assert by_kind[kind].who == ITSELF
        assert by_kind[kind].at >= moments[name].timestamp() * 1000
    closed = by_kind[events.Closed].event
    assert isinstance(closed, events.Closed)
    assert closed.moment == moments["freeze"].timestamp() * 1000
    _, verified = cup.archived(head, cup.state().commitment)
    assert verified["findings"] == []
    cup.end()
    assert cup.wrong() == []
