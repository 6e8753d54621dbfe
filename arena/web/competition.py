"""A competition as pages to look at, to hang up and to keep: plain values in, HTML files out.

    index.html                what it is, who has won, who plays, how it is decided
    stage-S.html              standings, bracket or cross table, pairings of a stage
    matches/S-KEY.html        one match
    log.html                  the journal, for people

Pages link to each other and to `records/M-A.jsonl`, and to nothing else. They need no script, and
forbid everything but their own style. The same values make the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arena.web.competitionvalues import (
    CompetitionPages,
    RecordFile,
    StagePages,
    StrengthLine,
    pages_of,
    records_of,
)
from arena.web.rendering import Page, index_page, log_page, match_pages, stage_page

__all__ = [
    "CompetitionPages",
    "RecordFile",
    "StagePages",
    "StrengthLine",
    "pages_of",
    "records_of",
    "rendered",
    "write_pages",
]


def rendered(pages: CompetitionPages) -> Iterator[Page]:
    """All pages, one after the other: the path inside the folder, and the bytes."""
    yield index_page(pages)
    yield log_page(pages)
    for stage in pages.shown_stages:
        yield stage_page(pages, stage)
        yield from match_pages(pages, stage)


def write_pages(pages: CompetitionPages, folder: Path) -> tuple[Path, ...]:
    """Write all pages into a folder, which is made if it is not there; the files, in order.

    What is there under other names stays as it is.

    Raises:
        OSError: something cannot be written.
    """
    written = []
    for page in rendered(pages):
        path = folder / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page.content)
        written.append(path)
    return tuple(written)
