"""Who decides at a ladder: what is played next, and what becomes of versions that fail."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final

from arena.app.conducting import Conducting
from arena.app.grounds import ladder_tables
from arena.ladder.matchmaking import Matchmaker
from arena.ladder.probation import ProbationRules
from arena.settings import Settings
from arena.storage.facts import Lease, Match, MatchKind, Report
from arena.storage.store import Store
from arena.tournament.ladder.discipline import Discipline, Rules
from arena.tournament.ladder.planning import LadderPlanner
from arena.tournament.ladder.ports import Judge, Planner, Tell

__all__ = ["Panel", "make_panel"]

_REMEMBERED: Final = 2000
"""Matches of the past that are told to whoever decides about the next ones."""
_PAGE: Final = 200


class _Both:
    """A `ports.Judge` of two."""

    def __init__(self, *judges: Judge) -> None:
        self._judges = judges

    def recorded(self, lease: Lease, report: Report) -> None:
        """See `ports.Judge`."""
        for judge in self._judges:
            judge.recorded(lease, report)

    def failed(self, lease: Lease) -> None:
        """See `ports.Judge`."""
        for judge in self._judges:
            judge.failed(lease)


class _Wakes:
    """A `ports.Judge` that has competitions look at what their matches have come to."""

    def __init__(self, conducting: Conducting) -> None:
        self._conducting = conducting

    def recorded(self, lease: Lease, report: Report) -> None:
        """See `ports.Judge`."""
        self._wake(lease)

    def failed(self, lease: Lease) -> None:
        """See `ports.Judge`."""
        self._wake(lease)

    def _wake(self, lease: Lease) -> None:
        if lease.new.kind is MatchKind.COMPETITION:
            self._conducting.wake()


@dataclass(frozen=True, slots=True)
class Panel:
    """Who decides; `is_reserved` says whether a competition has all places for itself."""

    planner: Planner
    judge: Judge
    is_reserved: Callable[[], bool]


def make_panel(settings: Settings, store: Store, tell: Tell, conducting: Conducting) -> Panel:
    """Who says what is played, and who hears of results.

    Raises:
        HostFault: the store cannot be read.
    """
    tables = ladder_tables(settings)
    matchmaker = Matchmaker(store.parameters, [one.table for one in tables])
    probation = settings.probation
    rules = ProbationRules(
        in_a_row=probation.in_a_row, forfeits=probation.forfeits, of_last=probation.of_last
    )
    discipline = Discipline(store.entrants, tables, tell, monotonic, Rules(probation=rules))
    planner = LadderPlanner(
        store.entrants, matchmaker, tables, random.SystemRandom(), discipline.next_check
    )
    past = _past(store)
    discipline.remember(past)
    discipline.find_held_back()
    planner.remember(past)
    judge = _Both(discipline, planner, _Wakes(conducting))
    return Panel(planner, judge, lambda: conducting.ladder_stands_still)


def _past(store: Store) -> Sequence[Match]:
    """The latest matches, the newest first."""
    found: list[Match] = []
    token = ""
    while len(found) < _REMEMBERED:
        page = store.matches.list(page_size=_PAGE, page_token=token)
        found += page.items
        token = page.next
        if not token:
            break
    return found
