"""Round robin: everybody against everybody, equally often.

Rounds are those of the Berger tables, made by the circle method: with an even number n of entrants,
numbered from 1, n stays and the others stand in a circle. In round r the entrant x with 2x = r + 1
(modulo n - 1) meets n, and x + j meets x - j for j from 1 to n/2 - 1. Who is team 0 follows from
the same tables: x + j is, and against n those of the first half are. So nobody sits on one side
more than once oftener than on the other. With an odd number nobody is n, and who would meet n
rests.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import InputError
from arena.formats.plans import is_played, require_duels, require_pairings, unannounced
from arena.formats.scoring import Scoring
from arena.formats.standings import standings
from arena.formats.story import Field, Pairing, Row, Story

__all__ = ["MOST_TIMES", "RoundRobin", "berger", "legs", "require_times"]

MOST_TIMES: Final = 20
"""How often two may meet in a stage; who wants more games plays more boards."""

_NAME: Final = "round robin"


def berger(entrants: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """The rounds in which so many entrants, from 0, meet once: each time (team 0, team 1).

    Of an odd number, one is in no pair of a round, and rests.
    """
    even = entrants + entrants % 2
    circle, last = even - 1, even - 1
    for number in range(circle):
        # Half of an odd number is taken modulo the circle, whose length is odd.
        pivot = number // 2 if number % 2 == 0 else (number + circle) // 2
        first = (pivot, last) if number % 2 == 0 else (last, pivot)
        others = (
            ((pivot + away) % circle, (pivot - away) % circle) for away in range(1, even // 2)
        )
        yield tuple(pair for pair in (first, *others) if max(pair) < entrants)


def legs(entrants: int, times: int) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Round and table, both from 1, and who meets there, when all meet so many times.

    Every second leg has the sides of the first exchanged.
    """
    once = tuple(berger(entrants))
    for leg in range(times):
        for number, pairs in enumerate(once, start=leg * len(once) + 1):
            for table, (one, other) in enumerate(pairs, start=1):
                yield number, table, (other, one) if leg % 2 else (one, other)


def require_times(times: int) -> None:
    """Refuse a number of meetings that cannot be.

    Raises:
        InputError: it is not from 1 to MOST_TIMES.
    """
    if not 1 <= times <= MOST_TIMES:
        raise InputError(f"times {times}: must be from 1 to {MOST_TIMES}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRobin:
    """Everybody against everybody; all rounds are announced at once.

    Attributes:
        times: How often two meet; the second time they change sides.

    Raises:
        InputError: `times` is not from 1 to MOST_TIMES.
    """

    times: int = 1
    scoring: Scoring = dataclasses.field(default_factory=Scoring)

    def __post_init__(self) -> None:
        require_times(self.times)

    @property
    def takes_latecomers(self) -> bool:
        """Nobody: all have met somebody else by then, or will."""
        return False

    def check(self, field: Field) -> None:
        """Refuse a field that is not one against one, too small, or too large.

        Raises:
            InputError: it is so.
        """
        require_duels(_NAME, field, least=2)
        require_pairings(_NAME, field, self._size(field))

    def due(self, story: Story) -> Sequence[Pairing]:
        """All pairings, until they are announced. A round without somebody is one that it rests."""
        return unannounced(story, self._plan(story.field), self._size(story.field))

    def is_over(self, story: Story) -> bool:
        """Whether everything has a score."""
        return is_played(story, self._size(story.field))

    def table(self, story: Story) -> Sequence[Row]:
        """By the rules of counting. Of an odd field the note says, until it is over, who rests."""
        rows = standings(story, self.scoring)
        if story.field.entrants % 2 == 0 or self.is_over(story):
            return rows
        resting = self._rests(story.field.entrants)
        return [
            dataclasses.replace(
                row, note="; ".join(filter(None, (row.note, resting.get(row.entrant, ""))))
            )
            for row in rows
        ]

    def _size(self, field: Field) -> int:
        return field.entrants * (field.entrants - 1) // 2 * self.times

    def _plan(self, field: Field) -> Iterator[Pairing]:
        for number, table, (one, other) in legs(field.entrants, self.times):
            yield Pairing(
                key=f"{number}.{table}",
                round=number,
                title=f"round {number}, table {table}",
                teams=((one,), (other,)),
            )

    def _rests(self, entrants: int) -> dict[int, str]:
        """By entrant of an odd number, in which rounds it rests."""
        everybody = set(range(entrants))
        found: dict[int, list[str]] = {entrant: [] for entrant in everybody}
        once = [everybody - {one for pair in pairs for one in pair} for pairs in berger(entrants)]
        for number, resting in enumerate(once * self.times, start=1):
            for entrant in resting:
                found[entrant].append(str(number))
        word = "round" if self.times == 1 else "rounds"
        return {entrant: f"rests in {word} {', '.join(at)}" for entrant, at in found.items()}
