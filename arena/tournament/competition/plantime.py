"""How long a plan takes on a machine: matches at once, and rounds that wait for each other.

What is announced together can be played at once, as far as there are places. What a format
announces next waits for the last of these, so a machine with more places than a round has matches
gains nothing from them. In an elimination a duel may begin as soon as both sides are known; here it
waits for the round, so this is rather too long than too short.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from arena.errors import InputError
from arena.tournament.competition.planplay import Ended, Wave

__all__ = ["Pace", "seconds_of", "wave_seconds"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast a machine plays.

    Attributes:
        game: Seconds for one game.
        start: Seconds that a match takes besides: programs or containers start, records are kept.
        at_once: Matches that are played at the same time.

    Raises:
        InputError: a number cannot be.
    """

    game: float
    start: float = 0.0
    at_once: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.game < float("inf"):
            raise InputError(f"seconds per game {self.game:g}: must be more than 0")
        if not 0 <= self.start < float("inf"):
            raise InputError(f"seconds for a start {self.start:g}: must be 0 or more")
        if self.at_once < 1:
            raise InputError(f"matches at once {self.at_once}: must be 1 or more")

    def match(self, games: int) -> float:
        """Seconds for a match of so many games."""
        return self.start + games * self.game


def wave_seconds(wave: Wave, games_per_board: int, pace: Pace) -> float:
    """Seconds for matches that can be played at once, begun in their order as places get free."""
    places = [0.0] * min(pace.at_once, len(wave))
    for boards in wave:
        heapq.heapreplace(places, places[0] + pace.match(boards * games_per_board))
    return max(places, default=0.0)


def seconds_of(ended: Ended, games_per_board: int, pace: Pace) -> tuple[float, ...]:
    """Seconds for each stage of a competition."""
    return tuple(_stage_seconds(waves, games_per_board, pace) for waves in ended.waves)


def _stage_seconds(waves: Sequence[Wave], games_per_board: int, pace: Pace) -> float:
    return sum(wave_seconds(wave, games_per_board, pace) for wave in waves)
