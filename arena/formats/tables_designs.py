"""Schedules that are as even as can be by their construction, and one to begin a search with.

residues    n a power of a prime, n - 1 a multiple of the seats: tables are the cosets of roots of
            unity, and every round adds another element of the field (Bose 1939; for two against
            two this is Baker's whist tournament). In n rounds everybody rests once and meets
            everybody equally often, beside and against.
slopes      entrants in a grid with a column for each seat: a table is a line, and every round has
            lines of another slope. Nobody meets anybody twice (an affine plane, if the grid is
            square).
starters    one round, found beforehand, from which the others follow by counting on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import gcd
from typing import Final

from arena.formats.tables_search import Plan, Shape
from arena.formats.tables_starters import STARTERS

__all__ = ["GaloisField", "designs", "field_of"]


class GaloisField:
    """The field of `order` elements, which are numbers from 0; 0 and 1 are themselves.

    Attributes:
        powers: All elements but 0: the powers of one of them, in order.
    """

    def __init__(self, prime: int, powers: Sequence[int]) -> None:
        self.order: Final = len(powers) + 1
        self.powers: Final = tuple(powers)
        self._prime = prime
        self._logs = {element: log for log, element in enumerate(powers)}

    def add(self, a: int, b: int) -> int:
        """The sum: digit by digit in base of the prime, without carrying."""
        total, place = 0, 1
        while a or b:
            total += (a + b) % self._prime * place
            a, b, place = a // self._prime, b // self._prime, place * self._prime
        return total

    def multiply(self, a: int, b: int) -> int:
        if not a or not b:
            return 0
        return self.powers[(self._logs[a] + self._logs[b]) % len(self.powers)]


@cache
def field_of(order: int) -> GaloisField | None:
    """The field with so many elements; None: there is none, for it is no power of a prime."""
    prime = next((one for one in range(2, order + 1) if order % one == 0), 0)
    degree, left = 0, order
    while prime and left % prime == 0:
        degree, left = degree + 1, left // prime
    if order < 2 or left != 1:
        return None
    # Of all polynomials one is primitive: the powers of its root are all elements but 0.
    for low in range(1, order):
        powers = _powers(prime, degree, low)
        if len(powers) == order - 1:
            return GaloisField(prime, powers)
    raise AssertionError(f"no primitive polynomial over {prime} of degree {degree}")


def _powers(prime: int, degree: int, low: int) -> list[int]:
    """The powers of x until one comes back, where x^degree is the polynomial with digits `low`."""
    top = prime ** (degree - 1)
    reduction = [low // prime**place % prime for place in range(degree)]
    seen: list[int] = []
    element = 1
    while element not in {0, *seen[:1]} and len(seen) < prime**degree:
        seen.append(element)
        carried, element = element // top, element % top * prime
        digits = [
            (element // prime**place + carried * digit) % prime
            for place, digit in enumerate(reduction)
        ]
        element = sum(digit * prime**place for place, digit in enumerate(digits))
    return seen


def designs(entrants: int, shape: Shape, rounds: int) -> Iterator[Plan]:
    """Plans for a field that is numbered in any order, the last of them possible for each."""
    for cycle in (_residues(entrants, shape), _starter(entrants, shape)):
        if cycle:
            yield [list(cycle[number % len(cycle)]) for number in range(rounds)]
    yield _slopes(entrants, shape.seats, rounds)


def _residues(entrants: int, shape: Shape) -> Plan:
    field = field_of(entrants) if entrants % shape.seats == 1 else None
    if field is None:
        return []
    step = (entrants - 1) // shape.seats  # between the powers that sit together
    # Those of a team are as far apart as can be: so each of the two differences comes once.
    order = [
        team + place * shape.seats // shape.size
        for team in range(len(shape.teams))
        for place in range(shape.size)
    ]
    base = [field.powers[coset + step * one] for coset in range(step) for one in order]
    return [[field.add(element, shift) for element in base] for shift in range(entrants)]


def _starter(entrants: int, shape: Shape) -> Plan:
    """A round that was found, counted on: all numbers of an orbit by one, each round."""
    found = STARTERS.get((shape.teams, entrants))
    if found is None:
        return []
    period, base = found
    moving = entrants - entrants % period  # who is beyond the last orbit stays where it is
    return [
        [one if one >= moving else one - one % period + (one + shift) % period for one in base]
        for shift in range(period)
    ]


def _slopes(entrants: int, seats: int, rounds: int) -> Plan:
    """Lines in a grid; whoever is too many for it takes the places of those who rest."""
    lines, over = divmod(entrants, seats)
    plan: Plan = []
    rests = _rests(entrants, over, rounds)
    for resting, grid in zip(rests, _grids(lines, seats, rounds), strict=True):
        spare = iter([one for one in range(lines * seats, entrants) if one not in resting])
        plan.append([next(spare) if one in resting else one for one in grid])
    return plan


def _rests(entrants: int, over: int, rounds: int) -> Iterator[set[int]]:
    """By round, who sits out: everybody once, then everybody again, but with others."""
    strides = [one for one in range(1, entrants + 1) if gcd(one, entrants) == 1]
    waiting: list[int] = []
    times = 0
    for _ in range(rounds):
        if len(waiting) < over:
            stride = strides[times % len(strides)]
            waiting += [one * stride % entrants for one in range(entrants)]
            times += 1
        # Somebody may wait twice, at the end of one time and at the beginning of the next.
        resting = list(dict.fromkeys(waiting))[:over]
        for one in resting:
            waiting.remove(one)
        yield set(resting)


def _grids(lines: int, seats: int, rounds: int) -> Iterator[list[int]]:
    field = field_of(lines) if lines >= seats else None
    # Two columns c apart meet again after lines / gcd(lines, c) slopes, in whole numbers.
    slopes = lines if field else lines // max(gcd(lines, apart) for apart in range(1, seats))
    is_square = lines == seats
    for number in range(rounds):
        slope = number % (slopes + is_square)
        if slope == slopes:
            # The columns themselves: the last round of an affine plane.
            yield list(range(lines * seats))
            continue
        yield [
            column * lines
            + (
                field.add(line, field.multiply(column, slope))
                if field
                else (line + column * slope) % lines
            )
            for line in range(lines)
            for column in range(seats)
        ]
