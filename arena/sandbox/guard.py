"""What is done about those that a program leaves behind, even when nobody else is left to do it.

As a module: `sweep` and `remove_tree`, for whoever runs programs. As a program, which needs nothing
of this project: a guard, which is told on its standard input what is running,

    + MARK SESSION FOLDER       a program is started; again, with its session, when it runs
    - MARK                      it has ended, and nothing of it is left
    ~ MARK WORD PATH            it may be held still; the word written there lets it go on

and which sweeps and removes when that input ends. That is what the death of whoever started it
looks like, even by SIGKILL.

What stays open then: who has left the session, wiped its environment and lost its parent before
that. It was a child of whoever started us (see `orphans`), and is now one of somebody above.

It is started for every match, so it loads next to nothing: `contextlib`, `signal` and `typing`
would take longer to load than it has anything to do.
"""

from __future__ import annotations

import os
import select
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Final

__all__ = ["MARK", "Process", "processes", "remove_tree", "sweep", "thaw"]

MARK: Final = "ARENA_MARK"
"""The variable whose value, new for each program, tells who belongs to it."""

_SIGKILL: Final = 9
_SIGSTOP: Final = 19
_OWNER_MAY_ALL: Final = 0o700
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_SWEEPS: Final = 100
_BETWEEN_SWEEPS: Final = 0.02  # seconds
_PATIENT_SWEEPS: Final = 5
_COUNTS: Final = 10
_FREEZER: Final = "/sys/fs/cgroup/freezer"


def sweep(mark: str, session: int) -> None:
    """Kill every process that carries the mark or is in the session, until none is left.

    And with each of them all that descend from it. Session 0 is none. Where there is no /proc
    nobody is found. Blocks: for milliseconds if nobody is left, for seconds if somebody resists.
    """
    # The kernel gives 0 to everybody who has none of their own, this machine's keepers included.
    session = session or -1
    resisting = False
    for count in range(_SWEEPS):
        found = _held_still(mark, session)
        for pid in found:
            _attempt(os.kill, pid, _SIGKILL)
            if count >= _PATIENT_SWEEPS:
                thaw(pid)
        # Who forks while everybody is counted is easily missed, so one empty round may be luck.
        if not found and not resisting:
            return
        resisting = bool(found)
        select.select([], [], [], _BETWEEN_SWEEPS)


def _held_still(mark: str, session: int) -> set[int]:
    """The processes to kill, all of them stopped.

    A child whose parent has died is no longer known as its child. Who is stopped has no further
    children, so that all are known before the first one dies.
    """
    still: set[int] = set()
    for _ in range(_COUNTS):
        found = _left(mark, session)
        if found <= still:
            return found
        for pid in found - still:
            _attempt(os.kill, pid, _SIGSTOP)
        still |= found
    return _left(mark, session)


def _left(mark: str, session: int) -> set[int]:
    """The processes to kill that still run."""
    # Bytes: a program may be called anything, and a stranger's name must not end the search.
    line = f"\0{MARK}={mark}\0".encode()
    left: set[int] = set()
    children: dict[int, list[int]] = {}
    for one in processes():
        if one.has_ended:
            continue
        children.setdefault(one.parent, []).append(one.pid)
        if one.session == session or line in b"\0" + _read(f"/proc/{one.pid}/environ"):
            left.add(one.pid)
    beyond = list(left)
    while beyond:
        more = set(children.get(beyond.pop(), ())) - left
        left |= more
        beyond += more
    return left


class Process:
    """One process: its number, those of its parent, its group and its session."""

    __slots__ = ("group", "has_ended", "parent", "pid", "session")

    def __init__(self, pid: int, status: list[bytes]) -> None:
        self.pid = pid
        self.has_ended = status[0] in b"ZX"
        self.parent, self.group, self.session = map(int, status[1:4])


def processes() -> Iterator[Process]:
    """All processes, the newest first; none where there is no /proc."""
    names = os.listdir("/proc") if os.path.isdir("/proc") else ()
    # Numbers begin again when they are used up: what is above the last one given is old.
    last = int((_read("/proc/loadavg").split() or (b"0",))[-1])
    pids = (int(name) for name in names if name.isdecimal())
    for pid in sorted(pids, key=lambda one: (one > last, -one)):
        # What follows the program's name, which is in brackets and may hold anything.
        status = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
        if status:
            yield Process(pid, status)


def thaw(pid: int) -> None:
    """Let a process go on, if it may be, that is held still by its control group.

    A frozen one dies when it is thawed, in version 1 of the groups; in version 2 at once.
    """
    for line in os.fsdecode(_read(f"/proc/{pid}/cgroup")).splitlines():
        _, controllers, path = line.split(":", 2)
        while "freezer" in controllers.split(",") and path.strip("/"):
            _attempt(_write, f"{_FREEZER}{path}/freezer.state", "THAWED")
            path = os.path.dirname(path)


def _read(path: str) -> bytes:
    """What a file of /proc holds; nothing if the process has gone or is somebody else's."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def remove_tree(root: str) -> None:
    """Remove a folder that a stranger has filled, as far as that can be done.

    It may be deeper than a path can be long or a recursion deep, so one descriptor walks through
    it, down by names and up by `..`. No link is followed.
    """
    _attempt(os.chmod, root, _OWNER_MAY_ALL)
    try:
        here = os.open(root, _FOLDER)
    except OSError:
        return
    way = [(root, _without_files(here))]
    while way:
        name, folders = way[-1]
        if folders:
            here = _down(here, folders.pop(), way)
            continue
        way.pop()
        if way:
            here = _instead_of(here, os.open("..", _FOLDER, dir_fd=here))
            _attempt(os.rmdir, name, dir_fd=here)
    os.close(here)
    _attempt(os.rmdir, root)


def _down(here: int, name: str, way: list[tuple[str, list[str]]]) -> int:
    """Go into a folder in this one, if that can be done."""
    _attempt(os.chmod, name, _OWNER_MAY_ALL, dir_fd=here)
    try:
        there = os.open(name, _FOLDER, dir_fd=here)
    except OSError:
        return here
    way.append((name, _without_files(there)))
    return _instead_of(here, there)


def _instead_of(here: int, there: int) -> int:
    os.close(here)
    return there


def _without_files(folder: int) -> list[str]:
    """Remove all that is no folder from a folder; the names of the folders in it."""
    folders = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
            else:
                _attempt(os.unlink, entry.name, dir_fd=folder)
    return folders


def _attempt(act: Callable[..., object], *args: object, **options: object) -> None:
    """Do what somebody else may have done already, or have made impossible."""
    try:  # noqa: SIM105 - see above
        act(*args, **options)
    except OSError:
        pass


def _write(path: str, word: str) -> None:
    with open(path, "w") as file:
        file.write(word)


def _watch() -> None:
    """Be the guard."""
    wards: dict[str, tuple[int, str]] = {}
    held: dict[str, tuple[str, str]] = {}
    for line in sys.stdin.buffer:
        sign, mark, *rest = os.fsdecode(line).rstrip("\n").split(" ", 3)
        if sign == "+":
            wards[mark] = int(rest[0]), rest[1]
        elif sign == "~":
            held[mark] = rest[0], rest[1]
        else:
            wards.pop(mark, None)
            held.pop(mark, None)
    for word, path in held.values():
        _attempt(_write, path, word)
    for mark, (session, folder) in wards.items():
        sweep(mark, session)
        remove_tree(folder)


if __name__ == "__main__":
    _watch()
