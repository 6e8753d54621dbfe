"""What the state of a competition is made of: its phase, its stages, who is out."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace

from arena.formats.story import Departure, Field, Pairing, Score, Story, lot
from arena.formats.walkovers import automatic
from arena.tournament.competition import events
from arena.tournament.competition.phase import Phase
from arena.tournament.competition.regulations import StageRules

__all__ = ["Absence", "Phase", "PlayedPairing", "Stage"]


@dataclass(frozen=True, slots=True)
class Absence:
    """An entry plays no more.

    Attributes:
        why: The reason that was given.
        is_disqualified: Whether it was put out.
        since: What was announced when it first left, as `Competition.announced` has it.
    """

    why: str
    is_disqualified: bool
    since: tuple[int, int]


@dataclass(frozen=True, slots=True)
class PlayedPairing:
    """What counts of a pairing: by a match, or by a person's decision."""

    score: Score
    by: events.Scored | events.Decided


@dataclass(slots=True, kw_only=True)
class Stage:
    """A stage that has begun.

    Attributes:
        number: From 1.
        rules: What the regulations say of it.
        entries: The entry at each place of its order of seeding; latecomers are at the end.
        field: Who began, for the format.
        pairings: Those announced, by key, in their order.
        runs: By key, how often the pairing was given to be played.
        results: By key, what counts now.
        earlier: What does not count any more, in the order in which it was set aside.
        gone: By place, since when somebody plays no more.
        joined: By place, the first round of a latecomer.
    """

    number: int
    rules: StageRules
    entries: list[int]
    field: Field
    pairings: dict[str, Pairing] = dataclasses.field(default_factory=dict)
    runs: dict[str, int] = dataclasses.field(default_factory=dict)
    results: dict[str, PlayedPairing] = dataclasses.field(default_factory=dict)
    earlier: list[PlayedPairing] = dataclasses.field(default_factory=list)
    gone: dict[int, Departure] = dataclasses.field(default_factory=dict)
    joined: dict[int, int] = dataclasses.field(default_factory=dict)

    def copy(self) -> Stage:
        """The same, to see what would come of an event."""
        return replace(
            self,
            entries=list(self.entries),
            pairings=dict(self.pairings),
            runs=dict(self.runs),
            results=dict(self.results),
            earlier=list(self.earlier),
            gone=dict(self.gone),
            joined=dict(self.joined),
        )

    def story(self) -> Story:
        """What has happened, for the format: with byes and walkovers."""
        played = Story(
            field=self.field,
            pairings=tuple(self.pairings.values()),
            scores={key: one.score for key, one in self.results.items()},
            gone=dict(self.gone),
            joined=dict(self.joined),
        )
        return replace(played, scores={**automatic(played), **played.scores})

    @property
    def rounds(self) -> int:
        """The last round that was announced; 0: none was."""
        return max((one.round for one in self.pairings.values()), default=0)

    @property
    def is_over(self) -> bool:
        """All of it is played."""
        return self.rules.format.is_over(self.story())

    def going_on(self) -> tuple[int, ...]:
        """The places, in the order of the table, of those who go on to the next stage.

        Who shares a place is ordered by lot, and nobody goes on who is gone.
        """
        rows = [r for r in self.rules.format.table(self.story()) if r.entrant not in self.gone]
        rows.sort(key=lambda row: (row.place, lot(self.field.seed, "advance", row.entrant)))
        return tuple(row.entrant for row in rows[: self.rules.advance or len(rows)])

    def name_of(self, key: str) -> str:
        """A pairing as the store of matches calls its present run."""
        return f"{self.number}/{key}/{self.runs[key]}"

    def to_play(self) -> tuple[Pairing, ...]:
        """Announced, and a match is still to be played for it."""
        scores = self.story().scores
        return tuple(one for one in self.pairings.values() if one.key not in scores)
