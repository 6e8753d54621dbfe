"""Sums of whole numbers, from which mean and variance are worked out when somebody asks.

Scores, places and points of a board are whole numbers of some unit, so their sums are exact,
however many boards there are, in whatever order they are added, and put together from whatever
parts. The usual remedy for floating-point sums (Welford 1962) is not needed: nothing is rounded
before the one division at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

__all__ = ["ExactSums"]


@dataclass(slots=True)
class ExactSums:
    """Count, sum and sum of squares of whole numbers.

    Attributes:
        per: How many of the units that are added make one of what mean and variance are told in.
        count: How many were added.
        total: Their sum, in units.
        squares: The sum of their squares, in units squared.
    """

    per: int
    count: int = 0
    total: int = 0
    squares: int = 0

    def add(self, units: int) -> None:
        """Take one more."""
        self.count += 1
        self.total += units
        self.squares += units * units

    def merged(self, other: ExactSums) -> ExactSums:
        """The sums of both.

        Raises:
            ValueError: they count in different units.
        """
        if self.per != other.per:
            raise ValueError(f"sums of 1/{self.per} and 1/{other.per} do not add up")
        return ExactSums(
            self.per,
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
        )

    @property
    def mean(self) -> float:
        """The mean; there must be something of which to take it."""
        return self.total / (self.count * self.per)

    @property
    def standard_error(self) -> float | None:
        """Standard deviation over the root of the count: how far the mean may be off by chance.

        None with fewer than two numbers, which tell no spread, and 0 when all are equal.
        """
        if self.count < 2:
            return None
        spread = self.count * self.squares - self.total * self.total
        return sqrt(spread / (self.count - 1)) / (self.count * self.per)
