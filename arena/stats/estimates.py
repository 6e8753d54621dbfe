"""Estimates with the interval that they are uncertain by, all at 95 %.

Two things can make a mean over n boards wrong; an interval has to reach as far as the worse one:

    spread        boards differ; by how much, the boards themselves tell: Student's t (1908)
    unseen boards a kind of board that has not come up yet. With probability 95 % (97.5 % to a side)
                  such boards are fewer than 1 - 0.025^(1/n) of all boards: that is the exact limit
                  of Clopper and Pearson (1934) for something not seen in n trials, about 3.7 / n

The second one matters where the first one fails: when all boards, or nearly all, came out the
same. Ten boards won outright have no spread at all, and are no proof that no board can be lost. How
far off an unseen board can be has to be known, so it is for shares and places, not for points.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log10
from typing import Final

from arena.stats.student import NORMAL, student_cdf, student_quantile
from arena.stats.sums import ExactSums

__all__ = [
    "CONFIDENCE",
    "Estimate",
    "Interval",
    "bounded_estimate",
    "elo_estimate",
    "elo_of",
    "estimate",
    "share_of",
    "superiority",
]

CONFIDENCE: Final = 0.95
_TAIL: Final = (1 - CONFIDENCE) / 2
_Z: Final = NORMAL.inv_cdf(1 - _TAIL)


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`, both included."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """From one end to the other."""
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over boards.

    Attributes:
        value: The mean of the boards that were counted.
        interval: Where the mean of all boards lies, at 95 %; None if too little is known to say.
    """

    value: float
    interval: Interval | None


def estimate(sums: ExactSums) -> Estimate | None:
    """The mean of something without limits, such as points; None if there is nothing.

    No interval with fewer than two boards, nor when all of them are equal: they do not tell then
    how much boards differ.
    """
    if not sums.count:
        return None
    error = sums.standard_error
    if not error:
        return Estimate(sums.mean, None)
    reach = student_quantile(1 - _TAIL, sums.count - 1) * error
    return Estimate(sums.mean, Interval(sums.mean - reach, sums.mean + reach))


def bounded_estimate(sums: ExactSums, least: float = 0, most: float = 1) -> Estimate | None:
    """The mean of something that lies between two limits; None if there is nothing.

    No interval with fewer than two boards.
    """
    if not sums.count:
        return None
    mean = sums.mean
    error = sums.standard_error
    if error is None:
        return Estimate(mean, None)
    reach = student_quantile(1 - _TAIL, sums.count - 1) * error
    unseen = _unseen(sums.count)
    low = mean - max(reach, unseen * (mean - least))
    high = mean + max(reach, unseen * (most - mean))
    return Estimate(mean, Interval(max(low, least), min(high, most)))


def _unseen(boards: int) -> float:
    """How large a part of all boards may be of a kind that has not come up in so many."""
    return 1 - float(_TAIL ** (1 / boards))


def superiority(share: ExactSums) -> float | None:
    """The likelihood of superiority (LOS): how sure it is that the mean share is above one half.

    By Student's t over boards, because their spread is estimated, and never surer than the unseen
    boards allow. So it is above 97.5 % just when the interval lies above one half. None with fewer
    than two boards.
    """
    error = share.standard_error
    if error is None:
        return None
    ahead = (2 * share.total - share.count * share.per) / (2 * share.count * share.per)
    distance = abs(ahead)
    doubt = _doubt(distance, share.count)
    if error:
        doubt = max(doubt, student_cdf(-distance / error, share.count - 1))
    return 1 - doubt if ahead > 0 else doubt


def _doubt(distance: float, boards: int) -> float:
    """How likely unseen boards make up for a mean that is so far from one half."""
    mean = 0.5 + distance
    # Exact, as the interval's end: so many of all boards are unseen, and all of those are lost.
    exact = float((0.5 / mean) ** boards)
    if exact <= _TAIL:
        return exact
    # Nearer to one half that would be doubt beyond one half. The normal distribution that agrees
    # with it at the interval's end goes to one half.
    return NORMAL.cdf(-_Z * distance / (_unseen(boards) * mean))


# -- Elo --------------------------------------------------------------------------------------


def elo_of(share: float) -> float:
    """The difference in Elo at which a side scores that share (logistic); infinite at 0 and 1."""
    if share <= 0:
        return -inf
    return inf if share >= 1 else 400 * log10(share / (1 - share))


def share_of(elo: float) -> float:
    """The share that a side scores that is so much Elo stronger."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def elo_estimate(share: Estimate) -> Estimate:
    """The same estimate as a difference in Elo; infinite where the share reaches 0 or 1."""
    interval = share.interval
    if interval is not None:
        interval = Interval(elo_of(interval.low), elo_of(interval.high))
    return Estimate(elo_of(share.value), interval)
