"""Gauntlet: the first of the seeding each against all others, who do not meet each other."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from arena.errors import InputError
from arena.formats.plans import (
    absence,
    is_played,
    require_duels,
    require_pairings,
    standing_with,
    unannounced,
    with_places,
)
from arena.formats.roundrobin import require_times
from arena.formats.scoring import Scoring
from arena.formats.standings import standings
from arena.formats.story import Field, Pairing, Row, Story

__all__ = ["Gauntlet"]

_NAME: Final = "gauntlet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauntlet:
    """Heroes, the best of the seeding, against challengers, all others; announced at once.

    Nobody plays twice in a round. Sides are balanced to within one, for heroes and challengers.

    Attributes:
        heroes: How many heroes there are; they do not meet.
        times: How often a hero meets a challenger; the second time they change sides.

    Raises:
        InputError: one of them cannot be; the message names it.
    """

    heroes: int = 1
    times: int = 1
    scoring: Scoring = dataclasses.field(default_factory=Scoring)

    def __post_init__(self) -> None:
        if self.heroes < 1:
            raise InputError(f"heroes {self.heroes}: must be 1 or more")
        require_times(self.times)

    @property
    def takes_latecomers(self) -> bool:
        """Nobody: everything is announced at once."""
        return False

    def check(self, field: Field) -> None:
        """Refuse a field that is not one against one, without a challenger, or too large.

        Raises:
            InputError: it is so.
        """
        require_duels(f"{_NAME} with heroes {self.heroes}", field, least=self.heroes + 1)
        require_pairings(_NAME, field, self._size(field))

    def due(self, story: Story) -> Sequence[Pairing]:
        """All pairings, until they are announced."""
        return unannounced(story, self._plan(story.field), self._size(story.field))

    def is_over(self, story: Story) -> bool:
        """Whether everything has a score."""
        return is_played(story, self._size(story.field))

    def table(self, story: Story) -> Sequence[Row]:
        """Heroes by the rules of counting, then challengers by the same.

        The two are not compared: a hero has other opponents and more matches than a challenger.
        Who is gone stands below both.
        """
        parts = {
            "hero": range(self.heroes),
            "challenger": range(self.heroes, story.field.entrants),
        }
        rows: list[Row] = []
        keys: dict[int, tuple[Fraction | int, ...]] = {}
        for number, (part, members) in enumerate(parts.items()):
            for row in standings(story, self.scoring, among=members):
                keys[row.entrant] = (absence(story, row.entrant), number, row.place)
                rows.append(dataclasses.replace(row, note=standing_with(story, row, part)))
        return with_places(rows, keys)

    def _size(self, field: Field) -> int:
        return self.heroes * (field.entrants - self.heroes) * self.times

    def _plan(self, field: Field) -> Iterator[Pairing]:
        challengers = field.entrants - self.heroes
        few, many = sorted((self.heroes, challengers))
        for leg in range(self.times):
            for turn in range(many):
                number = leg * many + turn + 1
                for one in range(few):
                    met = (turn + one) % many
                    hero, other = (one, met) if few == self.heroes else (met, one)
                    table = one + 1
                    pair = ((hero,), (self.heroes + other,))
                    yield Pairing(
                        key=f"{number}.{table}",
                        round=number,
                        title=f"round {number}, table {table}",
                        teams=pair[::-1] if (hero + other + leg) % 2 else pair,
                    )
