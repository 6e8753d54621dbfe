"""How strong entrants are, from all of their games at once and without regard to their order.

A ladder moves ratings match by match, and another order of the same matches would end elsewhere. A
competition that is over is judged as a whole: the same games give the same strengths to the last
bit, in whatever order they are given.

    model      Plackett-Luce on teams, ties and prior: `strengths_model`
    intervals  a jackknife over clusters of games: `strengths_errors`
    best       the part of seeded draws from the fitted distribution in which an entrant is ahead

Strengths are logarithms of odds: who is stronger by d beats the other with the odds exp(d) to 1.
Their mean is 0. In Elo that is 400 / ln 10 = 173.7 times as much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, isfinite, log, sqrt
from typing import Final

import numpy as np

from arena.errors import InputError, quoted
from arena.stats.estimates import CONFIDENCE, Interval
from arena.stats.strengths_errors import spread
from arena.stats.strengths_model import Floats, Ints, Row, blocks, merged, most_likely
from arena.stats.student import student_quantile

__all__ = ["ELO", "Ranked", "Strength", "Strengths", "fit"]

ELO: Final = 400 / log(10)
"""Elo points to one unit of strength."""

_PRIOR: Final = 2.0
_DRAWS: Final = 20_000
_MOST_TEAMS: Final = 6
_MOST_MEMBERS: Final = 3
_UPPER: Final = (1 + CONFIDENCE) / 2


@dataclass(frozen=True, slots=True)
class Ranked:
    """A game, or a match that is judged as one.

    Attributes:
        teams: Who played together; all teams are of one size.
        ranks: By team, the smallest for the best; teams that tie have the same rank.
        cluster: Games with the same name here may be alike by chance, as those on one board are.
        weight: How many games it counts as.

    Raises:
        InputError: there is no such game.
    """

    teams: tuple[tuple[str, ...], ...]
    ranks: tuple[int, ...]
    cluster: str
    weight: float = 1.0

    def __post_init__(self) -> None:
        sizes = {len(team) for team in self.teams}
        everybody = [entrant for team in self.teams for entrant in team]
        if not 2 <= len(self.teams) <= _MOST_TEAMS:
            raise InputError(f"a game has 2 to {_MOST_TEAMS} teams, not {len(self.teams)}")
        if len(sizes) > 1 or not 1 <= max(sizes) <= _MOST_MEMBERS:
            told = ", ".join(str(len(team)) for team in self.teams)
            raise InputError(
                f"teams of {told}: all teams of a game have the same size, 1 to {_MOST_MEMBERS}"
            )
        if len(self.ranks) != len(self.teams):
            raise InputError(f"{len(self.teams)} teams have as many ranks, not {len(self.ranks)}")
        for entrant in everybody:
            if everybody.count(entrant) > 1:
                raise InputError(f"entrant {quoted(entrant)} cannot sit at a table twice")
        if not (isfinite(self.weight) and self.weight > 0):
            raise InputError(f"weight {self.weight}: has to be above 0, and finite")


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """What is known of an entrant.

    Attributes:
        entrant: Who it is.
        value: The strength that fits best.
        interval: Where it lies at 95 %; always finite.
        best: The probability that nobody is stronger.
    """

    entrant: str
    value: float
    interval: Interval
    best: float

    @property
    def elo(self) -> float:
        """The value in Elo, 0 for the mean of all entrants."""
        return self.value * ELO

    @property
    def elo_interval(self) -> Interval:
        """The interval in Elo."""
        return Interval(self.interval.low * ELO, self.interval.high * ELO)


@dataclass(frozen=True, slots=True)
class Strengths:
    """Everybody, the strongest first; who is equally strong by name."""

    rows: tuple[Strength, ...]

    def of(self, entrant: str) -> Strength:
        """What is known of one; raises KeyError if it was not fitted."""
        for row in self.rows:
            if row.entrant == entrant:
                return row
        raise KeyError(entrant)

    def chance(self, one: str, other: str) -> float:
        """The share that `one` may expect against `other`, both as strong as they seem."""
        ahead = self.of(one).value - self.of(other).value
        odds = exp(-abs(ahead))
        return (1 if ahead >= 0 else odds) / (1 + odds)


def fit(
    entrants: Sequence[str],
    games: Sequence[Ranked],
    *,
    seed: int,
    prior: float = _PRIOR,
    draws: int = _DRAWS,
) -> Strengths:
    """Fit strengths to games.

    Results that no finite strengths explain best (somebody unbeaten, or groups that never met) are
    no exception: the prior keeps strengths finite, and the intervals are wide.

    Args:
        entrants: Everybody that played, and whoever else is to be in the answer.
        games: In any order; the answer is the same to the last bit.
        seed: For the draws that tell who is best: 0 or more.
        prior: How many virtual draws against an average entrant everybody begins with.
        draws: How many draws; 20,000 tell a probability to within 0.7 % at 95 %.

    Raises:
        InputError: an entrant is named twice or not at all, or a number cannot be.
    """
    if not (isfinite(prior) and prior > 0):
        raise InputError(f"prior {prior}: has to be above 0, and finite")
    if draws < 1:
        raise InputError(f"draws {draws}: has to be 1 or more")
    if seed < 0:
        raise InputError(f"seed {seed}: has to be 0 or more")
    names = sorted(set(entrants))
    if len(names) != len(entrants):
        twice = next(name for name in names if list(entrants).count(name) > 1)
        raise InputError(f"entrant {quoted(twice)} is named twice")
    clusters = {name: number for number, name in enumerate(sorted({one.cluster for one in games}))}
    rows = _rows(names, clusters, games)
    strengths, curvature = most_likely(blocks(merged(rows)), len(names), prior)
    covariance, freedom = spread(blocks(rows), len(clusters), strengths, curvature, prior)
    quantiles = np.array([student_quantile(_UPPER, int(one)) for one in freedom])
    errors = np.sqrt(np.diagonal(covariance))
    reach = np.minimum(quantiles * errors, _unknown(prior))
    # What the limit takes from an interval it takes from the draws as well.
    held = np.divide(reach, quantiles * errors, out=np.zeros_like(reach), where=errors > 0)
    best = _best(strengths, covariance * np.outer(held, held), freedom, draws, seed)
    return _told(names, strengths, reach, best)


def _rows(names: list[str], clusters: dict[str, int], games: Sequence[Ranked]) -> list[Row]:
    numbers = {name: number for number, name in enumerate(names)}
    rows = []
    for game in games:
        try:
            order = sorted(
                (rank, tuple(sorted([numbers[entrant] for entrant in team])))
                for rank, team in zip(game.ranks, game.teams, strict=True)
            )
        except KeyError as missing:
            raise InputError(
                f"entrant {quoted(missing.args[0])} of a game is not among entrants"
            ) from None
        ties = tuple(Counter(rank for rank, _ in order).values())
        teams = tuple(team for _, team in order)
        rows.append(Row(ties, teams, clusters[game.cluster], game.weight))
    return rows


def _unknown(prior: float) -> float:
    """How far a strength may be off, at 95 %, when nothing is known but the prior.

    With 2 draws it is the logistic distribution: every chance against an average entrant is as
    likely as any other. For others a distribution of that shape is as wide as the prior's curvature
    says.
    """
    return log(_UPPER / (1 - _UPPER)) * sqrt(_PRIOR / prior)


def _best(strengths: Floats, covariance: Floats, freedom: Ints, draws: int, seed: int) -> Floats:
    """How often each is the strongest, among draws that spread as the intervals do."""
    entrants = len(strengths)
    if not entrants:
        return strengths
    sizes, axes = np.linalg.eigh(covariance)
    root = axes * np.sqrt(np.maximum(sizes, 0))
    generator = np.random.default_rng(seed)
    normal = generator.standard_normal((draws, entrants)) @ root.T
    scale = generator.chisquare(freedom.astype(np.float64), (draws, entrants)) / freedom
    first = np.argmax(strengths + normal / np.sqrt(scale), axis=1)
    return np.bincount(first, minlength=entrants) / draws


def _told(names: list[str], strengths: Floats, reach: Floats, best: Floats) -> Strengths:
    rows = [
        Strength(
            entrant=name,
            value=float(strengths[number]),
            interval=Interval(
                float(strengths[number] - reach[number]), float(strengths[number] + reach[number])
            ),
            best=float(best[number]),
        )
        for number, name in enumerate(names)
    ]
    return Strengths(tuple(sorted(rows, key=lambda row: (-row.value, row.entrant))))
