"""How far fitted strengths may be off by chance, where games come in clusters that are alike.

Games on the same board share its luck. So nothing is assumed about games of one cluster, only that
clusters are independent: every cluster is left out once, and how far the strengths then move tells
how much they depend on which boards came up (the jackknife over clusters, CR3 in MacKinnon, Nielsen
and Webb 2023; one step of Newton's method each, from the fit of all).

The virtual games of the prior are left out once each as well. This is what keeps the interval of
somebody unbeaten wide: its real games all agree, and the virtual loss does not.

Few clusters tell little about how much clusters differ, and by chance may not differ at all.
Therefore

    one more cluster  is taken to be behind each strength, that moves it as much as an average one
                      would if all games were independent
    Student's t       with as many degrees of freedom as the clusters behind each strength are worth
                      (Satterthwaite 1946), one less for the mean; clusters of unequal weight are
                      worth fewer than they are
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.stats.strengths_model import (
    Block,
    Floats,
    Ints,
    centred_inverse,
    pairs,
    sigmoid,
    spread_slope,
    summed,
)

__all__ = ["spread"]

_MOST_FREEDOM = 1_000_000
"""From here on Student's t is the normal distribution."""


def spread(
    games: Sequence[Block], clusters: int, strengths: Floats, curvature: Floats, prior: float
) -> tuple[Floats, Ints]:
    """The covariance of fitted strengths, and the degrees of freedom of the variance of each.

    Args:
        games: Those of the fit.
        clusters: How many there are, numbered from 0; each has a game.
        strengths: As fitted, with mean 0.
        curvature: There, the prior's included.
        prior: As it was fitted with.
    """
    entrants = len(strengths)
    inverse = centred_inverse(curvature)
    moves, shares = _real(games, clusters, strengths, inverse)
    chances = sigmoid(strengths)
    bend = prior / 2 * chances * (1 - chances)
    least = (clusters - 1) / clusters if clusters > 1 else 1.0
    covariance = least * moves.T @ moves
    for slope in (prior / 2 * (1 - chances), -prior / 2 * chances):
        move = inverse * (slope / (1 - bend * np.diagonal(inverse)))
        covariance += move @ move.T
    squares = (shares**2).sum(axis=0)
    alone = shares.sum(axis=0)
    has_played = squares > 0
    more = np.divide(np.sqrt(squares), alone, out=np.zeros(entrants), where=has_played)
    covariance += inverse @ (curvature - np.diag(2 * bend)) @ inverse * np.outer(more, more)
    total = alone + 2 * (inverse**2 * bend).sum(axis=1)
    worth = np.divide(total**2, squares, out=np.full(entrants, np.inf), where=has_played)
    return covariance, np.clip(worth - 1, 1, _MOST_FREEDOM).astype(np.int64)


def _real(
    games: Sequence[Block], clusters: int, strengths: Floats, inverse: Floats
) -> tuple[Floats, Floats]:
    """By cluster: how far each strength moves without it, and its part of each variance.

    The part is the one that it would have if games were independent.
    """
    entrants = len(strengths)
    owners, members = _who(games, entrants)
    widths = np.bincount(owners, minlength=clusters)
    starts = np.cumsum(widths) - widths
    corners = np.cumsum(widths**2) - widths**2
    slopes = np.zeros(len(owners))
    bends = np.zeros(int((widths**2).sum()))
    codes = owners * entrants + members
    for block in games:
        _, by_team, bend = block.parts(strengths)
        found = np.searchsorted(codes, block.clusters[:, None, None] * entrants + block.members)
        slopes += spread_slope(block, by_team, found, len(slopes))
        own = found - starts[block.clusters][:, None, None]
        flat, amounts = pairs(block, bend, own, widths[block.clusters])
        seats = own[0].size
        flat += np.repeat(corners[block.clusters], seats * seats)
        bends += summed(flat, amounts, len(bends))
    moves = np.empty((clusters, entrants))
    shares = np.empty((clusters, entrants))
    for width in np.unique(widths):
        some = np.flatnonzero(widths == width)
        who = members[starts[some][:, None] + np.arange(width)]
        slope = slopes[starts[some][:, None] + np.arange(width)]
        bend = bends[corners[some][:, None] + np.arange(width**2)].reshape(-1, width, width)
        inner = inverse[who[:, :, None], who[:, None, :]]
        rest = np.linalg.solve(np.eye(width) - bend @ inner, slope[:, :, None])
        reach = inverse[who]
        moves[some] = np.einsum("gwk,gw->gk", reach, rest[:, :, 0])
        shares[some] = np.einsum("gwk,gwv,gvk->gk", reach, bend, reach, optimize=True)
    return moves, shares


def _who(games: Sequence[Block], entrants: int) -> tuple[Ints, Ints]:
    """Who plays in which cluster, ordered by cluster and then by entrant."""
    codes = [(block.clusters[:, None, None] * entrants + block.members).ravel() for block in games]
    unique = np.unique(np.concatenate(codes)) if codes else np.zeros(0, dtype=np.int64)
    return unique // max(entrants, 1), unique % max(entrants, 1)
