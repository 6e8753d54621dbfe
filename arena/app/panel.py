"""Who decides at a ladder: what is played next, and what becomes of versions that fail."""

from __future__ import annotations

import random
from collections.abc import Sequence
from time import monotonic
from typing import Final

from arena.app.grounds import ladder_tables
from arena.ladder.matchmaking import Matchmaker
from arena.ladder.probation import ProbationRules
from arena.settings import Settings
from arena.storage.facts import Lease, Match, Report
from arena.storage.store import Store
from arena.tournament.ladder.discipline import Discipline, Rules
from arena.tournament.ladder.planning import LadderPlanner
from arena.tournament.ladder.ports import Judge, Tell

__all__ = ["make_panel"]

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


def make_panel(settings: Settings, store: Store, tell: Tell) -> tuple[LadderPlanner, Judge]:
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
    return planner, _Both(discipline, planner)


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
