"""Who has which seat at its table: everybody each seat equally often.

Teams of one. Take every entrant's matches in bundles of as many as a table has seats, and colour
the graph of bundles and tables: a seat is a colour, no bundle and no table has one twice, and as
many colours as seats are enough (König 1916). So an entrant has no seat more than once oftener than
another one.

Larger teams. Each table in turn takes the order of teams, and of each team, that makes the sum of
squares of all counts the least, until nothing changes any more.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from typing import Final

from arena.formats.tables_search import Plan, Shape

__all__ = ["seated"]

_SWEEPS: Final = 4


def seated(plan: Plan, shape: Shape) -> Plan:
    """The same tables and teams, with everybody in its seat."""
    tables = [
        (number, row[start : start + shape.seats])
        for number, row in enumerate(plan)
        for start in range(0, len(row), shape.seats)
    ]
    members = [table for _, table in tables]
    members = _coloured(members, shape.seats) if shape.size == 1 else _turned(members, shape)
    result: Plan = [[] for _ in plan]
    for (number, _), table in zip(tables, members, strict=True):
        result[number] += table
    return result


def _coloured(tables: list[list[int]], seats: int) -> list[list[int]]:
    bundles = _Colouring(seats)
    sat = Counter[int]()
    for number, table in enumerate(tables):
        for entrant in table:
            bundles.add((entrant, sat[entrant] // seats), number)
            sat[entrant] += 1
    return [
        [bundles.at_table[number][seat][0] for seat in range(seats)]
        for number in range(len(tables))
    ]


_Bundle = tuple[int, int]
"""An entrant, and which bundle of its matches it is."""


class _Colouring:
    """A graph of bundles and tables, whose edges have one of so many colours."""

    def __init__(self, colours: int) -> None:
        self._colours = range(colours)
        self.at_table: dict[int, dict[int, _Bundle]] = {}
        self._of_bundle: dict[_Bundle, dict[int, int]] = {}

    def add(self, bundle: _Bundle, table: int) -> None:
        """Add an edge, and colour it."""
        here = self.at_table.setdefault(table, {})
        there = self._of_bundle.setdefault(bundle, {})
        own = next(one for one in self._colours if one not in there)
        free = next(one for one in self._colours if one not in here)
        if own in here:
            self._exchange(table, own, free)
        here[own] = bundle
        there[own] = table

    def _exchange(self, table: int, own: int, free: int) -> None:
        """Give every edge on the path from a table the other one of two colours.

        The path begins with `own`, and goes to bundles by that and on to tables by `free`. As the
        new edge's bundle has no `own`, the path never comes there.
        """
        path: list[tuple[int, _Bundle, int]] = []
        at, colour = table, own
        while (bundle := self.at_table[at].get(colour)) is not None:
            path.append((at, bundle, own))
            following = self._of_bundle[bundle].get(free)
            if following is None:
                break
            path.append((following, bundle, free))
            at = following
        for number, bundle, colour in path:
            del self.at_table[number][colour], self._of_bundle[bundle][colour]
        for number, bundle, colour in path:
            other = free if colour == own else own
            self.at_table[number][other] = bundle
            self._of_bundle[bundle][other] = number


def _turned(tables: list[list[int]], shape: Shape) -> list[list[int]]:
    size, teams = shape.size, len(shape.teams)
    turns = [
        tuple(team * size + one for team, inner in zip(order, inside, strict=True) for one in inner)
        for order in permutations(range(teams))
        for inside in product(permutations(range(size)), repeat=teams)
    ]
    counts = Counter[tuple[int, int]]()
    result = [list(table) for table in tables]
    is_changed = False
    for sweep in range(_SWEEPS):
        for table in result:
            if sweep:
                counts.subtract((entrant, seat) for seat, entrant in enumerate(table))
            # The sum of squares grows by 2c + 1 for a count of c.
            had = [[counts[entrant, seat] for seat in range(shape.seats)] for entrant in table]
            turn = min(turns, key=lambda turn: sum(had[one][at] for at, one in enumerate(turn)))
            is_changed |= turn != turns[0]
            table[:] = [table[one] for one in turn]
            counts.update((entrant, seat) for seat, entrant in enumerate(table))
        if not is_changed:
            break
        is_changed = False
    return result
