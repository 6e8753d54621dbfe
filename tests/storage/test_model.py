"""A long day of a ladder, step by step at random, beside a model that is a few dictionaries.

After each step what is stored is what the model says, and the promises hold: each match waits, is
being played, or has one result; the rating events are those of the results that count; and all
ratings follow from the ledger.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from sqlalchemy import func, select

from arena.errors import InputError
from arena.storage.attempts import MOST_FAILURES
from arena.storage.facts import (
    Attempt,
    AttemptState,
    EntryKind,
    Lease,
    MatchKind,
    MatchState,
    Receipt,
    Report,
    Version,
)
from arena.storage.schema import RATING_EVENTS, RESULTS
from arena.storage.store import Store
from tests.storage.conftest import FakeClock
from tests.storage.worlds import MINUTE, World, new_match, report_on

OWNERS = ("ada", "bob", "carl", "dora")


@dataclass
class Expected:
    """What the model holds of a match."""

    kind: MatchKind
    seats: int
    state: MatchState = MatchState.QUEUED
    failed: int = 0
    attempts: list[AttemptState] = field(default_factory=list)
    is_annulled: bool = False


class Day:
    """The store and its model, and the steps that both take."""

    def __init__(self, store: Store, clock: FakeClock, seed: int) -> None:
        self.store = store
        self.clock = clock
        self.world = World(store)
        self.chance = random.Random(seed)
        self.versions = dict(zip(OWNERS, self.world.bots(*OWNERS), strict=True))
        self.matches: dict[int, Expected] = {}
        self.leases: dict[int, Lease] = {}
        self.sent: list[Report] = []
        self.lost: list[Lease] = []
        self.widened = 0
        self.played: set[str] = set()
        self.done: Counter[str] = Counter()

    def step(self) -> None:
        """Take one of the steps that can be taken."""
        steps: list[Callable[[], object]] = [
            *[self.create] * 3, *[self.lease] * 4, *[self.report] * 5,
            self.void, self.release, self.time_passes, self.upload, self.annul, self.cancel,
            self.rerun, self.report_late, self.report_again, self.report_other, self.renew,
        ]  # fmt: skip
        chosen = self.chance.choice(steps)
        if chosen() is not False:
            self.done[chosen.__name__] += 1

    # -- steps: False for one that cannot be taken now ------------------------------------------

    def create(self) -> None:
        kind = self.chance.choice([MatchKind.RATED] * 3 + [MatchKind.CHALLENGE])
        number = self.chance.choice([2, 2, 2, 3, 4])
        some: list[Version] = self.chance.sample(list(self.versions.values()), number)
        match = self.store.matches.create(new_match(*some, kind=kind))
        self.matches[match] = Expected(kind, number)

    def lease(self) -> bool:
        waiting = [number for number, one in self.matches.items() if one.state is MatchState.QUEUED]
        lease = self.store.matches.lease("worker", MINUTE)
        assert (lease.match if lease else None) == min(waiting, default=None)
        if lease is None:
            return False
        one = self.matches[lease.match]
        one.state = MatchState.LEASED
        one.attempts.append(AttemptState.LEASED)
        assert lease.attempt == len(one.attempts)
        self.leases[lease.match] = lease
        return True

    def report(self) -> bool:
        lease = self._some_lease()
        if lease is None:
            return False
        ranks = [self.chance.randrange(3) for _ in lease.new.teams]
        forfeits = [0] if self.chance.random() < 0.2 else []
        verdict = "FORFEIT" if forfeits else "COMPLETED"
        report = report_on(lease, ranks, verdict=verdict, forfeits=forfeits)
        assert self.store.matches.record(report) is Receipt.RECORDED
        self.sent.append(report)
        del self.leases[lease.match]
        one = self.matches[lease.match]
        one.state = MatchState.DONE
        one.attempts[-1] = AttemptState.DONE
        return True

    def void(self) -> bool:
        lease = self._some_lease()
        if lease is None:
            return False
        report = report_on(lease, verdict="VOID", blamed=self.chance.choice([None, 0]))
        assert self.store.matches.record(report) is Receipt.RECORDED
        self.sent.append(report)
        self._fails(lease, AttemptState.VOID)
        return True

    def release(self) -> bool:
        lease = self._some_lease()
        if lease is None:
            return False
        counts = self.chance.random() < 0.5
        held = lease.match, lease.attempt, lease.token
        assert self.store.matches.release(*held, "the process is gone", counts=counts)
        self.lost.append(lease)
        self._fails(lease, AttemptState.VOID, counts=counts)
        return True

    def time_passes(self) -> bool:
        self.clock.advance(self.chance.randrange(2 * MINUTE))
        ended = {number: one for number, one in self.leases.items() if one.ends <= self.clock.now}
        expired = self.store.matches.expire()
        assert expired == tuple(sorted((one.match, one.attempt) for one in ended.values()))
        for lease in ended.values():
            self.lost.append(lease)
            self._fails(lease, AttemptState.LOST)
        return bool(ended)

    def renew(self) -> bool:
        lease = self._some_lease()
        if lease is None:
            return False
        assert self.store.matches.renew(lease.match, lease.attempt, lease.token, MINUTE)
        ends = max(lease.ends, self.clock() + MINUTE)
        self.leases[lease.match] = replace(lease, ends=type(lease.ends)(ends))
        return True

    def upload(self) -> None:
        owner = self.chance.choice(OWNERS)
        entrant = self.store.entrants.find(owner, "bot")
        assert entrant is not None
        self.widened += entrant.last_entry > 0
        label = f"{len(self.matches)} {self.clock.now} {self.chance.random()}"
        self.versions[owner] = self.world.upload(owner, label=label)

    def annul(self) -> bool:
        rated = [
            number
            for number, one in self.matches.items()
            if one.state is MatchState.DONE and one.kind is MatchKind.RATED and not one.is_annulled
        ]
        if len(rated) < 4:
            return False
        number = self.chance.choice(rated)
        self.store.ledger.annul(number, "a test")
        self.matches[number].is_annulled = True
        return True

    def cancel(self) -> bool:
        if self.chance.random() < 0.5 or not self.matches:
            return False
        number = self.chance.choice(sorted(self.matches))
        one = self.matches[number]
        if one.state in (MatchState.DONE, MatchState.CANCELLED):
            with pytest.raises(InputError, match=f"match {number}: is {one.state}"):
                self.store.matches.cancel(number, "a test")
            return False
        self.store.matches.cancel(number, "a test")
        one.state = MatchState.CANCELLED
        if number in self.leases:
            self.lost.append(self.leases.pop(number))
            one.attempts[-1] = AttemptState.VOID
        return True

    def rerun(self) -> bool:
        aside = [one for one in self.matches if self.matches[one].state is MatchState.SET_ASIDE]
        if not aside:
            return False
        self.store.matches.rerun(aside[0])
        self.matches[aside[0]].state = MatchState.QUEUED
        self.matches[aside[0]].failed = 0
        return True

    def report_late(self) -> bool:
        if not self.lost:
            return False
        lease = self.chance.choice(self.lost)
        assert self.store.matches.record(report_on(lease)) is Receipt.STALE
        assert not self.store.matches.renew(lease.match, lease.attempt, lease.token, MINUTE)
        return True

    def report_again(self) -> bool:
        if not self.sent:
            return False
        assert self.store.matches.record(self.chance.choice(self.sent)) is Receipt.DUPLICATE
        return True

    def report_other(self) -> bool:
        if not self.sent:
            return False
        other = replace(self.chance.choice(self.sent), why="something else")
        assert self.store.matches.record(other) is Receipt.CONFLICT
        return True

    # -- what has to hold -----------------------------------------------------------------------

    def check(self) -> None:
        """Compare the store with the model, and see the promises kept."""
        listed = self.store.matches.list(page_size=1000).items
        assert {one.number for one in listed} == set(self.matches)
        for match in listed:
            one = self.matches[match.number]
            assert match.state is one.state
            assert [attempt.state for attempt in match.attempts] == one.attempts
            assert (match.result is not None) is (one.state is MatchState.DONE)
            open_ones: list[Attempt] = [
                attempt for attempt in match.attempts if attempt.state is AttemptState.LEASED
            ]
            assert len(open_ones) == (one.state is MatchState.LEASED)
        self._check_events()
        rebuilt = self.store.ledger.rebuild(write=False)
        assert rebuilt.examples == ()
        assert rebuilt.different == 0

    def _check_events(self) -> None:
        done = [one for one in self.matches.values() if one.state is MatchState.DONE]
        rated = [one for one in done if one.kind is MatchKind.RATED]
        count = sum(one.seats for one in rated if not one.is_annulled)
        with self.store.database.reading() as connection:
            results = connection.scalar(select(func.count()).select_from(RESULTS))
            events = connection.scalar(select(func.count()).select_from(RATING_EVENTS))
        kinds = Counter(one.kind for one in self.store.ledger.entries(1000).items)
        assert results == len(done)
        assert kinds[EntryKind.RESULT] == len(rated)
        assert kinds[EntryKind.ANNULMENT] == sum(one.is_annulled for one in rated)
        assert kinds[EntryKind.VERSION] == self.widened
        assert events == count + self.widened
        assert sum(one.matches for one in self.store.entrants.list().items) == count

    def _some_lease(self) -> Lease | None:
        return self.chance.choice(list(self.leases.values())) if self.leases else None

    def _fails(self, lease: Lease, state: AttemptState, *, counts: bool = True) -> None:
        one = self.matches[lease.match]
        one.attempts[-1] = state
        one.failed += counts
        is_poison = one.failed >= MOST_FAILURES
        one.state = MatchState.SET_ASIDE if is_poison else MatchState.QUEUED
        del self.leases[lease.match]


@pytest.mark.parametrize("seed", [1, 5, 6])
def test_a_long_day(store: Store, clock: FakeClock, seed: int) -> None:
    day = Day(store, clock, seed)
    is_quick = store.database.is_sqlite
    for _ in range(200 if is_quick else 60):
        day.step()
        day.check()
    # It was a day on which things happened.
    assert day.done["report"] > 1
    if is_quick:
        assert set(day.done) >= {
            "annul", "cancel", "create", "lease", "release", "renew", "report", "report_again",
            "report_late", "report_other", "time_passes", "upload", "void",
        }  # fmt: skip
