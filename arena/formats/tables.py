"""Individual tables of three to six: everybody meets everybody equally often, as far as can be."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.formats.balance import Balance, balance
from arena.formats.plans import is_played, unannounced
from arena.formats.scoring import Scoring
from arena.formats.standings import standings
from arena.formats.story import Field, Pairing, Row, Story
from arena.formats.tables_plan import require_rounds, require_tables, rounds_of, schedule, size

__all__ = ["Tables"]

_NAME: Final = "tables"
_KINDS: Final = tuple((1,) * seats for seats in range(3, 7))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Rounds of tables at which everybody plays for itself; all are announced at once.

    In each round as many sit as fill tables, and who sits out changes. Whoever sat out more often
    than others plays in one round more, as far as such entrants fill a table.

    Attributes:
        rounds: How many; 0: so many that everybody could meet everybody else once.
        scoring: What counts.

    Raises:
        InputError: `rounds` is out of its range.
    """

    rounds: int = 0
    scoring: Scoring = dataclasses.field(default_factory=Scoring)

    def __post_init__(self) -> None:
        require_rounds(self.rounds)

    @property
    def takes_latecomers(self) -> bool:
        """Nobody: who meets whom is fixed at the start."""
        return False

    def check(self, field: Field, /) -> None:
        """Refuse tables other than three to six for themselves, and fields that fill none."""
        require_tables(_NAME, field, _KINDS, self.rounds)

    def rounds_of(self, field: Field) -> int:
        """How many rounds a field plays, before one that catches up."""
        return rounds_of(field, self.rounds)

    def balance(self, field: Field) -> Balance:
        """How even the schedule of a field is: counted, not promised."""
        return balance(schedule(field, self.rounds), field.entrants)

    def due(self, story: Story, /) -> Sequence[Pairing]:
        """All pairings, until they are announced."""
        total = size(story.field, self.rounds)
        if len(story.pairings) >= total:
            return ()
        return unannounced(story, schedule(story.field, self.rounds), total)

    def is_over(self, story: Story, /) -> bool:
        """Whether everything has a score."""
        return is_played(story, size(story.field, self.rounds))

    def table(self, story: Story, /) -> Sequence[Row]:
        """By points, then by tie-breaks."""
        return standings(story, self.scoring)
