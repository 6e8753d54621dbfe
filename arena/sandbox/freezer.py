"""Holding a container still: the freezer of its control group, in both versions of those.

Writing to the file takes a tenth of a millisecond, where asking the engine to pause takes fifty:
that is what makes it possible between two prompts.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

__all__ = ["Freezer", "freezer_file", "freezer_of", "share_file"]

_SHARES: Final = {"cpu.shares": (b"1024", b"2"), "cpu.weight": (b"100", b"1")}
"""What a group gets of the processor: as the engine gives it, and as little as can be."""

_STILL: Final = {
    "freezer.state": ("freezer.state", b"FROZEN"),
    "cgroup.freeze": ("cgroup.events", b"frozen 1"),
}
"""Where it says that all processes of a group are still, and how."""

_WORDS: Final = {"freezer.state": (b"THAWED", b"FROZEN"), "cgroup.freeze": (b"0", b"1")}


class Freezer:
    """The freezer of one control group.

    `share` is the file by which the group's share of the processor is set, if there is one.

    Raises:
        OSError: its file cannot be written by this user.
    """

    def __init__(self, path: Path, share: Path | None = None) -> None:
        self.path = path
        self._thawed, self._frozen = _WORDS[path.name]
        self._file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        self._share = share
        self._is_slowed = False
        self.is_frozen = False

    def freeze(self) -> None:
        """Hold its processes still."""
        if not self.is_frozen:
            self._write(self._frozen)
            self.is_frozen = True

    def thaw(self) -> None:
        """Let them go on."""
        if self.is_frozen:
            if self._is_slowed:
                self._slow(slow=False)
            self._write(self._thawed)
            self.is_frozen = False

    def look(self) -> None:
        """See whether all of them are still; who is not gets next to nothing of the processor.

        Who is inside a long call of the kernel goes on until that ends. To say so at every freeze
        would cost more than freezing does.
        """
        if self.is_frozen and not self._is_slowed and not self._is_still():
            self._slow(slow=True)

    def close(self) -> None:
        """Let them go on, and let go of the file; does nothing the second time."""
        if self._file >= 0:
            self.thaw()
            os.close(self._file)
            self._file = -1

    def _write(self, word: bytes) -> None:
        with contextlib.suppress(OSError):  # the group has gone with its last process
            os.pwrite(self._file, word, 0)

    def _is_still(self) -> bool:
        file, word = _STILL[self.path.name]
        try:
            return word in self.path.with_name(file).read_bytes().splitlines()
        except OSError:
            return True

    def _slow(self, *, slow: bool) -> None:
        self._is_slowed = slow
        if self._share is not None:
            with contextlib.suppress(OSError):
                self._share.write_bytes(_SHARES[self._share.name][slow])

    @property
    def thaw_word(self) -> str:
        """What has to be written to `path` so that its processes go on."""
        return self._thawed.decode()


def freezer_of(pid: int) -> Freezer | None:
    """The freezer of a process's control group; None if there is none that we may write to."""
    try:
        groups = Path(f"/proc/{pid}/cgroup").read_text()
        mounts = Path("/proc/self/mountinfo").read_text()
        path = freezer_file(groups, mounts)
        return None if path is None else Freezer(path, share_file(groups, mounts))
    except OSError:
        return None


def freezer_file(groups: str, mounts: str) -> Path | None:
    """Where the freezer of a process is, from its `/proc/PID/cgroup` and our `mountinfo`.

    Version 1 has a hierarchy of its own for freezing, version 2 a file in every group but the
    root; where both are mounted, the one that has a freezer controller counts.
    """
    return _file_of("freezer", ("freezer.state", "cgroup.freeze"), groups, mounts)


def share_file(groups: str, mounts: str) -> Path | None:
    """Where the processor's share of a process's group is set, found in the same way."""
    return _file_of("cpu", ("cpu.shares", "cpu.weight"), groups, mounts)


def _file_of(controller: str, names: tuple[str, str], groups: str, mounts: str) -> Path | None:
    own = {}
    for line in groups.splitlines():
        _, controllers, path = line.split(":", 2)
        own.update(dict.fromkeys(controllers.split(","), path))
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        root, point = before.split(" ")[3:5]
        first = kind == "cgroup" and controller in own and controller in options.split(",")
        second = kind == "cgroup2" and controller not in own and own.get("", "/") != "/"
        if first or second:
            path = own[controller if first else ""]
            below = path.removeprefix(root) if root != "/" else path
            return Path(point, below.lstrip("/"), names[0 if first else 1])
    return None
