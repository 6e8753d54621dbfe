"""Search for a schedule in which everybody meets everybody about equally often.

Two seats of a round exchange their entrants, again and again; what makes the sum of squares of all
meetings smaller stays, what makes it larger by d with a chance of 2^(-d q), and q grows: annealing
(Kirkpatrick, Gelatt and Vecchi 1983). The sum is least where all are equal. Two who rest exchange
their rounds of rest, too; how often somebody rests does not change. All of it is in whole numbers,
so that every machine finds the same, and the work is bounded by a number of steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

__all__ = ["Shape", "cost", "improved", "least_cost"]

Plan = list[list[int]]
"""By round, who sits where: table after table, team after team."""

_PARTNERS: Final = 3
"""Against one that opposes once more, how bad it is to have a partner once more than others."""

_STEPS: Final = 500_000
_PER_SEAT: Final = 3000
"""A small schedule is searched for fewer steps: so many for each seat of each round."""

_STAGES: Final = 24
_HOTTEST: Final = 8  # quarters of q, at the beginning
_COLDEST: Final = 40  # and at the end
_QUARTERS: Final = (1 << 32, 3611622603, 3037000500, 2553802834)  # 2^32 * 2^(-i/4)
_FARTHEST: Final = 32  # what makes it worse by more is never taken

_RESTS: Final = 8  # of so many steps one is about who rests

_MULTIPLIER: Final = 6364136223846793005
_INCREMENT: Final = 1442695040888963407
_MASK: Final = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Shape:
    """What a table is like: teams of a size, one after the other."""

    teams: tuple[int, ...]

    @property
    def seats(self) -> int:
        return sum(self.teams)

    @property
    def size(self) -> int:
        """Of a team."""
        return self.teams[0]

    def team(self, seat: int) -> int:
        return seat // self.size

    def mates(self, seat: int, *, partners: bool) -> tuple[int, ...]:
        """The other seats of the same team, or those of the others."""
        own = self.team(seat)
        return tuple(
            one for one in range(self.seats) if one != seat and (self.team(one) == own) is partners
        )


class _Counts:
    """How often two are partners and opponents in a plan, times what each of it weighs."""

    def __init__(self, plan: Plan, shape: Shape, entrants: int) -> None:
        self.opponents = [[0] * entrants for _ in range(entrants)]
        self.partners = [[0] * entrants for _ in range(entrants)]
        for one, other, is_partner in _meetings(plan, shape):
            if is_partner:
                self.partners[one][other] += _PARTNERS
            else:
                self.opponents[one][other] += 1

    def cost(self) -> int:
        """The sum of squares, those of partners weighted; each pair counts twice."""
        against = sum(count * count for row in self.opponents for count in row)
        beside = sum(count * count for row in self.partners for count in row)
        return against + beside // _PARTNERS


def _meetings(plan: Plan, shape: Shape) -> Iterator[tuple[int, int, bool]]:
    """Everybody with everybody at its table, both ways."""
    seats = [
        (seat, mate, shape.team(seat) == shape.team(mate))
        for seat in range(shape.seats)
        for mate in range(shape.seats)
        if seat != mate
    ]
    for row in plan:
        for start in range(0, len(row), shape.seats):
            for seat, mate, is_partner in seats:
                yield row[start + seat], row[start + mate], is_partner


def cost(plan: Plan, shape: Shape, entrants: int) -> int:
    """How uneven a plan is; no plan of as many tables costs less than `least_cost`."""
    return _Counts(plan, shape, entrants).cost()


def least_cost(tables: int, shape: Shape, entrants: int) -> int:
    """What a plan costs in which nobody meets anybody more than once oftener than anybody else."""
    total = 0
    for partners, weight in ((True, _PARTNERS), (False, 1)):
        mates = sum(len(shape.mates(seat, partners=partners)) for seat in range(shape.seats))
        pairs = entrants * (entrants - 1)
        often, rest = divmod(tables * mates, pairs)
        total += weight * ((pairs - rest) * often**2 + rest * (often + 1) ** 2)
    return total


def improved(plan: Plan, shape: Shape, entrants: int, seed: int) -> Plan:
    """A plan that costs as little as this one or less, found by a search that `seed` leads."""
    least = least_cost(sum(map(len, plan)) // shape.seats, shape, entrants)
    best, best_cost = plan, cost(plan, shape, entrants)
    search = _Search(plan, shape, entrants, seed)
    now = best_cost
    for stage in range(_STAGES):
        if best_cost == least or not search.can_move:
            break
        now += search.run(_HOTTEST + stage * (_COLDEST - _HOTTEST) // (_STAGES - 1))
        if now < best_cost:
            best, best_cost = search.plan, now
    return best


class _Search:
    """A plan that changes, step by step."""

    def __init__(self, plan: Plan, shape: Shape, entrants: int, seed: int) -> None:
        self._rows = [list(row) for row in plan]
        self._movable = [row for row in self._rows if shape.size > 1 or len(row) > shape.seats]
        everybody = range(entrants)
        resting = [(row, [one for one in everybody if one not in row]) for row in self._rows]
        self._resting = [(row, rests) for row, rests in resting if rests]
        self._seats = shape.seats
        self._size = shape.size
        longest = range(max(map(len, plan)))
        self._against = [self._mates(shape, at, partners=False) for at in longest]
        self._beside = [self._mates(shape, at, partners=True) for at in longest]
        self._counts = _Counts(plan, shape, entrants)
        self._state = seed
        self._steps = min(_STEPS, _PER_SEAT * sum(map(len, self._rows))) // _STAGES

    @staticmethod
    def _mates(shape: Shape, at: int, *, partners: bool) -> tuple[int, ...]:
        table, seat = divmod(at, shape.seats)
        return tuple(table * shape.seats + one for one in shape.mates(seat, partners=partners))

    @property
    def can_move(self) -> bool:
        """Whether any two could exchange their seats, or their rests."""
        return bool(self._movable or self._resting)

    @property
    def plan(self) -> Plan:
        """As it is now."""
        return [list(row) for row in self._rows]

    def run(self, heat: int) -> int:
        """Some steps; the larger `heat`, in quarters of q, the colder it is. By what cost grew."""
        chances = [_QUARTERS[worse * heat % 4] >> (worse * heat // 4) for worse in range(_FARTHEST)]
        # Of a square 2 for each 1, and each pair is there both ways.
        return 4 * sum(self._step(chances) for _ in range(self._steps))

    def _step(self, chances: list[int]) -> int:
        """Perhaps change something; by what it got worse."""
        pick = self._drawn() >> 20
        if self._resting and (pick % _RESTS == 0 or not self._movable):
            return self._exchange_rests(pick // _RESTS, chances)
        pick, at = divmod(pick // _RESTS, len(self._movable))
        row = self._movable[at]
        pick, one = divmod(pick, len(row))
        other = pick % len(row)
        if one // self._size == other // self._size:
            return 0
        is_inside = one // self._seats == other // self._seats
        if is_inside and self._size == 1:
            return 0
        worse = (self._inside if is_inside else self._between)(row, one, other)
        if not self._takes(worse, chances):
            return 0
        (self._swap_inside if is_inside else self._swap_between)(row, one, other)
        return worse

    def _drawn(self) -> int:
        self._state = (self._state * _MULTIPLIER + _INCREMENT) & _MASK
        return self._state

    def _takes(self, worse: int, chances: list[int]) -> bool:
        return worse <= 0 or (worse < _FARTHEST and self._drawn() >> 32 < chances[worse])

    def _exchange_rests(self, pick: int, chances: list[int]) -> int:
        """Two who rest in different rounds each rest in the other one."""
        pick, at = divmod(pick, len(self._resting))
        pick, to = divmod(pick, len(self._resting))
        pick, one = divmod(pick, len(self._resting[at][1]))
        other = pick % len(self._resting[to][1])
        (row, rests), (second, second_rests) = self._resting[at], self._resting[to]
        a, b = rests[one], second_rests[other]
        if a in second_rests or b in rests:
            return 0
        seat, second_seat = row.index(b), second.index(a)
        worse = self._replace(row, seat, a)
        worse += self._replace(second, second_seat, b)
        if self._takes(worse, chances):
            rests[one], second_rests[other] = b, a
            return worse
        self._replace(second, second_seat, a)
        self._replace(row, seat, b)
        return 0

    def _replace(self, row: list[int], seat: int, entrant: int) -> int:
        """Give a seat to somebody who rests; by what it gets worse."""
        before = row[seat]
        worse = 0
        for counts, mates, weight in (
            (self._counts.opponents, self._against[seat], 1),
            (self._counts.partners, self._beside[seat], _PARTNERS),
        ):
            members = [row[mate] for mate in mates]
            worse += sum(counts[entrant][one] - counts[before][one] + weight for one in members)
            _shift(counts, (before, entrant), members, weight)
        row[seat] = entrant
        return worse

    def _between(self, row: list[int], one: int, other: int) -> int:
        """By what it gets worse if seats of two tables change their entrants."""
        opponents, partners = self._counts.opponents, self._counts.partners
        a, b = row[one], row[other]
        of_a, of_b = opponents[a], opponents[b]
        worse = 0
        for mate in self._against[one]:
            worse += of_b[row[mate]] - of_a[row[mate]] + 1
        for mate in self._against[other]:
            worse += of_a[row[mate]] - of_b[row[mate]] + 1
        if self._size > 1:
            of_a, of_b = partners[a], partners[b]
            for mate in self._beside[one]:
                worse += of_b[row[mate]] - of_a[row[mate]] + _PARTNERS
            for mate in self._beside[other]:
                worse += of_a[row[mate]] - of_b[row[mate]] + _PARTNERS
        return worse

    def _inside(self, row: list[int], one: int, other: int) -> int:
        """The same for seats of two teams of one table: partners become opponents."""
        opponents, partners = self._counts.opponents, self._counts.partners
        worse = 0
        for own, foreign in ((one, other), (other, one)):
            a, b = row[own], row[foreign]
            for mate in map(row.__getitem__, self._beside[own]):
                worse += partners[b][mate] - partners[a][mate] + _PARTNERS
                worse += opponents[a][mate] - opponents[b][mate] + 1
        return worse

    def _swap_between(self, row: list[int], one: int, other: int) -> None:
        for own, foreign in ((one, other), (other, one)):
            a, b = row[own], row[foreign]
            _shift(self._counts.opponents, (a, b), [row[at] for at in self._against[own]], 1)
            _shift(self._counts.partners, (a, b), [row[at] for at in self._beside[own]], _PARTNERS)
        row[one], row[other] = row[other], row[one]

    def _swap_inside(self, row: list[int], one: int, other: int) -> None:
        for own, foreign in ((one, other), (other, one)):
            a, b = row[own], row[foreign]
            mates = [row[at] for at in self._beside[own]]
            _shift(self._counts.partners, (a, b), mates, _PARTNERS)
            _shift(self._counts.opponents, (b, a), mates, 1)
        row[one], row[other] = row[other], row[one]


def _shift(counts: list[list[int]], ends: tuple[int, int], mates: list[int], amount: int) -> None:
    """What the first of two had with some, the second has with them now."""
    a, b = ends
    for mate in mates:
        counts[a][mate] -= amount
        counts[mate][a] -= amount
        counts[b][mate] += amount
        counts[mate][b] += amount
