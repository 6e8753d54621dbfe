"""A competition as a folder that anybody can keep, look at, print, and verify without a server.

What is in it stands in `archiveformat`. The folder comes under its name when all of it is on the
disk, its manifest last; whatever ends that before leaves nothing of that name.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

import arena
from arena.errors import HostFault, InputError
from arena.storage.facts import Match, MatchState
from arena.storage.files import sync_folder
from arena.tournament.competition.archivefit import FIT, fit_of
from arena.tournament.competition.archivefolder import digest_of, listed
from arena.tournament.competition.archiveformat import (
    FORMAT,
    JOURNAL,
    MANIFEST,
    MATCHES,
    RECORDS,
    REGULATIONS,
    TABLES,
    Manifest,
    archived,
    names_of_runs,
    record_name,
)
from arena.tournament.competition.archivetables import tables_of
from arena.tournament.competition.journal import Journal
from arena.tournament.competition.jsonvalues import json_line
from arena.tournament.competition.state import Competition

__all__ = ["ArchiveSource", "ArchiveSummary", "Tell", "WritePages", "write_archive"]


class ArchiveSource(Protocol):
    """Where an archive comes from: a store, or a server that is asked; each raises HostFault."""

    def journal(self) -> Iterable[bytes]:
        """The lines of the journal as they are stored, without line ends."""

    def matches(self) -> Iterable[Match]:
        """All matches of the competition; asked for after the journal."""

    def record(self, match: int, attempt: int, /) -> Iterator[bytes]:
        """The bytes of the record of an attempt that has one, in pieces."""


WritePages = Callable[[Competition, Path], None]
"""Writes the pages of a competition into a folder."""

Tell = Callable[[int, int], None]
"""Is told how many of how many records are written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSummary:
    """What was written.

    Attributes:
        name: Of the competition.
        head: The chain of its journal's last line.
        lines, matches, records: How many there are.
        files, size: How many files it has, and their bytes in all.
        is_finished: Whether the secret seed is revealed, so that all of it can be verified.
    """

    name: str
    head: str
    lines: int
    matches: int
    records: int
    files: int
    size: int
    is_finished: bool


def no_pages(here: Competition, folder: Path) -> None:
    """Write no pages."""


def write_archive(
    source: ArchiveSource,
    folder: Path,
    *,
    pages: WritePages = no_pages,
    tell: Tell = lambda done, total: None,
) -> ArchiveSummary:
    """Write an archive into `folder`, which must not exist.

    Raises:
        InputError: there is something at `folder`, or the journal is none.
        HostFault: something cannot be read or written, or a record is not the one that its match
            names; at `folder` there is nothing then.
    """
    if os.path.lexists(folder):
        raise InputError(f"archive {folder}: exists; name one that does not")
    if not folder.name:
        raise InputError(f"archive {folder}: has no name; name a folder that does not exist")
    with _as_host_fault(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            aside.chmod(0o755)  # it is for everybody
            summary = _Writing(source, aside, tell).run(pages)
            if os.path.lexists(folder):
                raise InputError(f"archive {folder}: exists now; name one that does not")
            aside.rename(folder)
            sync_folder(folder.parent)
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise
    return summary


class _Writing:
    """An archive that is being written."""

    def __init__(self, source: ArchiveSource, folder: Path, tell: Tell) -> None:
        self._source = source
        self._folder = folder
        self._tell = tell
        self._digests: dict[str, str] = {}

    def run(self, pages: WritePages) -> ArchiveSummary:
        """Write everything, the manifest last."""
        here, head = self._journal()
        matches = self._matches(here)
        records = self._records(matches)
        for name, content in tables_of(here, {one.pairing: one for one in matches}).items():
            self._write(name, [content])
        if (fitted := fit_of(here)) is not None:
            self._write(FIT, [fitted])
        pages(here, self._folder)
        self._take_in_pages()
        manifest = Manifest(
            format=FORMAT,
            name=here.regulations.name,
            head=head,
            made_by=arena.__version__,
            files=self._digests,
        )
        self._write(MANIFEST, [manifest.as_bytes()])
        for below in (RECORDS, TABLES, ""):
            if (self._folder / below).is_dir():
                sync_folder(self._folder / below)
        sizes = listed(self._folder).files.values()
        return ArchiveSummary(
            name=here.regulations.name,
            head=head,
            lines=here.length,
            matches=len(matches),
            records=records,
            files=len(sizes),
            size=sum(sizes),
            is_finished=bool(here.secret),
        )

    def _journal(self) -> tuple[Competition, str]:
        """Write journal and regulations; what they come to, and the journal's head."""
        journal = Journal()
        stored = list(self._source.journal())
        lines = list(journal.read_all(stored))
        if not lines:
            raise InputError("journal: is empty; there is nothing to archive")
        here = Competition(lines[0])
        for line in lines[1:]:
            here.take(line)
        self._write(JOURNAL, (one + b"\n" for one in stored))
        self._write(REGULATIONS, [here.regulations.text.encode()])
        return here, journal.head

    def _matches(self, here: Competition) -> Sequence[Match]:
        """Write the matches that the journal tells of; while one is played there may be newer."""
        names = set(names_of_runs(here))
        matches = [_known(one) for one in self._source.matches() if one.pairing in names]
        matches.sort(key=lambda one: one.number)
        self._write(MATCHES, (json_line(archived(here, one)) for one in matches))
        return matches

    def _records(self, matches: Sequence[Match]) -> int:
        wanted = [one for match in matches for one in match.attempts if one.record]
        self._tell(0, len(wanted))
        for done, one in enumerate(wanted, 1):
            name = record_name(one.match, one.number)
            self._write(name, self._source.record(one.match, one.number))
            if self._digests[name] != one.record:
                raise HostFault(
                    f"record of match {one.match}, attempt {one.number}: has the SHA-256 "
                    f"{self._digests[name]}; its match says {one.record}"
                )
            self._tell(done, len(wanted))
        return len(wanted)

    def _take_in_pages(self) -> None:
        for name in listed(self._folder).files:
            if name not in self._digests:
                _sync(self._folder / name)
                self._digests[name] = digest_of(self._folder, name)

    def _write(self, name: str, pieces: Iterable[bytes]) -> None:
        path = self._folder / name
        path.parent.mkdir(exist_ok=True)
        digest = hashlib.sha256()
        with path.open("xb") as file:
            for piece in pieces:
                digest.update(piece)
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        if name != MANIFEST:
            self._digests[name] = digest.hexdigest()


_OVER: Final = (MatchState.DONE, MatchState.CANCELLED)


def _known(match: Match) -> Match:
    """A match with nothing in it that is still a secret."""
    if match.state in _OVER:
        return match
    return replace(match, attempts=tuple(replace(one, seed="") for one in match.attempts))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _as_host_fault(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HostFault(f"archive {folder}: {error.strerror or error}") from None
