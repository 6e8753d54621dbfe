"""Versions that fail: probation, checks and the way back, and quarantine for void attempts."""

from __future__ import annotations

import random
from itertools import count
from typing import Any

import pytest

from arena.ladder.matchmaking import Matchmaker
from arena.ladder.pairing import Table
from arena.ladder.rating import Parameters
from arena.storage.facts import (
    Lease,
    MatchKind,
    Moment,
    NewMatch,
    Report,
    Seat,
    SeatReport,
    VersionState,
)
from arena.tournament.ladder.discipline import Discipline
from arena.tournament.ladder.planning import LadderPlanner, LadderTable
from tests.tournament.ladder.house import EXPRESS, House

NOW = Moment(0)
GOOD = Report(
    match=1,
    attempt=1,
    token="",
    verdict="COMPLETED",
    why="",
    ranks=(0, 1),
    seats=(SeatReport(points=1, wins=1.0), SeatReport(points=0, wins=0.0)),
    games=1,
    record="",
    head="",
    started=NOW,
    ended=NOW,
    machine_time=0,
)
TABLES = [LadderTable(Table(name="express-2", ruleset="express", teams=((0,), (1,))), EXPRESS)]


class Court:
    """A house whose planner and judge are the real ones."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.make()

    def make(self) -> None:
        """As a server does at its start."""
        house = self.house
        self.discipline = Discipline(house.entrants, TABLES, house.tell, house.hours.monotonic)
        matchmaker = Matchmaker(Parameters(), [one.table for one in TABLES])
        self.planner = LadderPlanner(
            house.entrants, matchmaker, TABLES, random.Random(1), self.discipline.next_check
        )
        past = house.book.list().items
        self.discipline.remember(past)
        self.discipline.find_held_back()
        self.planner.remember(past)
        house.director = house.make_director(planner=self.planner, judge=self)

    def recorded(self, lease: Any, report: Any) -> None:
        self.discipline.recorded(lease, report)
        self.planner.recorded(lease, report)

    def failed(self, lease: Any) -> None:
        self.discipline.failed(lease)

    def play(self, **how: Any) -> NewMatch:
        """Have the match that is next end like this."""
        house = self.house
        for _ in range(4000):
            house.director.step()
            if house.crew.open:
                break
            house.hours.wait(5)
        new = house.match(house.crew.job.rated.match)
        loser = how.pop("loser", None)
        seats = [seat.version for seat in new.seats]
        forfeit = seats.index(loser) if loser in seats else None
        verdict = how.pop("verdict", "COMPLETED" if forfeit is None else "FORFEIT")
        house.crew.finish(verdict=verdict, forfeit=forfeit, **how)
        house.director.step()
        house.director.step()
        return NewMatch(
            kind=new.kind, table=new.table, seats=new.seats, teams=new.teams, terms=new.terms,
            cause=new.cause,
        )  # fmt: skip

    def state(self, version: int) -> VersionState:
        found = self.house.entrants.version(version)
        assert found is not None
        return found.state


@pytest.fixture
def court(house: House) -> Court:
    return Court(house)


def test_the_planner_pairs_those_who_may_play(court: Court) -> None:
    new = court.play()
    assert new.kind is MatchKind.RATED
    assert {seat.version for seat in new.seats} == {seat.version for seat in court.house.seats}
    assert new.cause.startswith(("ada/mine", "bob/mine"))
    court.house.entrants.pause(court.house.seats[0].entrant, "holidays")
    court.house.crew.finish()
    court.house.wait(30)
    assert court.house.crew.open == []


def test_a_version_that_keeps_failing_is_checked_and_comes_back(court: Court) -> None:
    bad = court.house.seats[1].version
    for _ in range(3):
        assert court.state(bad) is VersionState.ACTIVE
        court.play(loser=bad)
    assert court.state(bad) is VersionState.PROBATION
    found = court.house.entrants.version(bad)
    assert found is not None
    assert found.why.startswith("it has forfeited its last 3 matches")
    check = court.play(loser=bad)
    assert check.kind is MatchKind.CHECK
    assert {seat.version for seat in check.seats} == {bad}
    assert court.state(bad) is VersionState.PROBATION
    before = court.house.hours.now
    assert court.play().kind is MatchKind.CHECK
    assert court.house.hours.now - before >= 55  # not at once again
    assert court.state(bad) is VersionState.ACTIVE
    # What it did before it has passed counts no more.
    assert court.play(loser=bad).kind is MatchKind.RATED
    assert court.state(bad) is VersionState.ACTIVE


def test_what_was_before_a_restart_is_remembered(court: Court) -> None:
    bad = court.house.seats[1].version
    for _ in range(2):
        court.play(loser=bad)
    court.house.crew.jobs.clear()
    court.make()
    court.play(loser=bad)
    assert court.state(bad) is VersionState.PROBATION
    court.house.crew.jobs.clear()
    court.make()
    while court.play().kind is not MatchKind.CHECK:
        pass
    assert court.state(bad) is VersionState.ACTIVE


def test_a_void_check_says_nothing(court: Court) -> None:
    bad = court.house.seats[1].version
    for _ in range(3):
        court.play(loser=bad)
    assert court.play(verdict="VOID").kind is MatchKind.CHECK
    assert court.state(bad) is VersionState.PROBATION
    assert court.play().kind is MatchKind.CHECK
    assert court.state(bad) is VersionState.ACTIVE


def test_whoever_kills_the_process_that_plays_is_found_out(court: Court) -> None:
    """F10: no report says whose fault it was, and being killed is a void all the same."""
    house = court.house
    house.seats += [house.enter(owner) for owner in ("cleo", "dan", "eve")]
    bad = house.seats[1].version
    for _ in range(400):
        house.director.step()
        if not house.crew.open:
            house.hours.wait(5)
            continue
        versions = [seat.version for seat in house.match(house.crew.job.rated.match).seats]
        (house.crew.lose if bad in versions else house.crew.finish)()
        house.director.step()
        if court.state(bad) is VersionState.QUARANTINED:
            break
    assert court.state(bad) is VersionState.QUARANTINED
    assert {court.state(seat.version) for seat in house.seats if seat.version != bad} == {
        VersionState.ACTIVE
    }
    found = house.entrants.version(bad)
    assert found is not None
    assert found.voids >= 3
    assert "version quarantined" in house.alerts
    # What is known is known after a restart, also if nobody had looked before.
    house.entrants.set_version_state(bad, VersionState.ACTIVE)
    court.make()
    assert court.state(bad) is VersionState.QUARANTINED


def test_whoever_ruins_all_that_is_played_is_found_out(court: Court) -> None:
    """F10: with nothing that goes well in between, as where a new bot is in every match."""
    house = court.house
    ada, bob = house.seats
    cleo, dan = (house.enter(owner) for owner in ("cleo", "dan"))
    matches = 0
    while court.state(bob.version) is VersionState.ACTIVE and matches < 12:
        house.seats = [bob, (ada, cleo, dan)[matches % 3]]
        (number,) = house.queue()
        for _ in range(3):
            house.wait(60)
            assert house.crew.job.rated.match == number
            house.crew.lose()
            house.steps(2)
        matches += 1
    assert court.state(bob.version) is VersionState.QUARANTINED
    assert {court.state(one.version) for one in (ada, cleo, dan)} == {VersionState.ACTIVE}
    assert matches < 12
    house.entrants.set_version_state(bob.version, VersionState.ACTIVE)
    court.make()
    assert court.state(bob.version) is VersionState.QUARANTINED


def test_an_owner_whose_bots_take_turns_in_it_is_found_out(court: Court) -> None:
    """F10: voids are counted by owner as well, or many bots would hide what each does seldom."""
    house = court.house
    good = [*house.seats, *(house.enter(owner) for owner in ("cleo", "dan", "fay", "gus"))]
    bad = [house.enter("eve", f"bot-{number}") for number in range(6)]
    numbers = count(1)

    def lease(*seats: Seat) -> Lease:
        new = NewMatch(
            kind=MatchKind.RATED, table="express-2", seats=seats, teams=((0,), (1,)), terms={}
        )
        return Lease(
            match=next(numbers), attempt=1, token="", seed=b"", commitment="", ends=NOW, new=new
        )

    for number, one in enumerate(bad * 2):
        court.discipline.failed(lease(one, good[number % 6]))
        for other in range(4):
            seats = (good[(number + other) % 6], good[(number + other + 1) % 6])
            court.discipline.recorded(lease(*seats), GOOD)
    states = [court.state(one.version) for one in bad]
    assert states.count(VersionState.QUARANTINED) >= 3
    assert {court.state(one.version) for one in good} == {VersionState.ACTIVE}
    found = house.entrants.version(bad[0].version)
    assert found is not None
    assert found.why.startswith("of all bots of its owner ")


def test_what_does_not_come_of_playing_is_no_void(court: Court) -> None:
    """A server that is ended or shut down, or an operator, makes nobody suspicious."""
    house = court.house
    ada, bob = house.seats
    house.enter("cleo")
    for _ in range(12):
        lease = house.book.lease_new(house.new_match(), "here", 60_000)
        assert house.book.release(lease.match, lease.attempt, lease.token, "the server was ended")
        assert house.book.cancel(lease.match, "enough").attempts[0].of_play is False
    court.make()
    for seat in (ada, bob):
        found = house.entrants.version(seat.version)
        assert found is not None
        assert (found.state, found.voids) == (VersionState.ACTIVE, 0)


def test_who_is_in_too_many_void_attempts_is_quarantined(court: Court) -> None:
    house = court.house
    house.seats += [house.enter(owner) for owner in ("cleo", "dan", "eve")]
    bad = house.seats[1].version
    rng = random.Random(2)
    for _ in range(200):
        house.director.step()
        if not house.crew.open:
            house.hours.wait(5)
            continue
        versions = [seat.version for seat in house.match(house.crew.job.rated.match).seats]
        is_void = bad in versions and rng.random() < 0.5
        house.crew.finish(verdict="VOID" if is_void else "COMPLETED")
        house.director.step()
        if court.state(bad) is VersionState.QUARANTINED:
            break
    assert court.state(bad) is VersionState.QUARANTINED
    assert {court.state(seat.version) for seat in house.seats if seat.version != bad} == {
        VersionState.ACTIVE
    }
    assert "version quarantined" in house.alerts
