"""Reading a folder that a stranger has filled: no link is followed, and nothing is without bounds.

What is opened is what was found by walking through the folder; a name that a file mentions is only
ever compared with those.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Final

from arena.errors import HostFault, InputError

__all__ = [
    "LONGEST_LINE",
    "LONGEST_TEXT",
    "Finding",
    "Findings",
    "Listing",
    "digest_of",
    "lines_of",
    "listed",
    "one_line",
    "open_file",
    "read_whole",
]

LONGEST_TEXT: Final = 64 << 20
"""Bytes of a file that is read as a whole."""

LONGEST_LINE: Final = 64 << 20
"""Bytes of a line; one that announces a stage for a thousand has some tens of millions."""

_MOST_FILES: Final = 200_000
_MOST_BYTES: Final = 64 << 30
_LARGEST: Final = 2 << 30
_DEEPEST: Final = 4
_MOST_FINDINGS: Final = 50
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong: in which file, in which line (0: in no certain one), and what."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}: {f'line {self.line}: ' if self.line else ''}{self.what}"


def one_line(text: str) -> str:
    """A text that may quote anything as one line, without halves of characters."""
    return " ".join(text.encode("utf-8", "backslashreplace").decode().split())


@dataclass(slots=True)
class Findings:
    """What was found wrong; of each file the first ones, and how many more there were."""

    _found: list[Finding] = field(default_factory=list)
    _counts: dict[str, int] = field(default_factory=dict)

    def add(self, file: str, line: int, what: str) -> None:
        """Add one; `what` becomes one line."""
        count = self._counts[file] = self._counts.get(file, 0) + 1
        if count <= _MOST_FINDINGS:
            self._found.append(Finding(file, line, one_line(what)))

    def extend(self, other: Iterable[Finding]) -> None:
        """Add those of another part, which has cut them short itself."""
        self._found += other

    def __bool__(self) -> bool:
        return bool(self._found)

    def all(self) -> list[Finding]:
        """Those that are kept, and lines that stand for the rest."""
        more = [
            Finding(file, 0, f"and {count - _MOST_FINDINGS} more")
            for file, count in self._counts.items()
            if count > _MOST_FINDINGS
        ]
        return [*self._found, *more]


@dataclass(frozen=True, slots=True)
class Listing:
    """What a folder holds: sizes of files by their paths in it, and what is no plain file."""

    files: dict[str, int]
    odd: list[Finding]


def listed(folder: Path) -> Listing:
    """Look through a folder.

    Raises:
        InputError: it is none, cannot be read, or holds more than any archive does.
    """
    found = Listing({}, [])
    try:
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            raise InputError(f"{folder}: is no folder; name the folder of an archive")
        for name, entry in _walked(folder, "", found.odd):
            size = entry.stat(follow_symlinks=False).st_size
            found.files[name] = size
            if size > _LARGEST:
                raise InputError(f"{folder}: {name} has {size:,} bytes; {_LARGEST:,} are allowed")
            if len(found.files) > _MOST_FILES:
                raise InputError(f"{folder}: has more than {_MOST_FILES:,} files")
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from None
    if (total := sum(found.files.values())) > _MOST_BYTES:
        raise InputError(f"{folder}: has {total:,} bytes; {_MOST_BYTES:,} are allowed")
    return found


def _walked(
    folder: Path, below: str, odd: list[Finding], depth: int = 1
) -> Iterator[tuple[str, os.DirEntry[str]]]:
    with os.scandir(folder / below) as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            name = f"{below}{entry.name}"
            if entry.is_symlink():
                _told(odd, name, "is a link; an archive has none")
            elif entry.is_dir(follow_symlinks=False):
                if depth == _DEEPEST:
                    _told(odd, name, "is a folder too deep inside of the archive")
                else:
                    yield from _walked(folder, f"{name}/", odd, depth + 1)
            elif entry.is_file(follow_symlinks=False):
                yield name, entry
            else:
                _told(odd, name, "is neither a file nor a folder")


def _told(odd: list[Finding], name: str, what: str) -> None:
    if len(odd) <= _MOST_FINDINGS:
        odd.append(Finding(name, 0, what))


def open_file(folder: Path, name: str) -> BufferedReader:
    """A file that `listed` has found.

    Raises:
        InputError: it is no plain file any more.
        HostFault: it cannot be read.
    """
    try:
        descriptor = os.open(folder / name, _READ)
        file = os.fdopen(descriptor, "rb")
    except OSError as error:
        raise HostFault(f"{folder / name}: cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise InputError(f"{folder / name}: is no file")
    return file


def digest_of(folder: Path, name: str) -> str:
    """SHA-256 of a file; raises as `open_file` does."""
    with open_file(folder, name) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_whole(folder: Path, name: str) -> bytes:
    """A file of modest size; raises as `open_file` does, and InputError if it is larger."""
    with open_file(folder, name) as file:
        content = file.read(LONGEST_TEXT + 1)
    if len(content) > LONGEST_TEXT:
        raise InputError(f"has more than {LONGEST_TEXT:,} bytes")
    return content


def lines_of(folder: Path, name: str) -> Iterator[bytes]:
    """The lines of a file without their ends.

    Raises:
        InputError: a line is too long, or the last one has no end.
    """
    with open_file(folder, name) as file:
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if not line.endswith(b"\n"):
                what = f"is longer than {LONGEST_LINE:,} bytes"
                raise InputError(
                    f"line {number}: {what if len(line) > LONGEST_LINE else 'has no line end'}"
                )
            yield line[:-1]
