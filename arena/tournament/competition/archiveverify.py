"""Is what an archive says what happened? Everything that can be worked out again is, and compared.

    files       none missing, none too many, each with its SHA-256     this process
    walk        journal, matches, tables, pages: see `archivewalk`      a process of its own
    records     played again by the rules, some at a time              processes of their own

An archive may be a forger's. Nothing in it is run, no link is followed, nothing outside is opened;
what takes too much time or memory ends its own process, and that is a finding. What nobody can see
from within: whether all of it was made up. For that its head, and the commitment of its secret
seed, have to be those that were published while it was played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import InputError, quoted
from arena.tournament.competition.archivefolder import (
    Finding,
    Findings,
    Listing,
    digest_of,
    listed,
    read_whole,
)
from arena.tournament.competition.archiveformat import (
    INDEX,
    JOURNAL,
    MANIFEST,
    MATCHES,
    RECORDS,
    REGULATIONS,
    TABLES,
    Manifest,
    manifest_from,
)
from arena.tournament.competition.archivematches import Attempts, ToReplay
from arena.tournament.competition.archiverecords import Checked, check_records
from arena.tournament.competition.archivewalk import (
    MEMORY,
    SECONDS,
    MakePages,
    Published,
    Task,
    Walked,
    limit,
    walk,
)
from arena.workers.pool import MatchPool, WorkerLost

__all__ = ["PRELOAD", "ArchiveReport", "Published", "Tell", "verify_archive", "verify_with"]

PRELOAD: Final = ("arena.tournament.competition.archiveverify",)
"""What the processes of a pool import once."""

_NEEDED: Final = (REGULATIONS, JOURNAL, MATCHES)
_LEFT_BY_FILE_MANAGERS: Final = frozenset(
    {".DS_Store", ".directory", "Thumbs.db", "desktop.ini", "Desktop.ini"}
)
_AT_ONCE: Final = 16  # records in one task: a process costs some milliseconds

Tell = Callable[[int, int], None]
"""Is told how many of how many records are done."""

NOTHING: Final = Published()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveReport:
    """What came of it.

    Attributes:
        name, title: Of the competition; the title is empty if its journal cannot be read.
        phase: Where it was when it was archived.
        head: The chain of its journal's last line.
        commitment: That of its secret seed, as it stands in the journal.
        lines, entries, matches: How many there are.
        records, games, actions: How much was played again.
        attempts: By bot, how many attempts there were and how many of these came to nothing.
        notes: What has to be known, and is no fault.
        findings: What is wrong; empty: everything holds.
    """

    name: str
    title: str = ""
    phase: str = ""
    head: str = ""
    commitment: str = ""
    lines: int = 0
    entries: int = 0
    matches: int = 0
    records: int = 0
    games: int = 0
    actions: int = 0
    attempts: tuple[Attempts, ...] = ()
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def verify_archive(
    folder: Path,
    jobs: int = 1,
    *,
    published: Published = NOTHING,
    make_pages: MakePages | None = None,
    tell: Tell = lambda done, total: None,
) -> ArchiveReport:
    """Verify an archive with so many processes at once.

    Without `make_pages` pages are only known to be those that the manifest names.

    Raises:
        InputError: there is no archive, or one of another format.
        HostFault: a file cannot be read.
    """
    preload = PRELOAD if make_pages is None else (*PRELOAD, make_pages.__module__)
    with MatchPool(jobs, preload=preload) as pool:
        return verify_with(pool, folder, published=published, make_pages=make_pages, tell=tell)


def verify_with(
    pool: Executor,
    folder: Path,
    *,
    published: Published = NOTHING,
    make_pages: MakePages | None = None,
    tell: Tell = lambda done, total: None,
) -> ArchiveReport:
    """The same in a pool that runs every task in a process of its own, for tasks limit theirs."""
    listing = listed(folder)
    if MANIFEST not in listing.files:
        raise InputError(f"{folder}: is no archive of a competition: it has no {MANIFEST}")
    try:
        manifest = manifest_from(read_whole(folder, MANIFEST))
    except InputError as error:
        raise InputError(f"{folder}: {MANIFEST}: {error}") from None
    findings = Findings()
    findings.extend(listing.odd)
    strays = _strays(manifest, listing)
    _check_files(folder, manifest, listing, findings)
    missing = [name for name in _NEEDED if name not in listing.files]
    if missing:
        return ArchiveReport(name=manifest.name, findings=tuple(findings.all()))
    try:
        task = Task(
            tables=_below(TABLES, listing),
            pages=_pages(listing) if INDEX in listing.files else (),
            made_by=manifest.made_by,
            published=published,
            make_pages=make_pages,
        )
        walked = pool.submit(walk, folder, task).result()
    except (WorkerLost, MemoryError) as error:
        findings.add(JOURNAL, 0, _lost(error))
        return ArchiveReport(name=manifest.name, findings=tuple(findings.all()))
    findings.extend(walked.findings)
    _check_head(manifest, walked, findings)
    there = [one for one in walked.records if one.file in listing.files]
    _check_listed(walked, listing, findings)
    games, actions = _replayed(pool, folder, there, findings, tell)
    return ArchiveReport(
        name=manifest.name,
        title=walked.title,
        phase=walked.phase,
        head=walked.head,
        commitment=walked.commitment,
        lines=walked.lines,
        entries=walked.entries,
        matches=walked.matches,
        records=len(there),
        games=games,
        actions=actions,
        attempts=walked.attempts,
        notes=(*strays, *walked.notes),
        findings=tuple(findings.all()),
    )


def _lost(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return f"takes more than {MEMORY >> 30} GiB of memory, and so was not checked"
    return f"takes too much, and so was not checked: {error}"


# -- files --------------------------------------------------------------------------------------


def _check_files(folder: Path, manifest: Manifest, listing: Listing, findings: Findings) -> None:
    names = set(listing.files) - {MANIFEST}
    for name in sorted(set(manifest.files) - names):
        findings.add(_safe(name), 0, f"is missing; {MANIFEST} names it")
    for name in sorted(names - set(manifest.files)):
        findings.add(_safe(name), 0, f"does not belong there: {MANIFEST} does not name it")
    for name in _NEEDED:
        if name not in names and name not in manifest.files:
            findings.add(name, 0, "is missing; every archive has it")
    for name in sorted(names & set(manifest.files)):
        found, right = digest_of(folder, name), manifest.files[name]
        if found != right:
            findings.add(
                _safe(name), 0, f"was changed: its SHA-256 is {found}, {MANIFEST} says {right}"
            )


def _strays(manifest: Manifest, listing: Listing) -> list[str]:
    """Take out of a listing what file managers leave wherever somebody looks; what is said of it.

    It is in no manifest, and nothing ever reads it.
    """
    strays = [
        name
        for name in listing.files
        if name.rpartition("/")[2] in _LEFT_BY_FILE_MANAGERS and name not in manifest.files
    ]
    for name in strays:
        del listing.files[name]
    return [f"{_safe(name)} was left there by a file manager, and not looked at" for name in strays]


def _safe(name: str) -> str:
    """A path as a part of a message; it may hold anything."""
    return name if name.isprintable() and len(name) <= 200 else quoted(name, 200)


def _check_head(manifest: Manifest, walked: Walked, findings: Findings) -> None:
    said = (
        ("name", manifest.name, walked.name),
        ("head", manifest.head, walked.head),
    )
    for what, is_, right in said:
        if right and is_ != right:
            findings.add(MANIFEST, 0, f"{what} is {quoted(is_, 80)}, by the journal it is {right}")


def _below(kind: str, listing: Listing) -> tuple[str, ...]:
    return tuple(name for name in listing.files if name.startswith(f"{kind}/"))


def _pages(listing: Listing) -> tuple[str, ...]:
    others = {MANIFEST, *_NEEDED, *_below(RECORDS, listing), *_below(TABLES, listing)}
    return tuple(name for name in listing.files if name not in others)


def _check_listed(walked: Walked, listing: Listing, findings: Findings) -> None:
    """Records, tables and pages: all there that have to be, and no others."""
    if not walked.is_whole:
        return
    both = [
        (_below(RECORDS, listing), {one.file for one in walked.records}),
        (_below(TABLES, listing), set(walked.tables)),
    ]
    if walked.pages or INDEX not in listing.files:
        both.append((_pages(listing), set(walked.pages)))
    for there, named in both:
        for name in sorted(named - set(there)):
            findings.add(name, 0, "is missing; by the journal and the matches it has to be there")
        for name in sorted(set(there) - named):
            findings.add(_safe(name), 0, "belongs to nothing in the competition")


# -- records ------------------------------------------------------------------------------------


def _replayed(
    pool: Executor, folder: Path, records: Sequence[ToReplay], findings: Findings, tell: Tell
) -> tuple[int, int]:
    """Games and actions that were played again."""
    tasks = {}
    for start in range(0, len(records), _AT_ONCE):
        part = records[start : start + _AT_ONCE]
        tasks[pool.submit(replay, folder, part)] = start, part
    games = actions = done = 0
    found: dict[int, Sequence[Finding]] = {}
    tell(0, len(records))
    for task in as_completed(tasks):
        start, part = tasks[task]
        try:
            checked = task.result()
        except (WorkerLost, MemoryError) as error:
            names = part[0].file if len(part) == 1 else f"{part[0].file} to {part[-1].file}"
            found[start] = [Finding(names, 0, _lost(error))]
        else:
            games, actions = games + checked.games, actions + checked.actions
            found[start] = checked.findings
        done += len(part)
        tell(done, len(records))
    for _, some in sorted(found.items()):
        findings.extend(some)
    return games, actions


def replay(folder: Path, records: Sequence[ToReplay]) -> Checked:
    """Play some records again; limits its own process."""
    limit(SECONDS * len(records))
    return check_records(folder, records)
