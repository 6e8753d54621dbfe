"""What a match does to the ratings of those who played, and how that is told to people.

A change is worked out by the same function when a result comes in and when all ratings are made
again from the ledger, so the two are equal to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, hypot, isfinite
from typing import Final

from arena.errors import InputError
from arena.ladder.rating import Parameters, Ranking, Rating, expected_team_share, rate

__all__ = ["WIDENING", "Change", "explain", "new_version", "rate_match"]

WIDENING: Final = 0.3
"""How uncertain a new version is: the part of the start deviation that is added, in squares."""


@dataclass(frozen=True, slots=True)
class Change:
    """How one match moved one entrant's rating.

    Attributes:
        entrant: Its name, as in the ranking.
        before, after: Its ratings.
        expected: The share of its duels with the other teams that its team could expect, 0 to 1.
        actual: The share that its team got: a team ahead of another one has won their duel (1), a
            tie is 1/2. With two teams 1 is a win.
        rank: Its team's rank, as in the ranking.
    """

    entrant: str
    before: Rating
    after: Rating
    expected: float
    actual: float
    rank: int


def rate_match(
    parameters: Parameters, ratings: Mapping[str, Rating], ranking: Ranking
) -> tuple[Change, ...]:
    """Return what a match changes, in the order of the ranking's teams and their entrants.

    Whoever has no rating in `ratings` has just started. Nothing else is looked at, and in which
    order the teams are listed changes no number.

    Raises:
        InputError: the ratings lie so far apart that the result is beyond all numbers.
    """
    before = {
        entrant: ratings.get(entrant, parameters.start)
        for team in ranking.teams
        for entrant in team
    }
    after = rate(parameters, before, ranking)
    strengths = [[before[entrant] for entrant in sorted(team)] for team in ranking.teams]
    return tuple(
        Change(
            entrant=entrant,
            before=before[entrant],
            after=after[entrant],
            expected=_expected(parameters, strengths, number),
            actual=_actual(ranking.ranks, number),
            rank=ranking.ranks[number],
        )
        for number, team in enumerate(ranking.teams)
        for entrant in team
    )


def _expected(parameters: Parameters, teams: Sequence[Sequence[Rating]], number: int) -> float:
    """The mean share that a team may expect against each of the others."""
    shares = [
        expected_team_share(parameters, teams[number], other)
        for at, other in enumerate(teams)
        if at != number
    ]
    return fsum(shares) / len(shares)


def _actual(ranks: Sequence[int], number: int) -> float:
    ours = ranks[number]
    others = [rank for at, rank in enumerate(ranks) if at != number]
    half_points = sum(2 * (ours < theirs) + (ours == theirs) for theirs in others)
    return half_points / (2 * len(others))


def new_version(parameters: Parameters, rating: Rating, widening: float = WIDENING) -> Rating:
    """The rating with which a new version of an entrant goes on.

    The mean stays. The deviation becomes sqrt(sigma^2 + (widening * start deviation)^2), and at
    most the start deviation: with 0 a new version is as sure as the old one was, from 1 on it is as
    uncertain as a newcomer. An entrant that is more uncertain than a newcomer stays as it is.

    Raises:
        InputError: the widening is not a number from 0 on.
    """
    if not (isfinite(widening) and widening >= 0):
        raise InputError(f"widening {widening}: must be finite and not below 0")
    wider = hypot(rating.sigma, widening * parameters.sigma)
    return Rating(rating.mu, max(rating.sigma, min(parameters.sigma, wider)))


# -- for people -----------------------------------------------------------------------------------


def explain(
    changes: Sequence[Change], entrant: str, titles: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """Say in a few lines why a match moved an entrant's rating.

    Args:
        changes: All changes of the match, as `rate_match` returns them.
        entrant: Whose change it is about.
        titles: What people call the entrants; whoever is not in it is called by its name.

    Raises:
        InputError: the entrant has not played in this match.
    """
    own = next((one for one in changes if one.entrant == entrant), None)
    if own is None:
        raise InputError(f"entrant {entrant!r} has not played in this match")
    titles = titles or {}
    moved = own.after.mu - own.before.mu
    shown = own.after.conservative - own.before.conservative
    return (
        f"before: {_rating_text(own.before)}",
        f"result: {_result_text(own, changes)}",
        *(
            f"  {titles.get(one.entrant, one.entrant)}: rank {_place(one, changes)}, "
            f"{_rating_text(one.before)}"
            for one in changes
            if one is not own
        ),
        f"expected a share of {100 * own.expected:.0f} % against them, got "
        f"{100 * own.actual:.0f} %: {_verdict(own)}",
        f"after: {_rating_text(own.after)}",
        f"mu {moved:+.2f}, sigma {own.after.sigma - own.before.sigma:+.2f}, rating {shown:+.2f}",
        *_reason(own),
    )


def _rating_text(rating: Rating) -> str:
    return f"rating {rating.conservative:.2f} = mu {rating.mu:.2f} - 3 x sigma {rating.sigma:.2f}"


def _place(change: Change, changes: Sequence[Change]) -> int:
    """A rank as people count: 1 for the best."""
    return 1 + len({one.rank for one in changes if one.rank < change.rank})


def _result_text(own: Change, changes: Sequence[Change]) -> str:
    level = len({one.rank for one in changes}) == 1
    if level:
        return "a draw, against"
    words = {1.0: "won, against", 0.0: "lost, against"}
    return words.get(own.actual, f"rank {_place(own, changes)}, with")


def _verdict(own: Change) -> str:
    if abs(own.actual - own.expected) < 0.005:
        return "as expected"
    return "better than expected" if own.actual > own.expected else "worse than expected"


def _reason(own: Change) -> tuple[str, ...]:
    """What surprises people: a rating that moves against the result."""
    up = own.after.conservative > own.before.conservative
    if own.actual < own.expected and up:
        return ("the rating rises all the same: the match has made us surer of what it is worth",)
    if own.actual > own.expected and not up:
        return ("the rating falls all the same: skill may change, which widens sigma a little",)
    return ()
