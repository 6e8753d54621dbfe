"""Who meets whom in the next round of a Swiss: the best of all ways to pair, and only one is.

Every pair of players has a cost of several levels. A lower level never outweighs a higher one,
and of all ways to pair everybody the one with the least sum is taken:

byes        nobody has one more while somebody has one less
repeats     nobody meets somebody again; where that cannot be, as few earlier meetings as possible
rest        the bye goes to who won least without playing, then to the lowest
points      the differences of points, squared: within a score group first, then to the next one
sides       whoever was team 0 more often meets somebody who was it less often
floats      nobody meets a lower one, or a higher one, twice in a row
fold        the upper half of a score group against the lower one, in order of seeding
lot         drawn from the seed of the stage, which leaves no two ways equal

The sum is least for a matching of maximum weight (Edmonds 1965, in the form of Galil 1986), which
rustworkx finds with exact integers of 128 bits.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Final, NamedTuple

from arena.formats.story import lot

__all__ = ["LARGEST", "Cost", "Match", "Player", "Round", "bases_of", "pair"]

LARGEST: Final = 124  # bits of a weight; the search doubles weights, and it has 127
_LOT: Final = 24  # bits of the lot of a pair

# What lies further apart than this is alike: so that all levels together fit into a weight.
_MOST_APART: Final = 255  # half points
_MOST_MET: Final = 7
_MOST_BYES: Final = 7
_MOST_FREE: Final = 3
_MOST_SIDES: Final = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """Somebody who plays the next round, and what counts for how it is paired.

    Attributes:
        entrant: The number, which is the order of seeding.
        points: In half points.
        byes: How many byes it had.
        free: How many matches it won because the other was gone.
        sides: How often it was team 0, less how often it was team 1.
        last: 1 if it was team 0 in its last match, -1 if it was team 1, 0 if it had none.
        floated: 1 if it met somebody with fewer points in the last round or had a bye, -1 if it
            met somebody with more, else 0.
        met: By opponent, how often they met.
    """

    entrant: int
    points: int = 0
    byes: int = 0
    free: int = 0
    sides: int = 0
    last: int = 0
    floated: int = 0
    met: Mapping[int, int] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Match:
    """Two who meet, the first of them as team 0."""

    first: int
    second: int
    is_repeat: bool


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its matches, those between the best first, and who has the bye."""

    matches: tuple[Match, ...]
    bye: int | None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a player stands among those who are paired."""

    rank: int  # from 0, the best first
    within: int  # in its score group, from 0
    size: int  # of its score group


class Cost(NamedTuple):
    """What a pair, or a bye, costs on each level, the heaviest first."""

    byes: int = 0
    repeats: int = 0
    rest: int = 0
    points: int = 0
    sides: int = 0
    floats: int = 0
    fold: int = 0
    lot: int = 0


_Edge = tuple[int, int, Cost]
"""Two by their places, and what their match costs; the second may be the place of the bye."""


def pair(players: Sequence[Player], seed: bytes, number: int) -> Round:
    """Pair a round.

    Args:
        players: Who plays it, in any order; one or more.
        seed: Of the stage.
        number: Of the round; lots differ from round to round.
    """
    order = sorted(players, key=lambda one: (-one.points, one.entrant))
    edges = list(_edges(order, seed, number))
    matches: list[tuple[int, Match]] = []
    bye: int | None = None
    for upper, lower in _cheapest(len(order), edges):
        if lower == len(order):
            bye = order[upper].entrant
        else:
            matches.append((upper, _seated(order[upper], order[lower], seed, number)))
    return Round(tuple(match for _, match in sorted(matches, key=lambda one: one[0])), bye)


def _edges(order: Sequence[Player], seed: bytes, number: int) -> Iterator[_Edge]:
    """Everybody with everybody, by place; for an odd number a bye stands at the end."""
    places = _places(order)
    # Only what one has beyond another counts: so a small field can play many rounds.
    met = min((_met(one, other) for one, other in combinations(order, 2)), default=0)
    for (a, one), (b, other) in combinations(enumerate(order), 2):
        chance = lot(seed, "swiss", number, one.entrant, other.entrant) >> (64 - _LOT)
        repeats = min(_met(one, other) - met, _MOST_MET)
        fold = _fold(places[a], places[b])
        yield a, b, _meeting(one, other)._replace(repeats=repeats, fold=fold, lot=chance)
    if len(order) % 2:
        byes = min(player.byes for player in order)
        for rank, player in enumerate(order):
            rest = min(player.free, _MOST_FREE) * len(order) + len(order) - 1 - rank
            yield rank, len(order), Cost(byes=min(player.byes - byes, _MOST_BYES), rest=rest)


def _met(one: Player, other: Player) -> int:
    return one.met.get(other.entrant, 0)


def _places(order: Sequence[Player]) -> list[_Place]:
    sizes: dict[int, int] = {}
    within: list[int] = []
    for player in order:
        within.append(sizes.get(player.points, 0))
        sizes[player.points] = within[-1] + 1
    return [_Place(rank, within[rank], sizes[one.points]) for rank, one in enumerate(order)]


def _meeting(upper: Player, lower: Player) -> Cost:
    """What a match costs by itself; the first of the two stands higher or is seeded better."""
    apart = min(upper.points - lower.points, _MOST_APART)
    floats = (upper.floated == 1) + (lower.floated == -1) if apart else 0
    # With sides d and e the sum of squares after the match is d*d + e*e + 2 - 2*abs(d - e).
    sides = 2 * _MOST_SIDES - abs(_bounded(upper.sides) - _bounded(lower.sides))
    return Cost(points=apart * apart, sides=sides, floats=floats)


def _bounded(sides: int) -> int:
    return max(-_MOST_SIDES, min(_MOST_SIDES, sides))


def _fold(upper: _Place, lower: _Place) -> int:
    """How far two are from whom they should meet by their places in their score groups.

    That is half a group further on, and for two of different groups the last and the first.
    """
    if upper.rank - upper.within == lower.rank - lower.within:
        return abs(lower.within - upper.within - upper.size // 2)
    return upper.size - 1 - upper.within + lower.within


def _cheapest(players: int, edges: Sequence[_Edge]) -> list[tuple[int, int]]:
    """The pairs, by place, with the least sum of costs: level by level, the heaviest first."""
    pairs = (players + 1) // 2
    bases = bases_of(pairs, edges)
    most = prod(bases)
    assert most.bit_length() <= LARGEST
    import rustworkx  # noqa: PLC0415 - only who pairs needs it, and has it installed

    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * (2 * pairs))
    graph.add_edges_from([(a, b, most - _sum(cost, bases)) for a, b, cost in edges])
    chosen = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(ends), max(ends)) for ends in chosen)


def bases_of(pairs: int, edges: Sequence[_Edge]) -> list[int]:
    """By level a number above each sum that it can have over all pairs."""
    largest = [max(level) for level in zip(*(cost for *_, cost in edges), strict=True)]
    # There is one bye at most.
    often = [1 if name in {"byes", "rest"} else pairs for name in Cost._fields]
    return [one * times + 1 for one, times in zip(largest, often, strict=True)]


def _sum(cost: Cost, bases: Sequence[int]) -> int:
    """A cost as one number, in which no level can outweigh the one before, over all pairs."""
    total = 0
    for level, base in zip(cost, bases, strict=True):
        total = total * base + level
    return total


def _seated(one: Player, other: Player, seed: bytes, number: int) -> Match:
    """Team 0 is who was it less often, then who was not it last time, then a lot decides."""
    chance = lot(seed, "side", number, one.entrant, other.entrant) % 2
    is_first = (one.sides, one.last, 0) < (other.sides, other.last, 2 * chance - 1)
    first, second = (one, other) if is_first else (other, one)
    return Match(first.entrant, second.entrant, _met(one, other) > 0)
