"""What one game brought to the sides that played it.

A *side* is whoever has a rank in a game: a bot, or partners together. Sides are numbered by their
bots, in the order in which they were named, and keep their numbers while their seats rotate; a seat
or a team of the engine is another one in every rotation.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import InputError

__all__ = ["DRAW", "LOSS", "WIN", "GameScore", "half_points", "ranks_by"]

WIN: Final = 2
DRAW: Final = 1
LOSS: Final = 0

_MOST_SIDES: Final = 6


@dataclass(frozen=True, slots=True)
class GameScore:
    """The result of one game, as far as statistics go.

    Attributes:
        ranks: By side, 0 for the best; sides that tie have the same rank.
        points: By side, match points, or km where the game makes no points.
        forfeited_by: The sides that forfeited the game; nobody, if it was played out. Their ranks
            count, but the points of such a game say nothing.

    Raises:
        InputError: the number of sides, a rank or a forfeit cannot be; the message says which.
    """

    ranks: tuple[int, ...]
    points: tuple[int, ...]
    forfeited_by: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        sides = len(self.ranks)
        if not 2 <= sides <= _MOST_SIDES:
            raise InputError(f"a game has 2 to {_MOST_SIDES} sides, not {sides}")
        if len(self.points) != sides:
            raise InputError(f"a game of {sides} sides has {sides} points, not {len(self.points)}")
        if min(self.ranks) != 0 or max(self.ranks) >= sides:
            raise InputError(f"ranks {self.ranks}: the best is 0, the worst at most {sides - 1}")
        if self.forfeited_by:
            self._check_forfeits()

    def _check_forfeits(self) -> None:
        sides = range(len(self.ranks))
        if not set(self.forfeited_by) <= set(sides):
            raise InputError(f"forfeits of sides {self.forfeited_by} of {len(sides)}")
        others = [self.ranks[side] for side in sides if side not in self.forfeited_by]
        if others and max(others) > min(self.ranks[side] for side in self.forfeited_by):
            raise InputError(
                f"ranks {self.ranks}: sides {self.forfeited_by} forfeited, so rank last"
            )

    @property
    def sides(self) -> int:
        """How many sides played."""
        return len(self.ranks)

    @property
    def is_forfeited(self) -> bool:
        """Whether somebody forfeited it."""
        return bool(self.forfeited_by)

    def duel(self, a: int, b: int) -> int:
        """What side `a` has scored against side `b`, in half points: WIN, DRAW or LOSS."""
        ours, theirs = self.ranks[a], self.ranks[b]
        if ours < theirs:
            return WIN
        return DRAW if ours == theirs else LOSS


def half_points(board: Sequence[GameScore], a: int, b: int) -> int:
    """What side `a` has scored against `b` on a board, in half points: 0 to twice its games."""
    return sum(game.duel(a, b) for game in board)


def ranks_by(points: Sequence[int], forfeited_by: Collection[int] = ()) -> tuple[int, ...]:
    """The ranks that points give: 0 for the most, equal points share a rank, forfeits come last.

    A rank counts the sides that are ahead: two winners of three have ranks 0, 0 and the third 2.
    """
    merits = [(side not in forfeited_by, made) for side, made in enumerate(points)]
    # What a side that forfeited has made decides nothing, not even between two of them.
    merits = [(played, made if played else 0) for played, made in merits]
    return tuple(sum(other > merit for other in merits) for merit in merits)
