"""A server's store with competitions in it, whose matches are played by made-up reports."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from arena.storage.facts import Lease, Match, MatchKind, Moment, Receipt, Report
from arena.storage.store import Store, open_store
from arena.tournament.competition.conductor import Conductor
from arena.tournament.competition.freezing import Freezer, Roster
from arena.tournament.competition.keeping import Keeping, Kept
from arena.tournament.competition.state import Competition
from arena.tournament.verbs_competitions import CompetitionVerbs, Desk
from tests.storage.worlds import MINUTE, World, digest, report_on

__all__ = ["OPERATOR", "House", "Told", "house_in", "regulations"]

NOW = 1_800_000_000_000
OPERATOR: Final = "admin token 1f2e"
"""Who does what operators do, as a journal has it."""


@dataclass
class Clock:
    """Calendar time that a test sets."""

    now: int = NOW

    def __call__(self) -> Moment:
        return Moment(self.now)


@dataclass
class Told:
    """What was told for the log."""

    events: list[tuple[str, dict[str, object]]] = field(default_factory=list)

    def __call__(self, event: str, /, **facts: object) -> None:
        self.events.append((event, facts))


def regulations(*stages: str, name: str = "cup", more: str = "") -> str:
    """The text of a competition's file, with these tables of [[stage]]."""
    text = "\n".join(f"[[stage]]\n{stage}" for stage in stages)
    return f'name = "{name}"\ntitle = "The cup"\n{more}\n{text}\n'


@dataclass
class House:
    """A store, its competitions, and who has them go on."""

    store: Store
    clock: Clock
    told: Told = field(default_factory=Told)
    woken: int = 0

    def __post_init__(self) -> None:
        self.world = World(self.store)
        self.keeping = Keeping(self.store.competitions, self.clock)
        roster = Roster(self.store.entrants, self.store.standings, self.store.uploads)
        self.freezer = Freezer(roster)
        self.conductor = Conductor(self.keeping, self.freezer, self.clock, self.told, self._wake)
        desk = Desk(
            keeping=self.keeping,
            freezer=self.freezer,
            clock=self.clock,
            records=self.store.records,
        )
        self.desk = desk
        self.verbs = CompetitionVerbs(desk)

    def _wake(self) -> None:
        self.woken += 1

    def kept(self, name: str = "cup") -> Kept:
        """A competition as the store has it."""
        return self.keeping.find(name)

    def here(self, name: str = "cup") -> Competition:
        """The state of a competition."""
        return self.kept(name).competition

    def matches(self, name: str = "cup") -> Sequence[Match]:
        """All matches of a competition."""
        return self.store.competitions.page(self.kept(name).stored.number, 0, 100_000)

    def report(
        self, lease: Lease, winner: Callable[[Lease], int], forfeits: bool = False
    ) -> Report:
        """A report in which one team wins three quarters of the games."""
        best = winner(lease)
        plain = report_on(lease, [int(team != best) for team in range(len(lease.new.teams))])
        team_of = {seat: team for team, seats in enumerate(lease.new.teams) for seat in seats}
        seats = tuple(
            replace(one, shares=18.0 if team_of[seat] == best else 6.0)
            for seat, one in enumerate(plain.seats)
        )
        if forfeits:
            loser = next(seat for seat, team in team_of.items() if team != best)
            seats = tuple(
                replace(one, forfeit="CRASH" if seat == loser else "", shares=0.0)
                for seat, one in enumerate(seats)
            )
        return replace(plain, seats=seats, verdict="FORFEIT" if forfeits else "COMPLETED", games=24)

    def play(
        self,
        winner: Callable[[Lease], int],
        *,
        most: int = 10_000,
        name: str = "cup",
    ) -> int:
        """Play what waits, and what follows, until nothing does; how many matches that were."""
        played = 0
        self.conductor.step()
        while played < most:
            lease = self.store.matches.lease("worker", MINUTE, (MatchKind.COMPETITION,))
            if lease is None:
                before = self.here(name).length
                self.conductor.step()
                if self.here(name).length == before:
                    return played
                continue
            assert self.store.matches.record(self.report(lease, winner)) is Receipt.RECORDED
            played += 1
        return played

    def at_random(self, seed: int = 1) -> Callable[[Lease], int]:
        """Any team wins."""
        chance = random.Random(seed)
        return lambda lease: chance.randrange(len(lease.new.teams))

    def by_name(self, lease: Lease) -> int:
        """The team wins whose first entrant came first."""
        firsts = [min(lease.new.seats[seat].entrant for seat in team) for team in lease.new.teams]
        return firsts.index(min(firsts))


@contextmanager
def house_in(folder: Path, owners: int = 8) -> Iterator[House]:
    """A house in which owners o00, o01 and so on have a bot each."""
    clock = Clock()
    with open_store(folder / "data", clock) as store:
        house = House(store, clock)
        house.world.bots(*(f"o{number:02}" for number in range(owners)))
        clock.now += 1000
        yield house


RECORD = digest("a record")
