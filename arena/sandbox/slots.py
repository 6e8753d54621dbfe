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

__all__ = [
    "Slot",
    "clear_dead",
    "folders_of",
    "is_alive",
    "life",
    "owned_folder",
    "slot",
    "state_folder",
]

_FIRST: Final = 20_000
_USERS: Final = 40
_EACH: Final = 1000
_LONGEST_STATE: Final = 100 - len("/slots/0123456789abcdef/run/seat.sock")
"""Bytes; the path of a socket has 107 at most."""


def state_folder() -> Path:
    """The folder for locks and slots of this user, made if need be; nobody else may enter it.

    `ARENA_STATE` names another one than usual. Only within one are user numbers told apart.

    Raises:
        HostFault: it cannot be made, or is somebody else's.
    """
    named = os.environ.get("ARENA_STATE")
    # On the disk, for copies of bots lie there; and not where temporary files go, which may be
    # another folder in each process. That it is ours is looked at.
    folder = Path(named or f"/var/tmp/arena-{os.geteuid()}")  # noqa: S108
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        facts = folder.lstat()
        if facts.st_uid != os.geteuid() or folder.is_symlink() or facts.st_mode & 0o077:
            raise HostFault(f"{folder}: must be a folder of this user that nobody else may enter")
        if len(os.fsencode(folder)) > _LONGEST_STATE:
            raise HostFault(
                f"{folder}: too long for a socket's path to begin with it; "
                f"set ARENA_STATE to one of at most {_LONGEST_STATE} bytes"
            )
        for name in ("uids", "lives", "owners", "slots"):
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
    with _user_number(state) as uid, owned_folder(owner) as folder:
        try:
            # Only the engine and this process go through it; a container sees what is inside.
            for inner in ("run", "bot"):
                (folder / inner).mkdir()
                (folder / inner).chmod(0o755)
            (folder / "stat").write_text(still_stat())
            (folder / "stat").chmod(0o644)
        except OSError as error:
            raise HostFault(f"{folder}: {error.strerror}") from None
        yield Slot(uid, folder)


@contextlib.contextmanager
def owned_folder(owner: str) -> Iterator[Path]:
    """A new folder of the life `owner`, for this user alone; removed at the end, or by a reaper.

    Its name is chance, and not the life's: two seats of a match have nothing in common.

    Raises:
        HostFault: it cannot be made.
    """
    state = state_folder()
    name = secrets.token_hex(8)
    told, folder = state / "owners" / name, state / "slots" / name
    try:
        told.write_text(owner)  # first: a reaper must never see it without an owner
        folder.mkdir(mode=0o700)
    except OSError as error:
        told.unlink(missing_ok=True)
        raise HostFault(f"{folder}: {error.strerror}") from None
    try:
        yield folder
    finally:
        remove_tree(str(folder))
        told.unlink(missing_ok=True)


@contextlib.contextmanager
def _user_number(state: Path) -> Iterator[int]:
    first = _FIRST + os.geteuid() % _USERS * _EACH
    start = secrets.randbelow(_EACH)
    for step in range(_EACH):
        uid = first + (start + step) % _EACH
        path = state / "uids" / str(uid)
        with _locked(path) as file:
            if file is not None and _is_still(path, file):
                try:
                    yield uid
                finally:
                    path.unlink(missing_ok=True)
                return
    raise HostFault(f"all {_EACH} user numbers for sandboxes are taken")


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[int | None]:
    """Hold a lock file, by a descriptor; None: somebody else does."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise HostFault(f"{path}: cannot be locked: {error.strerror}") from None
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield None
        else:
            yield file
    finally:
        os.close(file)


@contextlib.contextmanager
def life() -> Iterator[str]:
    """A name for what this process starts; `is_alive` while this lasts and the process lives."""
    state = state_folder()
    while True:
        name = secrets.token_hex(8)
        path = state / "lives" / name
        with _locked(path) as file:
            # Between making and locking it, a reaper may have taken it for a dead one's.
            if file is not None and _is_still(path, file):
                try:
                    yield name
                finally:
                    path.unlink(missing_ok=True)
                return


def folders_of(owner: str) -> list[Path]:
    """The folders that the life `owner` has now."""
    state = state_folder()
    found = []
    for told in tuple((state / "owners").iterdir()):
        with contextlib.suppress(FileNotFoundError):  # just given back
            if told.read_text() == owner:
                found.append(state / "slots" / told.name)
    return found


def _is_still(path: Path, file: int) -> bool:
    """Whether a path still leads to the file that is open."""
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(path.lstat(), os.fstat(file))
    return False


def clear_dead() -> None:
    """Remove what is left of lives that have ended without doing so themselves."""
    state = state_folder()
    for told in tuple((state / "owners").iterdir()):
        with contextlib.suppress(FileNotFoundError):  # its owner has just removed it
            # Nothing was written yet: then it has no folder yet either.
            if (owner := told.read_text()) and not is_alive(owner):
                remove_tree(str(state / "slots" / told.name))
                told.unlink(missing_ok=True)
    for path in (*(state / "lives").iterdir(), *(state / "uids").iterdir()):
        # Held while it is removed: whoever locks it next sees that it is no longer there.
        with contextlib.suppress(HostFault, OSError), _locked(path) as file:
            if file is not None:
                path.unlink(missing_ok=True)


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
