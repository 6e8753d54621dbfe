"""The likelihood of rankings, and the strengths that make it largest together with a weak prior.

A team is as strong as its members together, and ends ahead of all others with the probability
exp(own) / sum of exp(everybody's); then the same among the rest (Plackett 1975, Luce 1959; with two
teams Bradley and Terry 1952).

Ties: the logarithm of the likelihood is the mean over all orders of those that tied. So a draw of
two is half a win and half a loss, as in the table, and the strengths of entrants who all met each
other alike are in the order of their shares. The alternatives do worse here: the mean of the
likelihoods itself makes a draw of two say nothing, and a parameter for ties (Davidson 1970) makes
strengths depend on how often a game ends level, which the rules of the game decide and not the
bots. Over the orders of t tied teams the denominators are sums over what is left of them, so 2^t
subsets are enough for t! orders.

Prior: one virtual win and one virtual loss of everybody against an average entrant, times half of
`prior`. It says that every chance against an average entrant is as likely as any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, fsum
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "Block",
    "Floats",
    "Ints",
    "Row",
    "blocks",
    "centred_inverse",
    "merged",
    "most_likely",
    "pairs",
    "sigmoid",
    "spread_slope",
    "summed",
]

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]

_MOST_STEPS = 200
_SMALL = 1e-5
"""A step that is right without a look at the likelihood, which no longer changes visibly."""
_CLOSE = 1e-9
"""A step of Newton's method after which the next one would be lost in rounding."""


class Row(NamedTuple):
    """A game with its teams in the order of their ranks.

    Attributes:
        ties: How many teams share each rank, the best first.
        teams: The numbers of their members.
        cluster: The number of the cluster that it is in.
        weight: How many games it counts as.
    """

    ties: tuple[int, ...]
    teams: tuple[tuple[int, ...], ...]
    cluster: int
    weight: float


@dataclass(frozen=True, slots=True)
class Block:
    """Games of one shape: as many teams, of one size, with the same ties. G games, T teams.

    Attributes:
        members: G x T x members of a team.
        clusters: G.
        weights: G.
        sets: C x T, 1 for the teams that a denominator sums over.
        counts: C, how often that denominator comes, in the mean over orders.
    """

    members: Ints
    clusters: Ints
    weights: Floats
    sets: Floats
    counts: Floats

    def parts(self, strengths: Floats) -> tuple[Floats, Floats, Floats]:
        """Of every game logarithm of the likelihood (G), its slope (G x T), curvature (G x T x T).

        Slope and curvature are by strength of a team, the curvature with its sign turned.
        """
        teams = strengths[self.members].sum(axis=2)
        top = teams.max(axis=1, keepdims=True)
        powers = np.exp(teams - top)[:, None, :] * self.sets
        sums = powers.sum(axis=2, keepdims=True)
        chances = powers / sums
        scaled = chances * self.counts[:, None]
        likelihood = teams.sum(axis=1) - ((np.log(sums[:, :, 0]) + top) * self.counts).sum(axis=1)
        expected = scaled.sum(axis=1)
        curvature = -np.einsum("gct,gcu->gtu", scaled, chances)
        diagonal = np.arange(teams.shape[1])
        curvature[:, diagonal, diagonal] += expected
        weights = self.weights
        return (
            likelihood * weights,
            (1 - expected) * weights[:, None],
            (curvature * weights[:, None, None]),
        )


def blocks(rows: Sequence[Row]) -> list[Block]:
    """Games by their shape; the same whatever the order that they come in."""
    shapes: defaultdict[tuple[tuple[int, ...], int], list[Row]] = defaultdict(list)
    for row in sorted(rows):
        shapes[row.ties, len(row.teams[0])].append(row)
    return [_block(ties, shapes[ties, size]) for ties, size in sorted(shapes)]


def merged(rows: Sequence[Row]) -> list[Row]:
    """Games with the same teams and the same result as one that weighs as much, without clusters.

    Weights are summed exactly, so their order does not matter.
    """
    weights: defaultdict[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]], list[float]]
    weights = defaultdict(list)
    for row in rows:
        weights[row.ties, row.teams].append(row.weight)
    return [Row(ties, teams, 0, fsum(some)) for (ties, teams), some in weights.items()]


