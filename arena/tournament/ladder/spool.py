"""What attempts leave on the disk until it is recorded, and how it survives every kill.

    FOLDER/12-1.jsonl        the record of attempt 1 of match 12, written as it is played
    FOLDER/12-1.report       what came of it: there once the record is whole, never in part
    FOLDER/.new/...          a report that is being written
    FOLDER/set-aside/...     what cannot be read: kept for a person

A report is a line with the SHA-256 of the rest, and then one JSON object. It is written aside,
fsynced and renamed, and its folder is fsynced, before the process that has played says that it is
done. From then on it is there until the store has given a receipt for it, whichever.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from arena.errors import HostFault
from arena.storage.facts import Report, SeatReport
from arena.storage.failpoints import AFTER_SPOOL_FSYNC, BEFORE_SPOOL_FSYNC, reached
from arena.storage.files import sync_folder

__all__ = ["CorruptReport", "Spool", "Spooled", "title_of"]

_RECORD: Final = ".jsonl"
_REPORT: Final = ".report"
_NEW: Final = ".new"
_SET_ASIDE: Final = "set-aside"
_NAME: Final = re.compile(r"([1-9][0-9]{0,18})-([1-9][0-9]{0,8})\.(?:jsonl|report)")
_MOST: Final = 64 * 1024 * 1024
"""Bytes of a report that are read; one of ours has some hundred thousand at most."""


def title_of(match: int, attempt: int) -> str:
    """What an attempt is called here and in its record: `12-1`."""
    return f"{match}-{attempt}"


class CorruptReport(HostFault):
    """A report in the spool is not as it was written; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Spooled:
    """A report, and by seat what the bots have written."""

    report: Report
    logs: tuple[str, ...]


class Spool:
    """The spool in a folder, which is made if it is not there.

    Raises:
        HostFault: it cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with _as_host_fault(folder):
            for name in (_NEW, _SET_ASIDE):
                (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)

    def record_path(self, match: int, attempt: int) -> Path:
        """Where the record of an attempt is."""
        return self.folder / f"{title_of(match, attempt)}{_RECORD}"

    def write(self, spooled: Spooled) -> None:
        """Put a report there, whole; it is on the disk when this returns.

        Raises:
            HostFault: it cannot be written; nothing of it is there then.
        """
        report = spooled.report
        name = f"{title_of(report.match, report.attempt)}{_REPORT}"
        aside, path = self.folder / _NEW / name, self.folder / name
        with _as_host_fault(path):
            try:
                with aside.open("wb", buffering=0) as file:
                    rest = memoryview(_as_bytes(spooled))
                    while rest:
                        rest = rest[file.write(rest) :]
                    reached(BEFORE_SPOOL_FSYNC)
                    os.fsync(file.fileno())
                os.rename(aside, path)
                sync_folder(self.folder)
            except OSError:
                for left in (aside, path):
                    with contextlib.suppress(OSError):
                        left.unlink()
                raise
        reached(AFTER_SPOOL_FSYNC)

    def read(self, match: int, attempt: int) -> Spooled | None:
        """The report of an attempt; None: there is none, so it was broken off.

        Raises:
            CorruptReport: it is not as it was written.
            HostFault: it cannot be read now.
        """
        path = self.folder / f"{title_of(match, attempt)}{_REPORT}"
        with _as_host_fault(path):
            try:
                with path.open("rb") as file:
                    content = file.read(_MOST)
            except FileNotFoundError:
                return None
        try:
            spooled = _from_bytes(content)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise CorruptReport(f"{path}: is no report as it was written: {error}") from None
        if (spooled.report.match, spooled.report.attempt) != (match, attempt):
            raise CorruptReport(f"{path}: is the report of another attempt")
        return spooled

    def whole(self) -> tuple[tuple[int, int], ...]:
        """Match and attempt of every report that is there, in order."""
        return self._of(_REPORT)

    def all(self) -> tuple[tuple[int, int], ...]:
        """Match and attempt of everything that is there, in order."""
        return tuple(sorted({*self._of(_REPORT), *self._of(_RECORD)}))

    def forget(self, match: int, attempt: int) -> None:
        """Remove what an attempt has left; first the report, so that none is without its record.

        Raises:
            HostFault: it cannot be removed.
        """
        title = title_of(match, attempt)
        with _as_host_fault(self.folder):
            for path in (
                self.folder / f"{title}{_REPORT}",
                self.folder / _NEW / f"{title}{_REPORT}",
                *self.folder.glob(f"{title}.broken-off-*"),
                self.folder / f"{title}{_RECORD}",
            ):
                path.unlink(missing_ok=True)

    def set_aside(self, match: int, attempt: int) -> Path:
        """Keep what an attempt has left for a person, out of the way; where that is.

        Raises:
            HostFault: it cannot be moved.
        """
        title = title_of(match, attempt)
        with _as_host_fault(self.folder):
            place = self._new_folder(title)
            for suffix in (_REPORT, _RECORD):
                with contextlib.suppress(FileNotFoundError):
                    os.rename(self.folder / f"{title}{suffix}", place / f"{title}{suffix}")
        return place

    def _new_folder(self, title: str) -> Path:
        for number in itertools.count(1):
            place = self.folder / _SET_ASIDE / f"{title}.{number}"
            with contextlib.suppress(FileExistsError):
                place.mkdir(mode=0o700)
                return place
        raise AssertionError

    def _of(self, suffix: str) -> tuple[tuple[int, int], ...]:
        with _as_host_fault(self.folder):
            names = os.listdir(self.folder)
        found = [_NAME.fullmatch(name) for name in names if name.endswith(suffix)]
        return tuple(sorted((int(one[1]), int(one[2])) for one in found if one is not None))


def _as_bytes(spooled: Spooled) -> bytes:
    values = {"report": asdict(spooled.report), "logs": spooled.logs}
    body = json.dumps(values, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def _from_bytes(content: bytes) -> Spooled:
    digest, _, body = content.partition(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != digest:
        raise ValueError("its bytes have another SHA-256 than its first line says")
    values: dict[str, Any] = json.loads(body)
    report = values["report"]
    seats = _seats(report.pop("seats"))
    report["ranks"] = tuple(report["ranks"])
    return Spooled(Report(seats=seats, **report), tuple(values["logs"]))


def _seats(given: Sequence[dict[str, Any]]) -> tuple[SeatReport, ...]:
    names = {field.name for field in fields(SeatReport)}
    for one in given:
        if set(one) != names:
            raise ValueError(f"a seat has the members {sorted(one)}")
    return tuple(SeatReport(**one) for one in given)


@contextlib.contextmanager
def _as_host_fault(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HostFault(f"spool {path}: {error.strerror}") from None
