"""What the pages of a competition are made from."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import InputError, quoted
from arena.storage.facts import Match
from arena.tournament.competition.regulations import Regulations
from arena.tournament.competition.state import Competition
from arena.tournament.competition.views import (
    CompetitionInfo,
    EntryLine,
    NoteLine,
    PairingLine,
    StageInfo,
    TableLine,
    entries_of,
    pairings_of,
    stages_of,
    table_of,
)

__all__ = ["CompetitionPages", "RecordFile", "StagePages", "StrengthLine", "pages_of", "records_of"]

_KEY: Final = re.compile(r"[a-z0-9.-]{1,24}")


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthLine:
    """How strong somebody has proved to be, on any scale that is the same for a stage.

    Attributes:
        value, low, high: The estimate and its interval, low <= value <= high.
        best: The probability, 0 to 1, that nobody of the stage is better; None: it is not known.
    """

    title: str
    value: float
    low: float
    high: float
    best: float | None = None


@dataclass(frozen=True, slots=True)
class RecordFile:
    """The record of a match that counts, `records/M-A.jsonl` beside the pages.

    Attributes:
        attempt: A.
        digest: SHA-256 of its bytes; empty: it is not told.
    """

    attempt: int
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePages:
    """A stage.

    Attributes:
        seeding: Titles in the stage's order of seeding. Without it the bracket of an elimination
            has no numbers of seeding, and may not tell yet who has a bye.
        groups: By place of the seeding, its group in the stage before; empty: there was none.
    """

    info: StageInfo
    table: tuple[TableLine, ...] = ()
    pairings: tuple[PairingLine, ...] = ()
    strengths: tuple[StrengthLine, ...] = ()
    seeding: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionPages:
    """A whole competition, as far as it may be shown to whom the pages are for.

    Attributes:
        stages: All that the regulations name, those that have not begun included.
        notes: The journal for people, in its order.
        records: By the number of the match; only those that are there.

    Raises:
        InputError: a key cannot be part of a file's name, or stages are out of order.
    """

    info: CompetitionInfo
    regulations: Regulations
    entries: tuple[EntryLine, ...] = ()
    stages: tuple[StagePages, ...] = ()
    notes: tuple[NoteLine, ...] = ()
    records: Mapping[int, RecordFile] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        numbers = [stage.info.number for stage in self.stages]
        if numbers != list(range(1, len(self.regulations.stages) + 1)):
            raise InputError(
                f"stages {numbers}: must be 1 to {len(self.regulations.stages)}, as the "
                "regulations have them"
            )
        for stage in self.stages:
            keys = [line.key for line in stage.pairings]
            for key in keys:
                if not _KEY.fullmatch(key):
                    raise InputError(f"pairing {quoted(key)}: must be 1 to 24 of a-z 0-9 . -")
            if len(set(keys)) < len(keys):
                raise InputError(f"stage {stage.info.number}: a pairing is there twice")

    @property
    def shown_stages(self) -> tuple[StagePages, ...]:
        """The stages, empty if results may not be seen by whom this is for."""
        if self.info.is_visible:
            return self.stages
        return tuple(StagePages(info=stage.info) for stage in self.stages)


def pages_of(
    here: Competition,
    info: CompetitionInfo,
    matches: Mapping[str, Match],
    notes: Sequence[NoteLine] = (),
    strengths: Mapping[int, tuple[StrengthLine, ...]] | None = None,
) -> CompetitionPages:
    """What the pages are made from, from a competition itself; without records.

    Where records are kept beside the pages, as in an archive, `records_of` has them.

    Args:
        here: The competition.
        info: What is said of it to whom the pages are for.
        matches: Those of the store, by what they are played for, as `pairings_of` takes them.
        notes: Its journal for people.
        strengths: By the number of the stage; not all need to be there.
    """
    begun = {stage.number: stage for stage in here.stages}
    stages = []
    for line in stages_of(here):
        stage = begun.get(line.number)
        if stage is None:
            stages.append(StagePages(info=line))
            continue
        stages.append(
            StagePages(
                info=line,
                table=table_of(here, stage),
                pairings=pairings_of(here, stage, matches),
                strengths=(strengths or {}).get(line.number, ()),
                seeding=tuple(here.entries[number].title for number in stage.entries),
                groups=stage.field.groups,
            )
        )
    return CompetitionPages(
        info=info,
        regulations=here.regulations,
        entries=entries_of(here, is_visible=info.is_visible),
        stages=tuple(stages),
        notes=tuple(notes),
    )


def records_of(matches: Iterable[Match]) -> dict[int, RecordFile]:
    """The records of matches that have a result: what `CompetitionPages.records` is."""
    return {
        match.number: RecordFile(match.result.attempt, match.result.record)
        for match in matches
        if match.result is not None and match.result.record
    }
