"""Going through an archive: its journal, its matches, its tables and pages; not its records.

It is one task for a process of its own, so whatever a forged archive does to it ends there.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import arena
from arena.errors import InputError, quoted
from arena.storage.facts import Match
from arena.tournament.competition.archivefit import FIT, fit_difference, fit_of
from arena.tournament.competition.archivefolder import Finding, Findings, one_line, read_whole
from arena.tournament.competition.archiveformat import INDEX, JOURNAL, TABLES
from arena.tournament.competition.archivejournal import UNREADABLE, Told, told_by
from arena.tournament.competition.archivematches import Attempts, MatchBook, ToReplay
from arena.tournament.competition.archivetables import difference, tables_of

__all__ = ["MEMORY", "SECONDS", "MakePages", "Published", "Task", "Walked", "limit", "walk"]

SECONDS: Final = 900
"""Of processor time, for all but the records or for one record."""

MEMORY: Final = 4 << 30
"""Bytes for a process."""

_MOST_NOTES: Final = 1000

MakePages = Callable[[Told, Mapping[str, Match], bytes | None], Mapping[str, bytes]]
"""Makes the pages again, by their paths, from the journal, the matches by what they are played for,
and the file with the strengths, if there is one. It is found by its module."""


@dataclass(frozen=True, slots=True)
class Published:
    """What was published while the competition was played; empty: not known.

    Attributes:
        head: The chain of some line of the journal.
        commitment: That of the secret seed.
    """

    head: str = ""
    commitment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What there is to be compared.

    Attributes:
        tables, pages: The paths of those that are there.
        made_by: The version of the arena that has made the pages.
        make_pages: Makes them again; None: nobody can.
    """

    tables: tuple[str, ...]
    pages: tuple[str, ...]
    made_by: str
    published: Published
    make_pages: MakePages | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """What going through everything but the records has brought.

    Attributes:
        is_whole: Whether the journal could be read to its end.
        records, tables, pages: Those that there have to be; pages are empty if nobody knows.
    """

    is_whole: bool
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    name: str = ""
    title: str = ""
    phase: str = ""
    head: str = ""
    commitment: str = ""
    lines: int = 0
    entries: int = 0
    matches: int = 0
    records: tuple[ToReplay, ...] = ()
    tables: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    attempts: tuple[Attempts, ...] = ()


def walk(folder: Path, task: Task) -> Walked:
    """Go through everything but the records; limits its own process."""
    limit(SECONDS)
    findings, notes = Findings(), list[str]()
    told = told_by(folder, findings, notes.append)
    if told is None:
        notes.append("what follows from the journal was not checked, nor any record")
        return Walked(is_whole=False, findings=tuple(findings.all()), notes=tuple(notes))
    book = MatchBook(told, findings, notes.append)
    book.read(folder)
    tables, fitted = _tables(told, book, findings)
    _compare(folder, task.tables, tables, findings)
    pages = _pages(told, book, _own_fit(folder, task, fitted), task)
    _compare(folder, task.pages, pages, findings)
    _check_published(told, task.published, findings, notes.append)
    here = told.competition
    return Walked(
        is_whole=True,
        findings=tuple(findings.all()),
        notes=_few(notes),
        name=here.regulations.name,
        title=here.regulations.title,
        phase=str(here.phase),
        head=told.head,
        commitment=here.commitment,
        lines=here.length,
        entries=len(here.entries),
        matches=len(book.by_pairing),
        records=tuple(book.records),
        tables=tuple(tables),
        pages=tuple(pages),
        attempts=book.attempts,
    )


def _check_published(
    told: Told, published: Published, findings: Findings, tell: Callable[[str], None]
) -> None:
    """Any line's head will do: whoever wrote it down early knows that what came before stands."""
    head, commitment = published.head, published.commitment
    if head in told.heads:
        tell(f"the published head is that of line {told.heads[head]} of {len(told.heads)}")
    elif head:
        findings.add(
            JOURNAL, 0, f"no line has the published head {head}: it is another, or was changed"
        )
    if commitment and commitment != told.competition.commitment:
        findings.add(
            JOURNAL,
            0,
            f"its commitment is {quoted(told.competition.commitment, 70)}, not the published "
            f"{commitment}",
        )


def _few(notes: Sequence[str]) -> tuple[str, ...]:
    told = [one_line(note) for note in notes[:_MOST_NOTES]]
    if len(notes) > _MOST_NOTES:
        told.append(f"and {len(notes) - _MOST_NOTES:,} more")
    return tuple(told)


def _tables(
    told: Told, book: MatchBook, findings: Findings
) -> tuple[Mapping[str, bytes], bytes | None]:
    """All tables as they must be, and the strengths among them."""
    try:
        tables = tables_of(told.competition, book.by_pairing)
        fitted = fit_of(told.competition)
    except (InputError, *UNREADABLE) as error:
        findings.add(TABLES, 0, f"cannot be worked out: {error}")
        return {}, None
    return (tables if fitted is None else {**tables, FIT: fitted}), fitted


def _own_fit(folder: Path, task: Task, right: bytes | None) -> bytes | None:
    """The strengths as they stand in the archive, if they are right but for rounding."""
    if right is None or FIT not in task.tables:
        return right
    try:
        own = read_whole(folder, FIT)
    except InputError:
        return right
    return own if fit_difference(own, right) is None else right


def _pages(told: Told, book: MatchBook, fitted: bytes | None, task: Task) -> Mapping[str, bytes]:
    """All pages as they must be; empty: nobody can tell, and why was told."""
    if not task.pages:
        book.tell("there are no pages to look at")
        return {}
    own = arena.__version__
    if task.made_by != own:
        book.tell(
            f"the pages say that they were made by version {quoted(task.made_by)} of the arena, "
            f"and this is {own}: they were not compared, so believe the tables"
        )
        return {}
    if task.make_pages is None:
        book.tell("the pages were not compared, so believe the tables")
        return {}
    try:
        return task.make_pages(told, book.by_pairing, fitted)
    except (InputError, *UNREADABLE) as error:
        book.findings.add(INDEX, 0, f"cannot be made again: {error}")
        return {}


def _compare(
    folder: Path, there: Sequence[str], right: Mapping[str, bytes], findings: Findings
) -> None:
    """Compare files that are there with what they must be; what is missing is told elsewhere."""
    for name in there:
        if name not in right:
            continue
        differs = fit_difference if name == FIT else difference
        try:
            found = differs(read_whole(folder, name), right[name])
        except InputError as error:
            found = 0, str(error)
        if found is not None:
            findings.add(name, *found)


def limit(seconds: int) -> None:
    """Bound what this process may take of the processor and of memory."""
    for what, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, MEMORY)):
        _, hard = resource.getrlimit(what)
        if hard == resource.RLIM_INFINITY or most < hard:
            resource.setrlimit(what, (most, hard))