def _block(ties: tuple[int, ...], rows: Sequence[Row]) -> Block:
    sets, counts = _denominators(ties)
    return Block(
        np.array([row.teams for row in rows], dtype=np.int64),
        np.array([row.cluster for row in rows], dtype=np.int64),
        np.array([row.weight for row in rows], dtype=np.float64),
        sets,
        counts,
    )


def _denominators(ties: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Which teams are still to be placed when one is, in the mean over all orders of those tied."""
    teams = sum(ties)
    sets: list[list[float]] = []
    counts: list[float] = []
    first = 0
    for tied in ties:
        below = range(first + tied, teams)
        for left in range(tied, 0, -1):
            for some in combinations(range(first, first + tied), left):
                sets.append([float(team in some or team in below) for team in range(teams)])
                counts.append(1 / comb(tied, left))
        first += tied
    return np.array(sets), np.array(counts)


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x)), without overflow."""
    return np.exp(-np.logaddexp(0.0, -x))


def most_likely(games: Sequence[Block], entrants: int, prior: float) -> tuple[Floats, Floats]:
    """The strengths with mean 0 at which games and prior are likeliest, and the curvature there.

    Newton's method: the logarithm of the likelihood is concave, and the prior makes it strictly so.
    """
    strengths = np.zeros(entrants)
    value, slope, curvature = _whole(games, strengths, prior)
    for _ in range(_MOST_STEPS):
        step = centred_inverse(curvature) @ slope
        scale = 1.0
        after = _whole(games, strengths + step, prior)
        size = float(np.abs(step).max(initial=0.0))
        while after[0] < value and scale * size > _SMALL:
            scale /= 2
            after = _whole(games, strengths + scale * step, prior)
        strengths += scale * step
        value, slope, curvature = after
        if size <= _CLOSE:
            break
    return strengths - strengths.mean() if entrants else strengths, curvature


def _whole(games: Sequence[Block], strengths: Floats, prior: float) -> tuple[float, Floats, Floats]:
    entrants = len(strengths)
    chances = sigmoid(strengths)
    value = -prior / 2 * float((np.logaddexp(0, strengths) + np.logaddexp(0, -strengths)).sum())
    slope = prior / 2 * (1 - 2 * chances)
    curvature = np.diag(prior * chances * (1 - chances))
    for block in games:
        likelihood, by_team, bend = block.parts(strengths)
        value += float(likelihood.sum())
        slope += spread_slope(block, by_team, block.members, entrants)
        flat, amounts = pairs(block, bend, block.members, np.int64(entrants))
        total = summed(flat, amounts, entrants**2)
        curvature += total.reshape(entrants, entrants)
    return value, slope, curvature


def spread_slope(block: Block, by_team: Floats, places: Ints, length: int) -> Floats:
    """What teams have, given to each of their members, summed up by the members' `places`."""
    amounts = np.broadcast_to(by_team[:, :, None], block.members.shape)
    return summed(places.ravel(), amounts.ravel(), length)


def summed(places: Ints, amounts: Floats, length: int) -> Floats:
    """The sum of the amounts that belong to each place, added in their order."""
    return np.bincount(places, amounts, minlength=length).astype(np.float64)


def pairs(block: Block, bend: Floats, places: Ints, widths: Ints | np.int64) -> tuple[Ints, Floats]:
    """Where the curvature of two teams belongs: for each member of the one and of the other.

    Flat indices row * width + column, and what is to be added there.
    """
    games, teams, size = block.members.shape
    seats = places.reshape(games, teams * size)
    flat = seats[:, :, None] * np.reshape(widths, (-1, 1, 1)) + seats[:, None, :]
    amounts = np.repeat(np.repeat(bend, size, axis=1), size, axis=2)
    return flat.ravel(), amounts.ravel()


def centred_inverse(curvature: Floats) -> Floats:
    """The inverse among strengths with mean 0."""
    entrants = len(curvature)
    if not entrants:
        return curvature
    centred = curvature - curvature.mean(axis=0)
    centred -= centred.mean(axis=1)[:, None]
    level = np.full((entrants, entrants), np.trace(curvature) / entrants**2)
    inverse = np.linalg.inv(centred + level)
    inverse -= inverse.mean(axis=0)
    inverse -= inverse.mean(axis=1)[:, None]
    return (inverse + inverse.T) / 2
