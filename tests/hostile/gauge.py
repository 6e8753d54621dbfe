"""What a match in containers does to this machine, seen from a process beside the referee's.

The referee's own descriptors say which life and which user numbers are the match's; the processes
of those users say which containers. So nothing of other matches is counted, but for what the engine
does for all of them.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.sandbox.slots import state_folder

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

__all__ = ["Gauged", "engine_seconds", "gauging", "groups_of", "processes_of"]

_INTERVAL: Final = 0.1  # seconds
_ENGINE: Final = ("dockerd", "containerd")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_GROUPS: Final = Path("/sys/fs/cgroup")


@dataclass(slots=True)
class Gauged:
    """What could be seen.

    Attributes:
        lives: Names of the lives that the referee's process had (`slots.life`).
        users: User numbers of its seats.
        containers: Ids of its containers.
        engine: Seconds of processor time that the engine took meanwhile, for everybody.
        disk: Megabytes on disk at most: the folders of its containers, and those that were named.
        kept: Bytes that the engine kept of what one of the containers printed, at most.
        processes: How many processes and threads one of the containers had at most.
    """

    lives: set[str] = field(default_factory=set)
    users: set[int] = field(default_factory=set)
    containers: set[str] = field(default_factory=set)
    engine: float = 0
    disk: float = 0
    kept: int = 0
    processes: int = 0


@contextlib.contextmanager
def gauging(root: Path, *folders: Path) -> Iterator[Gauged]:
    """Look at the matches of this process as long as this lasts, and at folders of its own.

    `root` is the engine's folder.
    """
    found = Gauged()
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    beside = context.Process(target=_watch, args=(os.getpid(), root, folders, theirs), daemon=True)
    before = engine_seconds()
    beside.start()
    theirs.close()
    ours.recv()  # it has begun
    try:
        yield found
    finally:
        ours.send(None)
        seen: Gauged = ours.recv()
        ours.close()
        beside.join()
        for name in ("lives", "users", "containers", "disk", "kept", "processes"):
            setattr(found, name, getattr(seen, name))
        found.engine = engine_seconds() - before


def _watch(referee: int, root: Path, folders: tuple[Path, ...], line: Connection) -> None:
    """Be the process beside the referee's."""
    seen = Gauged()
    line.send(None)
    while not line.poll(_INTERVAL):
        _look(seen, referee, root)
        own = [place for ident in seen.containers for place in _places_of(root, ident)]
        seen.disk = max(seen.disk, sum(map(_on_disk, (*own, *folders))) / 1e6)
    line.send(seen)


def _look(seen: Gauged, referee: int, root: Path) -> None:
    state = state_folder()
    with contextlib.suppress(OSError):
        for one in Path(f"/proc/{referee}/fd").iterdir():
            with contextlib.suppress(OSError):
                target = one.readlink()
                name = target.name.removesuffix(" (deleted)")  # it is just being given back
                if target.parent == state / "lives":
                    seen.lives.add(name)
                elif target.parent == state / "uids":
                    seen.users.add(int(name))
    for _, groups in processes_of(seen.users):
        # The last part of a container's path is its id, whatever drives the control groups.
        name = groups.rpartition("/")[2].removeprefix("docker-").removesuffix(".scope")
        if len(name) == _ID:
            seen.containers.add(name)
    for ident in seen.containers:
        seen.kept = max(seen.kept, _size(root / "containers" / ident / f"{ident}-json.log"))
        seen.processes = max([seen.processes, *map(_count, groups_of(ident))])


_ID: Final = 64


def processes_of(users: set[int]) -> Iterator[tuple[int, str]]:
    """Processes of these users, and the control groups of each."""
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            status = (entry / "status").read_text(errors="replace")
            user = status.partition("\nUid:\t")[2].split(None, 1)[0]
            if int(user) in users:
                yield int(entry.name), (entry / "cgroup").read_text().strip()


def groups_of(ident: str) -> list[Path]:
    """The folders of a container's control groups, in either version of those."""
    names = (f"arena/{ident}", f"arena.slice/docker-{ident}.scope")
    kinds = [one for one in _GROUPS.iterdir() if one.is_dir()]
    return [
        place / name for place in (_GROUPS, *kinds) for name in names if (place / name).is_dir()
    ]


def _count(group: Path) -> int:
    try:
        return int((group / "pids.current").read_text())
    except OSError:
        return 0


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _places_of(root: Path, ident: str) -> Iterator[Path]:
    """Where the engine keeps what is a container's own: its books, and its layer of the disk."""
    yield root / "containers" / ident
    for driver in (root / "image").glob("*"):
        with contextlib.suppress(OSError):
            layer = (driver / "layerdb/mounts" / ident / "mount-id").read_text()
            yield root / driver.name / layer / "diff"


def _on_disk(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(place, name).lstat().st_blocks * 512
    return total


def engine_seconds() -> float:
    """Processor time that the engine has taken so far; 0 if it is not on this machine."""
    total = 0
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            name, _, rest = (entry / "stat").read_text(errors="replace").rpartition(")")
            if name.partition("(")[2] in _ENGINE:
                user, system = rest.split()[11:13]
                total += int(user) + int(system)
    return total / _TICKS
