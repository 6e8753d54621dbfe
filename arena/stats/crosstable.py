"""Who has scored how much against whom, over any number of matches between any entrants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.stats.scores import DRAW, LOSS, WIN, GameScore

__all__ = ["CrossTable", "Duel"]


@dataclass(frozen=True, slots=True)
class Duel:
    """What one entrant has done against another, or against all others.

    Attributes:
        wins, draws, losses: Games in which it ranked ahead, level, behind.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """Games in which they met."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float | None:
        """The share of the first, a draw being 1/2; None if they have not met."""
        return (2 * self.wins + self.draws) / (2 * self.games) if self.games else None

    def __add__(self, other: Duel) -> Duel:
        return Duel(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


class CrossTable:
    """Entrants against entrants. The order in which games are added changes nothing."""

    def __init__(self) -> None:
        self._results: dict[str, dict[str, list[int]]] = {}

    def add(self, sides: Sequence[Sequence[str]], score: GameScore) -> None:
        """Count a game: by side the entrants that played for it, and what it brought.

        Everybody has met everybody of the other sides. Partners have not met, nor has an entrant
        that sits at the table twice met itself.

        Raises:
            ValueError: the score is of another number of sides.
        """
        if len(sides) != score.sides:
            raise ValueError(f"{len(sides)} sides, and a score of {score.sides}")
        for a, ours in enumerate(sides):
            for one in ours:
                row = self._results.setdefault(one, {})
                for b, theirs in enumerate(sides):
                    if a != b:
                        _count(row, [other for other in theirs if other != one], score.duel(a, b))

    def duel(self, one: str, other: str) -> Duel:
        """What `one` has done against `other`."""
        results = self._results.get(one, {}).get(other)
        return _duel(results) if results else Duel()

    def total(self, one: str) -> Duel:
        """What `one` has done against everybody."""
        return sum(map(_duel, self._results.get(one, {}).values()), Duel())

    @property
    def entrants(self) -> tuple[str, ...]:
        """All entrants, the one with the largest share of all its duels first, then by name."""
        return tuple(sorted(self._results, key=lambda one: (-(self.total(one).share or 0), one)))


def _count(row: dict[str, list[int]], others: Sequence[str], result: int) -> None:
    for other in others:
        row.setdefault(other, [0, 0, 0])[result] += 1


def _duel(results: Sequence[int]) -> Duel:
    return Duel(wins=results[WIN], draws=results[DRAW], losses=results[LOSS])
