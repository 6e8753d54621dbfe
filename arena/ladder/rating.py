"""TrueSkill: a rating from the ranking that each match gives its entrants.

After Herbrich, Minka and Graepel, "TrueSkill: A Bayesian Skill Rating System" (2006), through the
package `trueskill`. An entrant's skill is believed to be normally distributed, with mean mu and
deviation sigma. In a match it performs with its skill plus noise of deviation beta, partners with
the sum of theirs, and the ranking says whose performance was larger.

Ratings are a pure function of parameters and results in their order: rating match by match, and
again from the beginning, give the same bits. For that the normal distribution is given to the
package, so that it neither depends on what else is installed nor on its own approximation, which
is wrong by up to 1e-7 and far more in the tails.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import chain
from math import erfc, exp, fsum, isfinite, pi, sqrt
from statistics import NormalDist
from typing import Any, Final

import trueskill

from arena.errors import InputError

__all__ = [
    "Parameters",
    "Ranking",
    "Rating",
    "expected_share",
    "expected_team_share",
    "rate",
    "rate_all",
]

_PRECISE: Final = 1e-9
"""Where messages between more than two teams have settled; the package stops after ten rounds."""

_MOST_TEAMS: Final = 6


def _cdf(x: float) -> float:
    # Not 1 + erf: that is 0 from 9 sigma down, which would make a great upset impossible to rate.
    return erfc(-x / sqrt(2)) / 2


def _pdf(x: float) -> float:
    return exp(-x * x / 2) / sqrt(2 * pi)


_QUANTILE: Final = NormalDist().inv_cdf


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of an entrant's skill.

    Raises:
        InputError: a number is not finite, or the deviation not above 0.
    """

    mu: float
    sigma: float

    def __post_init__(self) -> None:
        if not (isfinite(self.mu) and isfinite(self.sigma) and self.sigma > 0):
            raise InputError(
                f"rating {self.mu:g} with sigma {self.sigma:g}: both must be finite, sigma above 0"
            )

    @property
    def conservative(self) -> float:
        """A skill that the entrant has almost certainly: mu - 3 sigma. Ladders are ranked on it."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What all ratings of a ladder are worked out with; published and stored with them.

    The defaults suit matches of ten boards; how they were found is in this package's README.

    Attributes:
        mu, sigma: The rating of an entrant that has not played.
        beta: Deviation of the noise in a performance: an entrant that is beta ahead wins 76 % of
            its matches.
        tau: How much skill may change between two matches; 0 if entrants do not change.
        draw_probability: How often two entrants of the same skill draw.

    Raises:
        InputError: one of them cannot be; the message names it.
    """

    mu: float = 25.0
    sigma: float = 25 / 3
    beta: float = 25 / 6
    tau: float = 25 / 300
    draw_probability: float = 0.005

    def __post_init__(self) -> None:
        for field in fields(self):
            if not isfinite(getattr(self, field.name)):
                raise InputError(f"{field.name} {getattr(self, field.name)}: must be finite")
        for name in ("sigma", "beta"):
            if getattr(self, name) <= 0:
                raise InputError(f"{name} {getattr(self, name):g}: must be above 0")
        if self.tau < 0:
            raise InputError(f"tau {self.tau:g}: must not be below 0")
        if not 0 <= self.draw_probability < 1:
            raise InputError(
                f"draw_probability {self.draw_probability:g}: must be from 0 to below 1"
            )

    @property
    def start(self) -> Rating:
        """The rating of an entrant that has not played."""
        return Rating(self.mu, self.sigma)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The result of a match, as far as ratings go.

    Attributes:
        teams: The entrants of each team.
        ranks: By team, the smallest for the best; teams that tie have the same rank.

    Raises:
        InputError: the numbers do not fit, a team is empty, or an entrant is there twice.
    """

    teams: tuple[tuple[str, ...], ...]
    ranks: tuple[int, ...]

    def __post_init__(self) -> None:
        count = len(self.teams)
        if not 2 <= count <= _MOST_TEAMS:
            raise InputError(f"a match has 2 to {_MOST_TEAMS} teams, not {count}")
        if len(self.ranks) != count:
            raise InputError(f"{count} teams have {count} ranks, not {len(self.ranks)}")
        if not all(self.teams):
            raise InputError("a team without an entrant cannot be rated")
        entrants = list(chain.from_iterable(self.teams))
        for entrant in entrants:
            if entrants.count(entrant) > 1:
                raise InputError(f"entrant {entrant!r} cannot play twice in a rated match")


def rate(
    parameters: Parameters, ratings: Mapping[str, Rating], ranking: Ranking
) -> dict[str, Rating]:
    """Return the new ratings of those who played; whoever has none in `ratings` has just started.

    In which order the teams are listed changes nothing.

    Raises:
        InputError: the ratings lie so far apart that the result is beyond all numbers.
    """
    # Teams that tie are compared in the order in which they are given, so that has to be fixed.
    order = sorted(zip(ranking.ranks, map(sorted, ranking.teams), strict=True))
    teams = [team for _, team in order]
    before = [
        tuple(_to_package(ratings.get(entrant, parameters.start)) for entrant in team)
        for team in teams
    ]
    try:
        after = _environment(parameters).rate(
            before, ranks=[rank for rank, _ in order], min_delta=_PRECISE
        )
    except FloatingPointError:
        names = " and ".join("+".join(team) for team in teams)
        raise InputError(f"the ratings of {names} lie too far apart for this result") from None
    return {
        entrant: Rating(new.mu, new.sigma)
        for team, rated in zip(teams, after, strict=True)
        for entrant, new in zip(team, rated, strict=True)
    }


def rate_all(
    parameters: Parameters,
    rankings: Iterable[Ranking],
    ratings: Mapping[str, Rating] | None = None,
) -> dict[str, Rating]:
    """The ratings after matches in their order, from the beginning or from `ratings` on.

    Raises:
        InputError: as `rate` does.
    """
    current = dict(ratings or {})
    for ranking in rankings:
        current.update(rate(parameters, current, ranking))
    return current


def expected_share(parameters: Parameters, one: Rating, other: Rating) -> float:
    """The share of a match that `one` may expect against `other`: a win is 1, a draw 1/2."""
    return expected_team_share(parameters, (one,), (other,))


def expected_team_share(
    parameters: Parameters, ours: Sequence[Rating], theirs: Sequence[Rating]
) -> float:
    """The share of their duel that a team may expect against another one.

    In which order partners are listed changes nothing.
    """
    both = (*ours, *theirs)
    spread = sqrt(fsum(parameters.beta**2 + one.sigma**2 for one in both))
    quantile = _QUANTILE((1 + parameters.draw_probability) / 2)
    margin = quantile * sqrt(len(both)) * parameters.beta
    # A sum that is rounded exactly does not depend on its order.
    ahead = fsum([*(one.mu for one in ours), *(-one.mu for one in theirs)])
    return (_cdf((ahead - margin) / spread) + _cdf((ahead + margin) / spread)) / 2


def _to_package(rating: Rating) -> Any:
    return trueskill.Rating(rating.mu, rating.sigma)


@lru_cache(maxsize=16)
def _environment(parameters: Parameters) -> Any:
    """The package, set up."""
    return trueskill.TrueSkill(
        mu=parameters.mu,
        sigma=parameters.sigma,
        beta=parameters.beta,
        tau=parameters.tau,
        draw_probability=parameters.draw_probability,
        backend=(_cdf, _pdf, _QUANTILE),
    )
