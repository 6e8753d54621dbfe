"""A slot: a user number and a folder that are one seat's alone, as long as the seat lives.

Limits that the kernel counts by user are shared by all who have the same number, in whatever
container; so no two live seats of this machine have one. A lock on a file holds a number, and the
kernel lets go of it with the process that holds it, however that ends.

A container shows where its folders are on the host. So their names are chance, and say nothing of
owner, bot, seat or match.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import HostFault
from arena.sandbox.guard import remove_tree
from arena.sandbox.masks import still_stat

__all__ = ["Slot", "clear_dead", "is_alive", "life", "slot", "state_folder"]

_FIRST: Final = 20_000
_USERS: Final = 40
_EACH: Final = 1000
_LONGEST_PATH: Final = 100  # bytes; the system's own limit is 107


def state_folder() -> Path:
    """The folder for locks and slots of this user, made if need be; nobody else may enter it.

    `ARENA_STATE` names another one than usual. Only within one are user numbers told apart.

    Raises:
        HostFault: it cannot be made, or is somebody else's.
    """
    # Not where temporary files go: that may be another folder in each process.
    own = os.environ.get("XDG_RUNTIME_DIR") or "/tmp"  # noqa: S108 - and its owner is looked at
    home = Path("/run" if os.geteuid() == 0 else own)
    named = os.environ.get("ARENA_STATE")
    folder = Path(named) if named else home / f"arena-{os.geteuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        facts = folder.lstat()
        if facts.st_uid != os.geteuid() or folder.is_symlink() or facts.st_mode & 0o077:
            raise HostFault(f"{folder}: must be a folder of this user that nobody else may enter")
        for name in ("uids", "lives", "slots"):
            (folder / name).mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise HostFault(f"{folder}: {error.strerror}") from None
    return folder


@dataclass(frozen=True, slots=True)
class Slot:
    """What a seat has for itself.

    Attributes:
        uid: User and group number.
        folder: Its folder on the host; in it are `run`, for the socket, and `bot`.
    """

    uid: int
    folder: Path

    @property
    def run(self) -> Path:
        """The folder for the socket; the container sees it as /run/arena, read-only."""
        return self.folder / "run"

    @property
    def stat(self) -> Path:
        """The file that the container sees as /proc/stat."""
        return self.folder / "stat"

    @property
    def bot(self) -> Path:
        """The private copy of the bot's files; the container sees it as /bot, read-only."""
        return self.folder / "bot"


@contextlib.contextmanager
def slot(owner: str) -> Iterator[Slot]:
    """A slot that nobody else has, for the life `owner`; its folder is removed at the end.

    Raises:
        HostFault: there is none left, or its folder cannot be made.
    """
    state = state_folder()
    with _user_number(state) as uid:
        folder = state / "slots" / owner / secrets.token_hex(8)
        if len(str(folder / "run" / "seat.sock").encode()) > _LONGEST_PATH:
            raise HostFault(
                f"{state}: too long for a socket's path; set ARENA_STATE to a shorter one"
            )
        try:
            # Only the engine and this process go through it; a container sees what is inside.
            folder.mkdir(mode=0o700, parents=True)
            for inner in ("run", "bot"):
                (folder / inner).mkdir()
                (folder / inner).chmod(0o755)
            (folder / "stat").write_text(still_stat())
            (folder / "stat").chmod(0o644)
        except OSError as error:
            remove_tree(str(folder))
            raise HostFault(f"{folder}: {error.strerror}") from None
        try:
            yield Slot(uid, folder)
        finally:
            remove_tree(str(folder))


@contextlib.contextmanager
def _user_number(state: Path) -> Iterator[int]:
    first = _FIRST + os.geteuid() % _USERS * _EACH
    start = secrets.randbelow(_EACH)
    for step in range(_EACH):
        uid = first + (start + step) % _EACH
        with _locked(state / "uids" / str(uid)) as is_ours:
            if is_ours:
                yield uid
                return
    raise HostFault(f"all {_EACH} user numbers for sandboxes are taken")


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Hold a lock file; False: somebody else does."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(file)


@contextlib.contextmanager
def life() -> Iterator[str]:
    """A name for what this process starts; `is_alive` while this lasts and the process lives."""
    state = state_folder()
    while True:
        name = secrets.token_hex(8)
        path = state / "lives" / name
        with _locked(path) as is_ours:
            # Between making and locking it, a reaper may have taken it for a dead one's.
            if is_ours and path.exists():
                try:
                    yield name
                finally:
                    remove_tree(str(state / "slots" / name))
                    path.unlink(missing_ok=True)
                return


def clear_dead() -> None:
    """Remove what is left of lives that have ended without doing so themselves."""
    state = state_folder()
    for kind in ("slots", "lives"):
        for left in tuple((state / kind).iterdir()):
            if not is_alive(left.name):
                if left.is_dir():
                    remove_tree(str(left))
                else:
                    left.unlink(missing_ok=True)


def is_alive(name: str) -> bool:
    """Whether the process that has this life still runs."""
    path = state_folder() / "lives" / Path(name).name
    try:
        file = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False
