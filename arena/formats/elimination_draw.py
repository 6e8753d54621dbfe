"""Who meets first in an elimination after groups: where it can be, nobody of the same group."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["apart"]


def apart(seeds: tuple[int, ...], groups: tuple[int, ...]) -> tuple[int, ...]:
    """The seeds so that no two of one group meet first, where the numbers allow it.

    Only those who are the worse in their first duel are exchanged, so that the better half stays
    where it is: first with those who had the same place in their groups, then, if that is not
    enough, with any, and each time with the nearest for whom it helps.

    Args:
        seeds: Entrants in the order of seeding.
        groups: By entrant, the group in which it was before; empty: there were none.
    """
    if not groups:
        return seeds
    size = 1 << (len(seeds) - 1).bit_length()
    worse = {place: size - 1 - place for place in range(size // 2, len(seeds))}
    draw = _Draw(seeds, groups, dict(zip(worse, worse, strict=True)), worse)
    for equals_only in (True, False):
        draw.improve(equals_only=equals_only)
    order = list(seeds)
    for place, taken in draw.taken.items():
        order[place] = seeds[taken]
    return tuple(order)


@dataclass(slots=True)
class _Draw:
    """Which of the worse sits where; `taken` is by place whose seed sits there."""

    seeds: tuple[int, ...]
    groups: tuple[int, ...]
    taken: dict[int, int]
    better: Mapping[int, int]
    ranks: dict[int, int] = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        seen: dict[int, int] = {}
        self.ranks = {}
        for place, entrant in enumerate(self.seeds):
            group = self.groups[entrant]
            self.ranks[place] = seen[group] = seen.get(group, 0) + 1

    def improve(self, *, equals_only: bool) -> None:
        """Part as many as possible by chains of exchanges, each the shortest there is."""
        for place in self.taken:
            if not self._fits(place, self.taken[place]):
                self._exchange(place, equals_only=equals_only)

    def _fits(self, place: int, seed: int) -> bool:
        upper = self.seeds[self.better[place]]
        return self.groups[upper] != self.groups[self.seeds[seed]]

    def _exchange(self, start: int, *, equals_only: bool) -> None:
        """Give `start` a seed that fits, its holder another, and so on round to the seed of start.

        A search in breadth: `reached` says, by place, from where it was come to.
        """
        reached = {start: start}
        queue = [start]
        for place in queue:
            if place != start and self._fits(place, self.taken[start]):
                self._shift(start, place, reached)
                return
            for other in sorted(self.taken, key=lambda one: (abs(one - place), one)):
                seed = self.taken[other]
                is_equal = self.ranks[seed] == self.ranks[self.taken[place]]
                if (
                    other not in reached
                    and self._fits(place, seed)
                    and (is_equal or not equals_only)
                ):
                    reached[other] = place
                    queue.append(other)

    def _shift(self, start: int, end: int, reached: Mapping[int, int]) -> None:
        """Every place on the way takes the seed of the next one; the last that of the start."""
        spare = self.taken[start]
        way = [end]
        while way[-1] != start:
            way.append(reached[way[-1]])
        way.reverse()
        for place, following in pairwise(way):
            self.taken[place] = self.taken[following]
        self.taken[end] = spare
