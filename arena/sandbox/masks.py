"""What a container must not see of `/proc`, `/sys` and `/dev`: everything that tells of others.

Most files there are of the whole machine, whatever container one looks from: how busy it is, how
much memory is taken, which locks are held. From those a bot could learn when its opponent thinks,
and two that are in league could talk. An allowlist, because each kernel has more of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["masked_paths", "still_stat"]

_Tree = Mapping[str, "_Tree | None"]

_LEFT: Final[_Tree] = {
    "proc": {
        "self": None,
        "thread-self": None,
        "mounts": None,  # a link into one's own
        "net": None,  # the same
        "sys": None,  # see `_COUNTERS`
        "stat": None,  # covered by a file of ours, see `still_stat`
        "cgroups": None,  # the JVM asks here how control groups are mounted
        "filesystems": None,
        "version": None,
    },
    "sys": {
        "fs": {"cgroup": None},  # one's own, read-only
        # What runtimes ask before they take memory, and how many processors there are.
        "kernel": {"mm": {"transparent_hugepage": None}},
        "devices": {"system": {"cpu": {"online": None, "possible": None, "present": None}}},
    },
}
"""What is left, as folders and files; None: with all that is in it."""

_DEVICES: Final = ("dev/mqueue", "dev/pts")
"""Of the devices: terminals are numbered and few on the whole machine, and no bot needs one."""

_COUNTERS: Final = (
    "proc/sys/fs/aio-nr",
    "proc/sys/fs/dentry-state",
    "proc/sys/fs/file-nr",
    "proc/sys/fs/inode-nr",
    "proc/sys/fs/inode-state",
    "proc/sys/fs/quota",
    "proc/sys/kernel/pty",
    "proc/sys/kernel/random/entropy_avail",
)
"""Of the kernel's settings, those that are no settings: they count, for the whole machine."""


@cache
def masked_paths(root: Path = Path("/")) -> tuple[str, ...]:
    """What the engine is to cover in a container on this machine, as paths from `/`."""
    found = [path for name, left in _LEFT.items() for path in _others(root / name, left or {})]
    found += [root / path for path in (*_DEVICES, *_COUNTERS) if (root / path).exists()]
    return tuple(f"/{path.relative_to(root)}" for path in found)


def still_stat() -> str:
    """What stands in for `/proc/stat`: as many processors, and nothing has ever happened.

    An empty file would do for most, but Node ends when it is asked for the processors then.
    """
    names = ("cpu", *(f"cpu{number}" for number in range(os.cpu_count() or 1)))
    lines = [f"{name}{' ' * (1 + (name == 'cpu'))}{' '.join(['0'] * 10)}" for name in names]
    return "\n".join([*lines, "ctxt 0", "btime 0", "processes 0", "procs_running 0", ""])


def _others(folder: Path, left: _Tree) -> Iterator[Path]:
    """All that is in a folder but is not left."""
    for path in sorted(folder.iterdir()):
        if path.name.isdecimal():  # a process: one's own in there
            continue
        if path.name not in left:
            if not path.is_symlink():
                yield path
        elif (inner := left[path.name]) is not None:
            yield from _others(path, inner)
