"""How evenly a schedule treats everybody, counted from its pairings and said in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from arena.formats.story import Pairing

__all__ = ["Balance", "Range", "balance"]

_K = TypeVar("_K")
_Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Range:
    """The fewest and the most of something."""

    fewest: int
    most: int

    @property
    def spread(self) -> int:
        """By how much they differ; 0: all are equal."""
        return self.most - self.fewest

    def __str__(self) -> str:
        return str(self.most) if not self.spread else f"{self.fewest} to {self.most}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """How often everybody plays, and everybody meets everybody.

    Attributes:
        sittings: Matches of an entrant.
        meetings: How often two entrants are at one table.
        partners: How often two are in one team.
        opponents: How often two are against each other.
        seats: How often an entrant has a seat, over all entrants and seats.
        teams_of_one: Nobody has partners, so all who meet are opponents.
    """

    sittings: Range
    meetings: Range
    partners: Range
    opponents: Range
    seats: Range
    teams_of_one: bool

    @property
    def is_even(self) -> bool:
        """Nothing differs by more than one, which is as even as numbers that do not divide get."""
        kinds = (self.sittings, self.meetings, self.partners, self.opponents, self.seats)
        return all(one.spread <= 1 for one in kinds)

    def __str__(self) -> str:
        met = (
            f"two entrants meet: {self.meetings}"
            if self.teams_of_one
            else f"two entrants are partners: {self.partners}, opponents: {self.opponents}"
        )
        return f"matches of an entrant: {self.sittings}; {met}; times in a seat: {self.seats}"


def balance(pairings: Iterable[Pairing], entrants: int) -> Balance:
    """Count a schedule; byes count for nothing.

    Args:
        pairings: The schedule.
        entrants: How many there are, from 0, whether they are in it or not; two or more.
    """
    tables = [pairing for pairing in pairings if not pairing.is_bye]
    everybody = range(entrants)
    pairs = list(combinations(everybody, 2))
    sittings, partners, opponents = Counter[int](), Counter[_Pair](), Counter[_Pair]()
    seats = Counter[tuple[int, int]]()
    for table in tables:
        members = table.entrants
        sittings.update(members)
        seats.update((entrant, seat) for seat, entrant in enumerate(members))
        together = [pair for team in table.teams for pair in combinations(sorted(team), 2)]
        partners.update(together)
        opponents.update(combinations(sorted(members), 2))
        opponents.subtract(together)
    places = range(max((len(table.entrants) for table in tables), default=1))
    return Balance(
        sittings=_range(sittings, everybody),
        meetings=_range(partners + opponents, pairs),
        partners=_range(partners, pairs),
        opponents=_range(opponents, pairs),
        seats=_range(seats, [(entrant, seat) for entrant in everybody for seat in places]),
        teams_of_one=not any(partners.values()),
    )


def _range(counts: Mapping[_K, int], keys: Iterable[_K]) -> Range:
    values = [counts.get(key, 0) for key in keys]
    return Range(min(values), max(values))
