"""The pages of an archive: made when it is written, and made again when it is verified."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.storage.facts import Match
    from arena.tournament.competition.journal import Line
    from arena.tournament.competition.state import Competition
    from arena.web.competition import CompetitionPages, StrengthLine

__all__ = ["archive_pages", "strengths_of"]


def archive_pages(
    here: Competition,
    lines: Sequence[Line],
    matches: Mapping[str, Match],
    fitted: bytes | None,
) -> CompetitionPages:
    """What the pages are made from; records lie beside them.

    Args:
        here: The competition.
        lines: Its journal, to its end.
        matches: By what they were played for.
        fitted: The file of `archivefit`; None if nothing was played.
    """
    from arena.tournament.competition.notes import notes_of
    from arena.tournament.competition.views import info_of
    from arena.web.competition import pages_of, records_of

    pages = pages_of(
        here,
        info_of(here, lines[-1], is_visible=True),
        matches,
        notes_of(here, lines, is_visible=True),
        strengths_of(here, fitted),
    )
    return replace(pages, records=records_of(matches.values()))


def strengths_of(here: Competition, fitted: bytes | None) -> Mapping[int, tuple[StrengthLine, ...]]:
    """The strengths in a file of `archivefit`, by the last stage: they are of all that was played.

    `fitted` is None if nothing was.
    """
    from arena.web.competition import StrengthLine

    if fitted is None:
        return {}
    lines = tuple(
        StrengthLine(
            title=row["bot"],
            value=row["elo"],
            low=row["low"],
            high=row["high"],
            best=row["best"],
        )
        for row in json.loads(fitted)["rows"]
    )
    return {here.stages[-1].number: lines}
