"""Which versions of a bot there are, and which of them plays.

    FOLDER/OWNER/BOT/versions/abcd...   a version: JSON, named by the SHA-256 of its bytes
    FOLDER/OWNER/BOT/active             the digest of the one that plays
    FOLDER/.new/...                     what is being written: locked while it is

BOT is the SHA-256 of the bot's name, which may hold anything that is printable. A version never
changes, as its name says what its bytes are. What plays changes by one rename, after the version is
on the disk; whatever is killed, or finds the disk full, leaves what was there before. Of two who
put something there at once both versions are there, and the one that came last plays.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from arena.errors import HostFault, InputError, quoted
from arena.submissions.bottoml import Manifest

__all__ = ["Entrant", "Shelf", "Version", "check_owner", "version_of"]

_OWNER: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_NEW: Final = ".new"
_ACTIVE: Final = "active"
_VERSIONS: Final = "versions"
_NOWHERE: Final = Path()


def check_owner(name: str) -> None:
    """Refuse what is no name for an owner.

    Raises:
        InputError: the message says what one is.
    """
    if not _OWNER.fullmatch(name):
        raise InputError(
            f"owner {quoted(name)}: must be 1 to 64 of a-z 0-9 _ -, not beginning with _ or -"
        )


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot as its author knows it: whose it is, and its name.

    Raises:
        InputError: that is no name for an owner.
    """

    owner: str
    bot: str

    def __post_init__(self) -> None:
        check_owner(self.owner)


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One upload of a bot, as it is played.

    Attributes:
        archive: Digest of what was uploaded.
        artefact: Digest of what is played: what the build left, or the archive itself.
        image: Id of the image that it was built in and plays in; empty where it was in none.
        manifest: Its `bot.toml`, without a folder.
    """

    archive: str
    artefact: str
    image: str
    manifest: Manifest

    @property
    def digest(self) -> str:
        """What the version is named by: SHA-256 over all that it says."""
        return hashlib.sha256(self.as_bytes()).hexdigest()

    def as_bytes(self) -> bytes:
        """All that it says, the same bytes for the same version."""
        values = asdict(self)
        del values["manifest"]["folder"]
        if not values["manifest"]["bridge"]:
            # Versions are named by this: one that says nothing of it is named without it.
            del values["manifest"]["bridge"]
        return json.dumps(values, sort_keys=True, separators=(",", ":")).encode()


def version_of(content: bytes) -> Version:
    """The version that `Version.as_bytes` has written.

    Raises:
        ValueError: it is none.
    """
    values: dict[str, Any] = json.loads(content)
    try:
        manifest: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in values.pop("manifest").items()
        }
        return Version(manifest=Manifest(**manifest, folder=_NOWHERE), **values)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no version: {error}") from None


class Shelf:
    """The versions below a folder, which is made if it is not there.

    Raises:
        HostFault: the folder cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._new = folder / _NEW
        with _as_host_fault(folder):
            self._new.mkdir(parents=True, exist_ok=True)

    def put(self, entrant: Entrant, version: Version) -> None:
        """Keep a version, and have it play from now on.

        Raises:
            HostFault: it cannot be written; what played before still does.
        """
        place = self._place(entrant)
        with _as_host_fault(place):
            (place / _VERSIONS).mkdir(parents=True, exist_ok=True)
            for folder in (self._folder, place.parent, place):
                _sync_folder(folder)
        self._write(place / _VERSIONS / version.digest, version.as_bytes())
        self._write(place / _ACTIVE, version.digest.encode())

    def activate(self, entrant: Entrant, digest: str) -> None:
        """Have a version that is kept play from now on.

        Raises:
            InputError: the entrant has no such version.
            HostFault: it cannot be read or written.
        """
        self.version(entrant, digest)
        self._write(self._place(entrant) / _ACTIVE, digest.encode())

    def active(self, entrant: Entrant) -> Version | None:
        """The version that plays; None: there is none.

        Raises:
            HostFault: what is written there has changed, or cannot be read.
        """
        path = self._place(entrant) / _ACTIVE
        content = _read(path)
        if content is None:
            return None
        digest = content.decode("ascii", "replace")
        if not _DIGEST.fullmatch(digest):
            raise HostFault(f"{path}: has changed: it holds no digest")
        try:
            return self.version(entrant, digest)
        except InputError:
            raise HostFault(f"{path}: names a version that is gone: {digest}") from None

    def version(self, entrant: Entrant, digest: str) -> Version:
        """The version of that digest.

        Raises:
            InputError: the entrant has none.
            HostFault: it has changed, or cannot be read.
        """
        path = self._place(entrant) / _VERSIONS / digest
        content = _read(path) if _DIGEST.fullmatch(digest) else None
        if content is None:
            raise InputError(
                f"bot {quoted(entrant.bot)} of {entrant.owner} has no version {quoted(digest)}"
            )
        if hashlib.sha256(content).hexdigest() != digest:
            raise HostFault(f"{path}: has changed: its bytes now have another SHA-256")
        try:
            return version_of(content)
        except ValueError as error:
            raise HostFault(f"{path}: was written by another version of the arena: {error}") from (
                None
            )

    def versions(self, entrant: Entrant) -> tuple[str, ...]:
        """The digests of all versions of an entrant, in no order that means anything."""
        with _as_host_fault(self._folder), contextlib.suppress(FileNotFoundError):
            return tuple(sorted(os.listdir(self._place(entrant) / _VERSIONS)))
        return ()

    def remove_leftovers(self) -> int:
        """Remove what those who were killed have left; how many files that were."""
        removed = 0
        for path in self._new.iterdir():
            with contextlib.suppress(OSError), path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails if somebody writes to it
                path.unlink()
                removed += 1
        return removed

    def _place(self, entrant: Entrant) -> Path:
        name = hashlib.sha256(entrant.bot.encode("utf-8", "surrogateescape")).hexdigest()
        return self._folder / entrant.owner / name

    def _write(self, path: Path, content: bytes) -> None:
        """Have a file hold `content`, or be as it was; on the disk when this returns."""
        with _as_host_fault(path):
            descriptor, aside = tempfile.mkstemp(dir=self._new)
            with os.fdopen(descriptor, "wb", buffering=0) as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX)
                    rest = memoryview(content)
                    while rest:
                        rest = rest[file.write(rest) :]
                    os.fsync(descriptor)
                    os.rename(aside, path)
                except BaseException:
                    with contextlib.suppress(OSError):
                        os.unlink(aside)
                    raise
            _sync_folder(path.parent)


def _read(path: Path) -> bytes | None:
    """What a file holds; None: there is none."""
    with _as_host_fault(path):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            return file.read()


def _sync_folder(folder: Path) -> None:
    """See to it that the names in a folder survive a loss of power."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _as_host_fault(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HostFault(f"{path}: {error.strerror}") from None
