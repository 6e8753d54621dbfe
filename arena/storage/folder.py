"""A server's data folder: what lies where, whose it is, and where it may not be.

DATA/arena.sqlite          the database, unless it is PostgreSQL; -wal and -shm belong to it
DATA/arena.lock            held by the server that has the folder open; says which one
DATA/arena.identity        a number by chance that the database has too: they belong together
DATA/archives, artefacts   uploads and what was built of them, by their SHA-256
DATA/records, logs         of matches, by their SHA-256
DATA/spool                 what a match has written and the database does not have yet
DATA/work                  builds under way; worth nothing afterwards
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pwd
import re
import secrets
import socket
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final

from arena.errors import HostFault, InputError, quoted
from arena.storage.facts import Clock
from arena.storage.files import FileStore, sync_folder

__all__ = ["STORES", "DataFolder", "file_system_of", "free_space", "shown_moment"]

STORES: Final = ("archives", "artefacts", "logs", "records")
"""The folders of files that are named by their SHA-256."""

_OWN: Final = ("arena.sqlite", "arena.lock", "arena.identity", *STORES, "spool", "work", "shelf")
_OF_A_DISK: Final = {"lost+found"}
_IDENTITY: Final = re.compile(r"[0-9a-f]{32}")
_MOUNTS: Final = Path("/proc/self/mountinfo")

_NETWORKED: Final = re.compile(
    r"nfs\d?|cifs|smb\w*|9p|afs|auristorfs|ceph|coda|lustre|gpfs|beegfs|gfs2|ocfs2|orangefs|pvfs2"
    r"|glusterfs|ncpfs|fuse\.(sshfs|glusterfs|ceph.*|s3fs|rclone|gcsfuse|blobfuse\d?|davfs\d?|curlftpfs"
    r"|juicefs|mfs.*|lizardfs)"
)
"""On these a lock of one machine may mean nothing to another, or to this one."""


class DataFolder:
    """The data folder at `path`; nothing is looked at or made before a method is called."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = path / "arena.sqlite"
        self.spool = path / "spool"
        self.work = path / "work"
        self._lock = path / "arena.lock"
        self._identity = path / "arena.identity"

    def store(self, name: str) -> FileStore:
        """The files of one of `STORES`."""
        return FileStore(self.path / name)

    def prepare(self, file_system: Callable[[Path], str] | None = None) -> None:
        """Make the folder if it is not there, and refuse one that would not do.

        Raises:
            InputError: it is no folder, or somebody keeps something else in it.
            HostFault: it is another user's, cannot be written to, or lies on a network.
        """
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._check_content()
            self._check_owner(self.path)
            _check_file_system(self.path, (file_system or file_system_of)(self.path))
            self._check_writable()
            for folder in (self.spool, self.work, *(self.path / name for name in STORES)):
                folder.mkdir(exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise InputError(f"data folder {self.path}: is no folder") from None
        except OSError as error:
            raise HostFault(f"data folder {self.path}: {error.strerror}") from None

    @contextlib.contextmanager
    def locked(self, clock: Clock) -> Iterator[None]:
        """Hold the folder: nobody else can, in this process or another one.

        Raises:
            HostFault: somebody else does; the message says who, and since when.
        """
        with self._open_lock() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise HostFault(
                    f"data folder {self.path}: a server has it open: {_told(file)}"
                ) from None
            holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": clock()}
            with contextlib.suppress(OSError):  # on a full disk the lock holds, and says less
                os.ftruncate(file.fileno(), 0)
                os.pwrite(file.fileno(), json.dumps(holder).encode() + b"\n", 0)
            yield

    @property
    def has_content(self) -> bool:
        """Whether a server has stored or spooled files here."""
        folders = [self.spool, *(self.path / name for name in STORES)]
        return any(files for one in folders for _, _, files in os.walk(one))

    def identity(self) -> str:
        """The number that the database has too; empty if this folder has none yet.

        Raises:
            HostFault: what is there is no such number.
        """
        try:
            text = self._identity.read_text("ascii").strip()
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise HostFault(f"{self._identity}: cannot be read: {error}") from None
        if not _IDENTITY.fullmatch(text):
            raise HostFault(f"{self._identity}: {quoted(text)} is not 32 hexadecimal digits")
        return text

    def set_identity(self, text: str) -> None:
        """Give the folder the number that the database has."""
        aside = self._identity.with_suffix(".new")
        try:
            with aside.open("w", encoding="ascii") as file:
                file.write(f"{text}\n")
                file.flush()
                os.fsync(file.fileno())
            aside.replace(self._identity)
            sync_folder(self.path)
        except OSError as error:
            raise HostFault(f"{self._identity}: {error.strerror}") from None

    def new_identity(self) -> str:
        """Give the folder a number of its own, and return it."""
        self.set_identity(secrets.token_hex(16))
        return self.identity()

    def _open_lock(self) -> IO[str]:
        try:
            descriptor = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise HostFault(f"{self._lock}: {error.strerror}") from None
        return os.fdopen(descriptor, "r+", encoding="utf-8")

    def _check_content(self) -> None:
        names = sorted(set(os.listdir(self.path)) - _OF_A_DISK)
        if names and not any(name in _OWN for name in names):
            raise InputError(
                f"data folder {self.path}: holds {quoted(names[0])} and no data of a server; "
                "name an empty folder or a new one"
            )

    def _check_owner(self, path: Path) -> None:
        owner = path.stat().st_uid
        if owner != os.geteuid():
            raise HostFault(
                f"{path}: belongs to {_user(owner)}, and this is {_user(os.geteuid())}: "
                "run it as its owner, or give it to this one with chown -R"
            )

    def _check_writable(self) -> None:
        files = [self.path, self.database, self._lock, self._identity]
        for path in (one for one in files if one.exists()):
            self._check_owner(path)
            if not os.access(path, os.W_OK):
                raise HostFault(f"{path}: cannot be written to: the disk or it is read-only")


def free_space(folder: Path) -> int:
    """How many bytes this process may still write below a folder.

    Raises:
        HostFault: nobody can tell.
    """
    try:
        found = os.statvfs(folder)
    except OSError as error:
        raise HostFault(f"{folder}: {error.strerror}") from None
    return found.f_bavail * found.f_frsize


def file_system_of(folder: Path) -> str:
    """The kind of file system that a folder is on, such as ext4; empty if nobody can tell."""
    place = folder.resolve()
    best = (-1, "")
    try:
        lines = _MOUNTS.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ""
    for line in lines:
        before, _, after = line.partition(" - ")
        mounted = Path(re.sub(r"\\(\d{3})", _from_octal, before.split(" ")[4]))
        if place.is_relative_to(mounted) and len(mounted.parts) >= best[0]:
            best = (len(mounted.parts), after.split(" ")[0])
    return best[1]


def shown_moment(moment: int) -> str:
    """A moment for people, in UTC."""
    with contextlib.closing(sqlite3.connect(":memory:")) as calendar:
        query = "SELECT datetime(?, 'unixepoch')"
        return f"{calendar.execute(query, [moment // 1000]).fetchone()[0]} UTC"


def _from_octal(found: re.Match[str]) -> str:
    return chr(int(found[1], 8))


def _check_file_system(folder: Path, kind: str) -> None:
    if _NETWORKED.fullmatch(kind):
        raise HostFault(
            f"data folder {folder}: is on a network file system ({kind}), where locks and fsync "
            "cannot be relied on; name a folder on a disk of this machine"
        )


def _told(file: IO[str]) -> str:
    try:
        holder: Any = json.loads(file.read(1000))
        since = shown_moment(int(holder["since"]))
        return f"process {int(holder['pid'])} on {quoted(holder['host'])}, since {since}"
    except (OSError, ValueError, KeyError, TypeError):
        return "it has not said which"


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
