"""How much of the ladder each bot and each owner has had of late, and who has met whom.

A match counts less the longer ago it was. Instead of making all past ones smaller with every match,
each new one counts for more than the one before; only when numbers grow large are all made smaller.
So loads may be compared with each other at any time, and `unit` says what one match counts now.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Final, TypeVar

from arena.ladder.pairing import Meeting

__all__ = ["Loads"]

Key = TypeVar("Key")

_STEP: Final = 1.02
_LARGE: Final = 16.0
_TRACE: Final = 1 / 16
"""Of a match: what counts for less, once numbers are made smaller, is forgotten."""


class Loads:
    """Matches of the past, by bot, by owner, by pair of owners or bots, and by table.

    Attributes:
        unit: What a match counts that begins now.
        of_entrant, of_owner, of_table: What they have had, in matches of the usual cost.
    """

    def __init__(self, memory: float) -> None:
        self.unit = 1.0
        self.of_entrant: defaultdict[int, float] = defaultdict(float)
        self.of_owner: defaultdict[int, float] = defaultdict(float)
        self.of_table: defaultdict[str, float] = defaultdict(float)
        self._entrant_pairs: defaultdict[tuple[int, int], float] = defaultdict(float)
        self._owner_pairs: defaultdict[tuple[int, int], float] = defaultdict(float)
        self._memory = memory
        self._usual = 0.0  # machine time of a match

    def add(self, meeting: Meeting, active: int) -> bool:
        """A match begins, in a ladder with so many active bots.

        Returns:
            Whether all loads have been made smaller.
        """
        self.unit *= 2 ** (1 / (self._memory * max(active, 2)))
        unit = self.unit
        for entrant, owner in zip(meeting.entrants, meeting.owners, strict=True):
            self.of_entrant[entrant] += unit
            self.of_owner[owner] += unit
        for pair in combinations(sorted(meeting.entrants), 2):
            self._entrant_pairs[pair] += unit
        for pair in combinations(sorted(meeting.owners), 2):
            self._owner_pairs[pair] += unit
        self.of_table[meeting.table] += unit
        if unit <= _LARGE:
            return False
        self._shrink()
        return True

    def charge(self, entrant: int, owner: int, machine_time: float, dearest: float) -> None:
        """A match has taken so much machine time for a bot: beyond the usual that counts extra.

        At most `dearest` times the usual counts, so that who is slow is not left out for ever.
        """
        if machine_time <= 0:
            return
        usual = self._usual or machine_time
        extra = max(0.0, min(machine_time / usual, dearest) - 1) * self.unit
        self.of_entrant[entrant] += extra
        self.of_owner[owner] += extra
        # Up or down by the same step: that comes to the median, whatever the slowest take.
        self._usual = usual * (_STEP if machine_time > usual else 1 / _STEP)

    def met(self, one: int, other: int) -> float:
        """About how often two bots have met of late."""
        pair = (one, other) if one < other else (other, one)
        return self._entrant_pairs.get(pair, 0.0) / self.unit

    def owners_met(self, one: int, other: int) -> float:
        """About how often bots of two owners have met of late."""
        pair = (one, other) if one < other else (other, one)
        return self._owner_pairs.get(pair, 0.0) / self.unit

    def _shrink(self) -> None:
        for count in (self.of_entrant, self.of_owner):
            _divide(count, self.unit)
        for pairs in (self._entrant_pairs, self._owner_pairs):
            _divide(pairs, self.unit)
        _divide(self.of_table, self.unit)
        self.unit = 1.0


def _divide(counts: dict[Key, float], by: float) -> None:
    for key, value in list(counts.items()):
        if value < _TRACE * by:
            del counts[key]
        else:
            counts[key] = value / by
