"""A long day of two competitions, step by step at random, beside a model of a few dictionaries.

After each step matches stand as the model says, lists show what may be seen, and the journals are
as long as they should be. In the end all promises hold, and no rating has moved.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from arena.storage.attempts import MOST_ATTEMPTS, MOST_FAILURES, competition_seed
from arena.storage.check import check_data
from arena.storage.competitions import JournalChange
from arena.storage.facts import Lease, Level, MatchState, NewMatch, Receipt
from arena.storage.matchlist import Filters
from arena.storage.store import Store
from tests.storage.conftest import FakeClock
from tests.storage.test_check import Whole
from tests.storage.test_competitions import SECRET, paired
from tests.storage.worlds import MINUTE, new_match

SEED = 5
STEPS = 100
OVER = (MatchState.DONE, MatchState.CANCELLED)


@dataclass
class Expected:
    """What the model holds of a match; `competition` is 0 for a rated one."""

    competition: int
    state: MatchState = MatchState.QUEUED
    failed: int = 0
    attempts: int = 0

    def fail(self, *, counts: bool = True) -> None:
        self.failed += counts or self.attempts >= MOST_ATTEMPTS
        is_poison = self.failed >= MOST_FAILURES
        self.state = MatchState.SET_ASIDE if is_poison else MatchState.QUEUED


@dataclass
class Plan:
    """What the model holds of a competition."""

    level: Level = Level.HIDDEN
    paused: bool = False
    over: bool = False
    lines: int = 1
    announced: list[str] = field(default_factory=list)


class Day:
    """The store and its model, and the steps that both take."""

    def __init__(self, store: Store, clock: FakeClock, seed: int) -> None:
        self.store = store
        self.clock = clock
        self.world = Whole(store)
        self.chance = random.Random(seed)
        self.bots = self.world.bots("ann", "bob", "cid")
        self.plans = {}
        for name in ("cup", "league"):
            made = store.competitions.create(name, [b"opened"], SECRET)
            self.plans[made.number] = Plan()
        self.matches: dict[int, Expected] = {}
        self.leases: dict[int, Lease] = {}
        self.done: Counter[str] = Counter()

    def step(self) -> None:
        steps: list[Callable[[], object]] = [
            *[self.announce] * 3, *[self.lease] * 8, *[self.report] * 3, *[self.fail] * 5,
            *[self.withdraw] * 2, *[self.change] * 2, *[self.rerun] * 3, self.rate,
            self.time_passes, self.cancel, self.void, self.be_late,
        ]  # fmt: skip
        chosen = self.chance.choice(steps)
        if chosen() is not False:
            self.done[chosen.__name__] += 1

    # -- steps: False for one that cannot be taken now ------------------------------------------

    def rate(self) -> None:
        number = self.store.matches.create(new_match(*self.bots))
        self.matches[number] = Expected(0)

    def announce(self) -> None:
        competition, plan = self._some_plan()
        news: list[NewMatch] = []
        for _ in range(self.chance.randrange(1, 4)):
            pairing = f"1/{len(plan.announced)}/1"
            plan.announced.append(pairing)
            news.append(paired(competition, pairing, *self.chance.sample(self.bots, 2)))
        for number in self._append(competition, JournalChange(matches=tuple(news))):
            self.matches[number] = Expected(competition)

    def change(self) -> None:
        competition, plan = self._some_plan()
        plan.level = self.chance.choice(list(Level))
        plan.paused, plan.over = self.chance.random() < 0.3, self.chance.random() < 0.2
        change = JournalChange(level=plan.level, paused=plan.paused, over=plan.over)
        assert self._append(competition, change) == ()

    def withdraw(self) -> bool:
        competition, _ = self._some_plan()
        own = [number for number, one in self.matches.items() if one.competition == competition]
        some = self.chance.sample(own, min(len(own), 2))
        self._append(competition, JournalChange(cancel=tuple((one, "left") for one in some)))
        for number in some:
            self._gone(number)
        return bool(some)

    def lease(self) -> bool:
        waiting = [
            number
            for number, one in self.matches.items()
            if one.state is MatchState.QUEUED
            and not (one.competition and self.plans[one.competition].paused)
        ]
        lease = self.store.matches.lease("worker", MINUTE)
        assert (lease.match if lease else None) == min(waiting, default=None)
        if lease is None:
            return False
        one = self.matches[lease.match]
        one.state, one.attempts = MatchState.LEASED, one.attempts + 1
        assert lease.attempt == one.attempts
        right = competition_seed(SECRET, "", lease.new.pairing, lease.attempt)
        assert (lease.seed == right) == bool(one.competition)
        self.leases[lease.match] = lease
        return True

    def report(self) -> bool:
        lease = self._some_lease()
        if lease is None:
            return False
        assert self.world.report(lease, forfeits=self.chance.choice([(), (0,)])) is Receipt.RECORDED
        self.matches[lease.match].state = MatchState.DONE
        return True

    def fail(self) -> bool:
        lease = self._some_lease()
        if lease is None:
            return False
        counts = True
        if self.chance.random() < 0.5:
            assert self.world.report(lease, verdict="VOID", blamed=1) is Receipt.RECORDED
        else:
            counts = self.chance.random() < 0.7
            own = lease.match, lease.attempt, lease.token
            assert self.store.matches.release(*own, "the engine is gone", counts=counts)
        self.matches[lease.match].fail(counts=counts)
        return True

    def time_passes(self) -> None:
        self.clock.advance(2 * MINUTE)
        gone = [(lease.match, lease.attempt) for lease in self.leases.values()]
        assert self.store.matches.expire() == tuple(sorted(gone))
        for number in list(self.leases):
            self.matches[number].fail()
            del self.leases[number]

    def cancel(self) -> bool:
        number = self._some_match(lambda state: state not in OVER)
        if number:
            self.store.matches.cancel(number, "enough")
            self._gone(number)
        return bool(number)

    def void(self) -> bool:
        lease = self._some_lease()
        if lease is not None:
            self.store.matches.void(lease.match, "a cable was pulled")
            self.matches[lease.match].fail(counts=False)
        return lease is not None

    def rerun(self) -> bool:
        number = self._some_match(lambda state: state is MatchState.SET_ASIDE)
        if number:
            self.store.matches.rerun(number)
            self.matches[number].state, self.matches[number].failed = MatchState.QUEUED, 0
        return bool(number)

    def be_late(self) -> None:
        competition, plan = self._some_plan()
        change = JournalChange(level=Level.PUBLIC, paused=False, over=True)
        own = self.store.competitions
        assert own.append(competition, plan.lines - 1, [b"too late"], change) is None

    # -- inside ---------------------------------------------------------------------------------

    def _append(self, competition: int, change: JournalChange) -> tuple[int, ...]:
        plan = self.plans[competition]
        line = b"line %d" % plan.lines
        done = self.store.competitions.append(competition, plan.lines, [line], change)
        assert done is not None
        plan.lines += 1
        return done.numbers

    def _some_plan(self) -> tuple[int, Plan]:
        return self.chance.choice(list(self.plans.items()))

    def _some_lease(self) -> Lease | None:
        if not self.leases:
            return None
        return self.leases.pop(self.chance.choice(list(self.leases)))

    def _some_match(self, fits: Callable[[MatchState], bool]) -> int:
        numbers = [number for number, one in self.matches.items() if fits(one.state)]
        return self.chance.choice(numbers) if numbers else 0

    def _gone(self, number: int) -> None:
        one = self.matches[number]
        if one.state not in OVER:
            one.state = MatchState.CANCELLED
            self.leases.pop(number, None)

    # -- what has to hold after each ------------------------------------------------------------

    def check(self) -> None:
        for competition, plan in self.plans.items():
            own = {n: one for n, one in self.matches.items() if one.competition == competition}
            found = self.store.competitions.page(competition, 0, 10_000)
            assert [(one.number, one.state) for one in found] == [
                (number, one.state) for number, one in sorted(own.items())
            ]
            assert {one.hidden for one in found} <= {plan.level is not Level.PUBLIC}
            are_open = self.store.competitions.open_runs(competition).values()
            assert sorted(one.match for one in are_open) == [
                number for number, one in sorted(own.items()) if one.state not in OVER
            ]
            assert len(self.store.competitions.journal(competition)) == plan.lines
        shown = [
            number
            for number, one in sorted(self.matches.items(), reverse=True)
            if not one.competition or self.plans[one.competition].level is Level.PUBLIC
        ]
        assert [one.number for one in self.store.matches.list(page_size=1000).items] == shown
        every = self.store.matches.list(Filters(with_hidden=True), 1000).items
        assert len(every) == len(self.matches)
        running = [one.number for one in self.store.competitions.running()]
        assert running == [number for number, plan in self.plans.items() if not plan.over]


def test_a_long_day(store: Store, url: str, clock: FakeClock, tmp_path: Path) -> None:
    day = Day(store, clock, SEED)
    for _ in range(STEPS):
        day.step()
        day.check()
    assert len(day.done) == 12  # every kind of step was taken
    assert check_data(tmp_path / "data", url=url).violations == ()
    done = [one for one in day.matches.values() if one.state is MatchState.DONE]
    rated = sum(not one.competition for one in done)
    assert len(store.ledger.entries(1000).items) == rated < len(done)
    assert store.ledger.rebuild(write=False).different == 0
