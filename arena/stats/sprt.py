"""The sequential probability ratio test (Wald 1945): play until it is clear which Elo fits better.

    H0  `a` is elo0 stronger than `b`         accepted when the LLR falls to log(beta / (1 - alpha))
    H1  `a` is elo1 stronger                  accepted when it rises to log((1 - beta) / alpha)

The LLR is the logarithm of how much likelier the boards are under H1. Neither hypothesis says how
board scores are distributed, only their mean, so each is given its best case: the distribution of
that mean under which what was seen is likeliest (generalised SPRT: Li, Liu and Ying 2014; Van den
Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution",
2019). With p the shares of boards by score x, it is

    q = p / (1 + theta (x - s))    with theta such that the mean of q is s

(the same as Owen's empirical likelihood, 1988). That holds for any distribution of board scores:
any number of rotations, and games of a board that depend on each other in any way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite, log
from typing import Final

from arena.errors import InputError
from arena.stats.estimates import share_of

__all__ = ["Decision", "Sprt", "SprtRun"]

_NEVER_SEEN: Final = 1e-3
"""Counts for a board score that has not come up; without it a mean beyond all that was seen would
be impossible rather than unlikely. The value is the one in use in chess."""

_FARTHEST_ELO: Final = 1000
_PRECISE: Final = 1e-7
"""How near theta has to be: the likelihood is stationary there, so it is off by the square of this,
times the boards."""

_MOST_STEPS: Final = 100


class Decision(StrEnum):
    """What the test says so far."""

    CONTINUE = "continue"
    H0 = "accept H0"
    H1 = "accept H1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprt:
    """What is tested, and how often it may be wrong.

    Attributes:
        elo0, elo1: The two differences in Elo (logistic), the smaller one first.
        alpha: How often H1 may be accepted although H0 is true.
        beta: How often H0 may be accepted although H1 is true.

    Raises:
        InputError: one of them cannot be; the message names it.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if not 0 < value < 0.5:
                raise InputError(f"{name} {value:g}: must be above 0 and below 0.5")
        for name in ("elo0", "elo1"):
            value = getattr(self, name)
            if not isfinite(value) or abs(value) > _FARTHEST_ELO:
                raise InputError(
                    f"{name} {value:g}: must be from -{_FARTHEST_ELO} to {_FARTHEST_ELO}"
                )
        if self.elo1 - self.elo0 < 0.01:
            raise InputError(
                f"elo1 {self.elo1:g}: must be above elo0, which is {self.elo0:g}, by 0.01 or more"
            )

    @property
    def lower(self) -> float:
        """The LLR at which H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR at which H1 is accepted."""
        return log((1 - self.beta) / self.alpha)

    def llr(self, by_score: Sequence[int]) -> float:
        """The log likelihood ratio of boards by score: entry k of n + 1 counts the scores k / n."""
        if not any(by_score):
            return 0.0
        top = len(by_score) - 1
        counts = [count or _NEVER_SEEN for count in by_score]
        scores = [score / top for score in range(top + 1)]
        return _likelihood(counts, scores, share_of(self.elo1)) - _likelihood(
            counts, scores, share_of(self.elo0)
        )

    def decide(self, llr: float) -> Decision:
        """What follows from an LLR."""
        if llr >= self.upper:
            return Decision.H1
        return Decision.H0 if llr <= self.lower else Decision.CONTINUE


def _likelihood(counts: Sequence[float], scores: Sequence[float], mean: float) -> float:
    """The largest log likelihood of the counts under a mean, less that under no condition."""
    away = [score - mean for score in scores]
    theta = _tilt(counts, away)
    return -sum(count * log(1 + theta * one) for count, one in zip(counts, away, strict=True))


def _tilt(counts: Sequence[float], away: Sequence[float]) -> float:
    """The theta at which sum of count * away / (1 + theta * away) is 0: Newton, kept in bounds.

    The sum falls with theta, from plus to minus infinity between the bounds that keep every share
    positive.
    """
    low, high = -1 / away[-1], -1 / away[0]
    theta = 0.0
    for _ in range(_MOST_STEPS):
        value = slope = 0.0
        for count, one in zip(counts, away, strict=True):
            part = one / (1 + theta * one)
            value += count * part
            slope += count * part * part
        if value > 0:
            low = theta
        else:
            high = theta
        step = value / slope
        if abs(step) < _PRECISE:
            return theta
        theta = theta + step if low < theta + step < high else (low + high) / 2
    return theta


class SprtRun:
    """A test in progress: looks at every board, in board order, and decides once.

    Attributes:
        sprt: What is tested.
        by_score: Boards by half points, up to the one that decided.
        llr: The LLR of those boards.
        decision: What it says.
    """

    def __init__(self, sprt: Sprt, rotations: int) -> None:
        self.sprt = sprt
        self.by_score = [0] * (2 * rotations + 1)
        self.llr = 0.0
        self.decision = Decision.CONTINUE

    @property
    def boards(self) -> int:
        """Boards looked at."""
        return sum(self.by_score)

    def add(self, scored: int) -> Decision:
        """Look at the next board, on which the side scored so many half points.

        A decision stands: boards after it change nothing, so that it does not depend on how many
        more were under way.
        """
        if self.decision is Decision.CONTINUE:
            self.by_score[scored] += 1
            self.llr = self.sprt.llr(self.by_score)
            self.decision = self.sprt.decide(self.llr)
        return self.decision
