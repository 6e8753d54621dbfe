"""Files that are kept once under the SHA-256 of their bytes: records, logs, builds.

    FOLDER/ab/abcd...       a file, named by its digest; ab are the first two digits
    FOLDER/.incoming/...    what is being written: locked while it is, so that what was left behind
                            can be told from it

A file comes under its name only when all of it is on the disk, by a rename in the same file system;
and whoever asks for a digest gets a descriptor whose bytes have just been found to have it.
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
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from arena.errors import FieldError, HostFault, quoted
from arena.storage import failpoints

__all__ = ["FileStore", "sync_folder"]

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_INCOMING: Final = ".incoming"
_PIECE: Final = 1 << 20
_READ_ONLY: Final = 0o444


class FileStore:
    """The files below a folder, which is made with the first of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._incoming = folder / _INCOMING

    def put(self, content: bytes | Iterable[bytes]) -> str:
        """Store bytes, all or in pieces; return their digest. Again is no fault.

        Raises:
            HostFault: they cannot be stored, the disk being full for example; nothing is left.
        """
        pieces = [content] if isinstance(content, bytes) else content
        with self._aside() as (file, path):
            digest = hashlib.sha256()
            for piece in pieces:
                digest.update(piece)
                rest = memoryview(piece)
                while rest:
                    rest = rest[file.write(rest) :]
            self._keep(file, path, self.place(digest.hexdigest()))
        return digest.hexdigest()

    def put_file(self, path: Path) -> str:
        """Store a copy of a file; return its digest."""
        with _as_host_fault(path), path.open("rb") as file:
            return self.put(iter(lambda: file.read(_PIECE), b""))

    def open(self, digest: str) -> io.BufferedReader:
        """The file of a digest, verified, to be read from its beginning.

        Raises:
            FieldError: that is no digest.
            HostFault: there is no such file, it has changed, or it cannot be read.
        """
        path = self.place(digest)
        with _as_host_fault(path):
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
            file = os.fdopen(descriptor, "rb")
            try:
                _verify(file, digest, path)
            except BaseException:
                file.close()
                raise
        return file

    def read(self, digest: str) -> bytes:
        """All bytes of a digest; raises as `open` does."""
        with self.open(digest) as file, _as_host_fault(self.place(digest)):
            return file.read()

    def __contains__(self, digest: str) -> bool:
        return _DIGEST.fullmatch(digest) is not None and self.place(digest).is_file()

    def __iter__(self) -> Iterator[str]:
        """The digests of all that is stored, in their order."""
        with _as_host_fault(self.folder):
            for folder in sorted(self.folder.iterdir()) if self.folder.is_dir() else ():
                names = sorted(os.listdir(folder)) if len(folder.name) == 2 else []
                yield from (name for name in names if _DIGEST.fullmatch(name))

    def place(self, digest: str) -> Path:
        """Where the file of a digest is, or would be.

        Raises:
            FieldError: that is no digest.
        """
        if not _DIGEST.fullmatch(digest):
            raise FieldError("digest", f"{quoted(digest)} is not 64 hexadecimal digits")
        return self.folder / digest[:2] / digest

    def remove_leftovers(self) -> int:
        """Remove what writers that were killed have left; how many files that were."""
        removed = 0
        if not self._incoming.is_dir():
            return removed
        with _as_host_fault(self._incoming):
            for path in self._incoming.iterdir():
                with contextlib.suppress(OSError), path.open("rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails if it is being written
                    path.unlink()
                    removed += 1
        return removed

    @contextlib.contextmanager
    def _aside(self) -> Iterator[tuple[io.FileIO, str]]:
        with _as_host_fault(self.folder):
            self._incoming.mkdir(parents=True, exist_ok=True)
            descriptor, path = tempfile.mkstemp(dir=self._incoming)
            with os.fdopen(descriptor, "wb", buffering=0) as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX)
                    yield file, path
                finally:
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(path)

    def _keep(self, file: io.FileIO, aside: str, path: Path) -> None:
        os.fchmod(file.fileno(), _READ_ONLY)
        os.fsync(file.fileno())
        path.parent.mkdir(exist_ok=True)
        failpoints.reached(failpoints.BEFORE_FILE_RENAME)
        # Over what may be there: equal bytes, or a file that has been damaged.
        os.rename(aside, path)
        sync_folder(path.parent)
        sync_folder(self.folder)
        failpoints.reached(failpoints.AFTER_FILE_RENAME)


def sync_folder(folder: Path) -> None:
    """See to it that the names in a folder survive a loss of power; raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _verify(file: io.BufferedReader, digest: str, path: Path) -> None:
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        raise HostFault(f"{path}: is no file")
    found = hashlib.file_digest(file, "sha256").hexdigest()
    file.seek(0)
    if found != digest:
        raise HostFault(f"{path}: has changed: its bytes now have the SHA-256 {found}")


@contextlib.contextmanager
def _as_host_fault(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HostFault(f"{path}: {error.strerror or error}") from None
