"""Which boards may be counted, when results come in whatever order.

Parallel games do not end in the order in which they began: short ones are first. Statistics of
whatever is finished would therefore be of too many short games, and would differ with the number
of jobs. So boards are counted in their own order, up to the first that is not finished: what is
counted after n boards is always the same n boards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["BoardOrder", "Progress"]

Game = TypeVar("Game")
"""The result of one game."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a number of boards has come.

    Attributes:
        counted: Boards that are in the statistics: the first so many.
        waiting: Boards that are finished, but wait for an earlier one.
        open: Boards that have begun and are not finished.
    """

    counted: int
    waiting: int
    open: int


class BoardOrder(Generic[Game]):
    """Takes games in any order and gives back whole boards in board order.

    Boards are numbered from 0, the games of a board by their rotation from 0. What it holds are the
    games of boards that cannot be counted yet.

    Args:
        rotations: Games on every board.
        counted: Boards that have been counted already, when a run is taken up again.

    Raises:
        ValueError: no game on a board, or fewer than no board.
    """

    def __init__(self, rotations: int, counted: int = 0) -> None:
        if rotations < 1 or counted < 0:
            raise ValueError(f"{counted} boards of {rotations} games")
        self._rotations = rotations
        self._counted = counted
        self._games: dict[int, dict[int, Game]] = {}

    def begin(self, board: int) -> None:
        """A board is being played; from now on it counts as open. Doing so again changes nothing.

        Raises:
            ValueError: the board has been counted.
        """
        if board < self._counted:
            raise ValueError(f"board {board} has been counted")
        self._games.setdefault(board, {})

    def finish(self, board: int, rotation: int, game: Game) -> list[tuple[Game, ...]]:
        """Take a game that is over; return the boards that can be counted now, in order.

        Raises:
            ValueError: the board has been counted, the game is already there, or there is no such
                rotation; nothing is changed.
        """
        if not 0 <= rotation < self._rotations:
            raise ValueError(f"rotation {rotation} of {self._rotations}")
        self.begin(board)
        games = self._games[board]
        if rotation in games:
            raise ValueError(f"rotation {rotation} of board {board} is already there")
        games[rotation] = game
        return self._pass_on()

    def _pass_on(self) -> list[tuple[Game, ...]]:
        boards = []
        while len(self._games.get(self._counted, ())) == self._rotations:
            games = self._games.pop(self._counted)
            boards.append(tuple(games[rotation] for rotation in range(self._rotations)))
            self._counted += 1
        return boards

    @property
    def progress(self) -> Progress:
        """How far it has come."""
        waiting = sum(len(games) == self._rotations for games in self._games.values())
        return Progress(self._counted, waiting, len(self._games) - waiting)
