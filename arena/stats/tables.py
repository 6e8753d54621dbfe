"""A table of two or more sides, board by board: every side for itself, and every pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from arena.stats.estimates import Estimate, bounded_estimate, estimate
from arena.stats.pairs import PairTally
from arena.stats.scores import GameScore
from arena.stats.sums import ExactSums

__all__ = ["SideSummary", "TableTally"]

_WIN_PARTS: Final = 60
"""A win among 1 to 6 sides that tie is split into equal whole parts."""

_PLACE_PARTS: Final = 2
"""Sides that tie share places; their mean is a whole number or a half."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideSummary:
    """What the boards say about one side at its table.

    Attributes:
        boards: Boards counted.
        games: Games on them.
        forfeits: Games that this side forfeited.
        place: Mean place, 1 for the best; sides that tie share the mean of their places.
        won: Share of games won; sides that tie for the win share it equally.
        points: Mean points (or km) in a game; None without a board to take it from.
        boards_without_points: Boards that `points` leaves out, because a game was forfeited.
    """

    boards: int
    games: int
    forfeits: int
    place: Estimate | None
    won: Estimate | None
    points: Estimate | None
    boards_without_points: int


class _SideTally:
    """Running sums of one side."""

    def __init__(self, side: int, sides: int, rotations: int) -> None:
        self._side = side
        self._sides = sides
        self._rotations = rotations
        self._forfeits = 0
        self._places = ExactSums(_PLACE_PARTS * rotations)
        self._wins = ExactSums(_WIN_PARTS * rotations)
        self._points = ExactSums(rotations)

    def add(self, board: Sequence[GameScore]) -> None:
        side = self._side
        self._places.add(sum(_place_parts(game.ranks, side) for game in board))
        self._wins.add(sum(_win_parts(game.ranks, side) for game in board))
        self._forfeits += sum(side in game.forfeited_by for game in board)
        if not any(game.is_forfeited for game in board):
            self._points.add(sum(game.points[side] for game in board))

    def summary(self) -> SideSummary:
        boards = self._places.count
        return SideSummary(
            boards=boards,
            games=boards * self._rotations,
            forfeits=self._forfeits,
            place=bounded_estimate(self._places, least=1, most=self._sides),
            won=bounded_estimate(self._wins),
            points=estimate(self._points),
            boards_without_points=boards - self._points.count,
        )


def _place_parts(ranks: Sequence[int], side: int) -> int:
    """The place of a side in halves: the mean of the places that it and those it ties with take."""
    ahead = sum(rank < ranks[side] for rank in ranks)
    return 2 * ahead + ranks.count(ranks[side]) + 1


def _win_parts(ranks: Sequence[int], side: int) -> int:
    """How many of the parts of a win a side gets."""
    return 0 if ranks[side] else _WIN_PARTS // ranks.count(0)


class TableTally:
    """Everything that is counted for a table: feed it boards, in board order.

    Attributes:
        rotations: Games on every board.
        pairs: By two sides, the smaller number first, how the first does against the second.

    Raises:
        ValueError: there are not at least two sides, or no game on a board.
    """

    def __init__(self, sides: int, rotations: int) -> None:
        if sides < 2:
            raise ValueError(f"a table of {sides} sides")
        self.rotations = rotations
        self.pairs = {(a, b): PairTally(a, b, rotations) for a, b in combinations(range(sides), 2)}
        self._sides = [_SideTally(side, sides, rotations) for side in range(sides)]

    def add(self, board: Sequence[GameScore]) -> None:
        """Count a board that is finished.

        Raises:
            ValueError: it has not as many games as there are rotations, or a game has not as many
                sides as the table; nothing is counted.
        """
        if len(board) != self.rotations:
            raise ValueError(f"a board of {self.rotations} games, not {len(board)}")
        if any(game.sides != len(self._sides) for game in board):
            raise ValueError(f"a game of {len(self._sides)} sides, not another number")
        for pair in self.pairs.values():
            pair.add(board)
        for side in self._sides:
            side.add(board)

    def sides(self) -> tuple[SideSummary, ...]:
        """What is known of every side."""
        return tuple(side.summary() for side in self._sides)
