"""What formats share whose tables are all planned before the first round."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from arena.formats.balance import Balance, balance
from arena.formats.plans import is_played, unannounced
from arena.formats.scoring import Scoring
from arena.formats.standings import standings
from arena.formats.story import Field, Pairing, Row, Story
from arena.formats.tables_plan import require_rounds, require_tables, rounds_of, schedule, size

__all__ = ["Scheduled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduled:
    """Rounds of tables, all announced at once; a format says by `NAME` and `KINDS` which tables.

    In each round as many sit as fill tables, and who sits out changes. Whoever sat out more often
    than others plays in one round more, as far as such entrants fill a table.

    Attributes:
        rounds: How many; 0: so many that everybody could sit with everybody else once.
        scoring: What counts.

    Raises:
        InputError: `rounds` is out of its range.
    """

    NAME: ClassVar[str]
    KINDS: ClassVar[tuple[tuple[int, ...], ...]]

    rounds: int = 0
    scoring: Scoring = dataclasses.field(default_factory=Scoring)

    def __post_init__(self) -> None:
        require_rounds(self.rounds)

    @property
    def takes_latecomers(self) -> bool:
        """Nobody: who meets whom is fixed at the start."""
        return False

    def check(self, field: Field, /) -> None:
        """Refuse tables of another kind, and fields that fill none."""
        require_tables(self.NAME, field, self.KINDS, self.rounds)

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
