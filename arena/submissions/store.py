"""Uploaded archives, each kept once under the SHA-256 of its bytes.

    FOLDER/ab/abcd...       an archive, named by its digest; ab are the first two digits
    FOLDER/.incoming/...    what is being received: locked while it is, so that what was left
                            behind can be told from it

An archive comes under its name only when all of it is on the disk, by a rename in the same file
system. Whoever asks for a digest gets a descriptor whose bytes have just been found to have it, so
it does not matter what has become of the file meanwhile: a changed one is refused.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import io
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from arena.errors import HostFault, SubmissionError, quoted
from arena.submissions.limits import ArchiveLimits, Rule, shown_size

__all__ = ["ArchiveStore", "Upload"]

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_INCOMING: Final = ".incoming"
_READ_ONLY: Final = 0o444


class ArchiveStore:
    """The archives below a folder, which is made if it is not there.

    Raises:
        HostFault: the folder cannot be made.
    """

    def __init__(self, folder: Path, *, most: int = ArchiveLimits().upload) -> None:
        self._folder = folder
        self._incoming = folder / _INCOMING
        self._most = most
        with _as_host_fault(folder):
            self._incoming.mkdir(parents=True, exist_ok=True)

    @contextlib.contextmanager
    def receive(self) -> Iterator[Upload]:
        """An upload to write to and then to keep; what is not kept leaves nothing behind.

        Raises:
            HostFault: it cannot be written.
        """
        with _as_host_fault(self._incoming):
            descriptor, path = tempfile.mkstemp(dir=self._incoming)
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            try:
                with _as_host_fault(self._incoming):
                    fcntl.flock(file, fcntl.LOCK_EX)
                yield Upload(file, path, self._place, self._most)
            finally:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)

    def add(self, pieces: Iterable[bytes], *, length: int | None = None, digest: str = "") -> str:
        """Store what comes in pieces, and return its digest; see `Upload.keep`."""
        with self.receive() as upload:
            for piece in pieces:
                upload.write(piece)
            return upload.keep(length=length, digest=digest)

    def open(self, digest: str) -> io.BufferedReader:
        """The archive of a digest, to be read from its beginning.

        Raises:
            SubmissionError: that is no digest, or there is no such archive.
            HostFault: the file has changed, or cannot be read.
        """
        path = self._place(digest)
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        except FileNotFoundError:
            raise SubmissionError(Rule.DIGEST, f"no archive {digest} is stored") from None
        except OSError as error:
            raise HostFault(f"{path}: cannot be read: {error.strerror}") from None
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise HostFault(f"{path}: is no file")
        file = os.fdopen(descriptor, "rb")
        try:
            _verify(file, digest, path)
        except BaseException:
            file.close()
            raise
        return file

    def __contains__(self, digest: str) -> bool:
        return self._place(digest).is_file()

    def remove_leftovers(self) -> int:
        """Remove what uploads that were killed have left; how many files that were."""
        removed = 0
        for path in self._incoming.iterdir():
            with contextlib.suppress(OSError), path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails if somebody writes to it
                path.unlink()
                removed += 1
        return removed

    def _place(self, digest: str) -> Path:
        if not _DIGEST.fullmatch(digest):
            raise SubmissionError(
                Rule.DIGEST, f"digest {quoted(digest)}: must be 64 hexadecimal digits in lower case"
            )
        return self._folder / digest[:2] / digest


class Upload:
    """An archive that is being received; made by `ArchiveStore.receive`."""

    def __init__(self, file: io.FileIO, path: str, place: Callable[[str], Path], most: int) -> None:
        self._file = file
        self._path = path
        self._place = place
        self._most = most
        self._hash = hashlib.sha256()
        self._length = 0

    def write(self, piece: bytes) -> None:
        """Take in a piece.

        Raises:
            SubmissionError: it has become too long.
            HostFault: it cannot be written, the disk being full for example.
        """
        self._length += len(piece)
        if self._length > self._most:
            raise SubmissionError(
                Rule.UPLOAD, f"has more than the {shown_size(self._most)} that are allowed"
            )
        self._hash.update(piece)
        rest = memoryview(piece)
        with _as_host_fault(self._path):
            while rest:
                rest = rest[self._file.write(rest) :]

    def keep(self, *, length: int | None = None, digest: str = "") -> str:
        """Store it, and return its digest: SHA-256 in hexadecimal digits.

        `length` in bytes and `digest` are what has been announced, if anything was.

        Raises:
            SubmissionError: something else was announced, as when a part is missing.
            HostFault: it cannot be stored.
        """
        found = self._hash.hexdigest()
        if length is not None and length != self._length:
            raise SubmissionError(
                Rule.UPLOAD, f"has {self._length} bytes; {length} were announced: send it again"
            )
        if digest and digest != found:
            raise SubmissionError(
                Rule.UPLOAD, f"has the SHA-256 {found}; {quoted(digest, 64)} was announced"
            )
        path = self._place(found)
        with _as_host_fault(path):
            os.fchmod(self._file.fileno(), _READ_ONLY)
            os.fsync(self._file.fileno())
            path.parent.mkdir(exist_ok=True)
            # Over what may be there: equal bytes, or a file that has been damaged.
            os.rename(self._path, path)
            _sync_folder(path.parent)
            _sync_folder(path.parent.parent)
        return found


def _verify(file: io.BufferedReader, digest: str, path: Path) -> None:
    with _as_host_fault(path):
        found = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
    if found != digest:
        raise HostFault(f"{path}: has changed: its bytes now have the SHA-256 {found}")


def _sync_folder(folder: Path) -> None:
    """See to it that the names in a folder survive a loss of power."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _as_host_fault(path: Path | str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HostFault(f"{path}: {error.strerror}") from None
