"""A seal on a folder: what was in it when it was unpacked, to be compared before it is played.

Whoever runs with this server's rights can write there, a bot in the sandbox `process` for one. So
everything is made read-only, and before each match every name, mode and byte is compared. That
costs the reading of a bot, at most what an artefact may unpack to; see the README for figures.
Nothing is read beyond the size that was sealed, so what has grown costs no more.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from arena.errors import HostFault

__all__ = ["Seal", "seal"]

_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_MAY_READ: Final = 0o444
_MAY_RUN: Final = 0o555
_CACHE: Final = "__pycache__"

_Listing = dict[str, tuple[int, int]]
"""Type with mode, and length in bytes, by the path in the folder; a folder has no length."""


@dataclass(frozen=True)
class Seal:
    """What a folder consists of."""

    _listing: _Listing = field(repr=False)
    _digest: bytes = field(repr=False)

    def broken(self, folder: Path) -> str:
        """What is not as it was sealed; empty: nothing. Never raises."""
        try:
            listing = _listed(folder)
            if listing != self._listing:
                different = set(listing.items()) ^ set(self._listing.items())
                names = sorted({name for name, _ in different})
                return _told(names)
            return "" if _digested(folder, listing) == self._digest else "the bytes of a file"
        except OSError as error:
            return f"it cannot be read: {error.strerror}"

    def is_cache_only(self, folder: Path) -> bool:
        """Whether all that is more or other than it was is what Python keeps of modules it ran."""
        try:
            listing = _listed(folder)
            rest = {name: one for name, one in listing.items() if _CACHE not in name.split("/")}
            return rest == self._listing and _digested(folder, rest) == self._digest
        except OSError:
            return False


def seal(folder: Path) -> Seal:
    """Make a folder read-only with all in it, and seal it.

    Raises:
        HostFault: that cannot be done.
    """
    try:
        for path, info in _walked(folder):
            may_run = stat.S_ISDIR(info.st_mode) or info.st_mode & stat.S_IXUSR
            os.chmod(path, _MAY_RUN if may_run else _MAY_READ, follow_symlinks=True)
        listing = _listed(folder)
        return Seal(listing, _digested(folder, listing))
    except OSError as error:
        raise HostFault(f"{folder}: cannot be sealed: {error.strerror}") from None


def _walked(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """The folder itself and everything in it; no link is followed."""
    yield str(folder), os.lstat(folder)
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _walked(Path(entry.path))
            else:
                yield entry.path, entry.stat(follow_symlinks=False)


def _listed(folder: Path) -> _Listing:
    return {
        os.path.relpath(path, folder): (
            info.st_mode,
            0 if stat.S_ISDIR(info.st_mode) else info.st_size,
        )
        for path, info in _walked(folder)
    }


def _digested(folder: Path, listing: _Listing) -> bytes:
    """SHA-256 over the SHA-256 of each file, by name; the names and lengths are the listing's."""
    whole = hashlib.sha256()
    for name, (mode, length) in sorted(listing.items()):
        if stat.S_ISREG(mode):
            with open(os.open(folder / name, _READ), "rb") as file:
                whole.update(_digest_of(file, length))
    return whole.digest()


def _digest_of(file: BinaryIO, length: int) -> bytes:
    """SHA-256 of at most so many bytes."""
    part = hashlib.sha256()
    while length > 0 and (piece := file.read(min(length, 1 << 20))):
        part.update(piece)
        length -= len(piece)
    return part.digest()


def _told(names: list[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"
