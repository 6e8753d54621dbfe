"""What a program in a sandbox may take of this machine: a value, and deny by default.

The figures are those of rated play. Nothing here is a wish: each becomes a flag of the container,
a limit of its control group or of its processes, and `arena doctor` looks from inside whether it
holds.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from arena.errors import InputError

__all__ = ["BUILDING", "GIB", "KIB", "MIB", "PLAYING", "Policy"]

KIB: Final = 1024
MIB: Final = 1024 * KIB
GIB: Final = 1024 * MIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The limits of one program; sizes in bytes.

    Attributes:
        memory: Memory, and no swap beyond it; what lies in its temporary folders counts.
        processors: How many it may keep busy.
        processes: Processes and threads.
        temporary, temporary_files: What `/tmp` holds; nothing there can be executed.
        shared: What `/dev/shm` holds.
        open_files: File descriptors of one process.
        largest_file: Bytes of one file.
        read_rate: Bytes a second from the disk; 0: as fast as it is.
        work, work_files: What `/build` holds, where something is built; 0: there is none.
        environment: Variables that every program gets, each with its value.

    Raises:
        InputError: a limit is out of its range; the message names it.
    """

    memory: int = 512 * MIB
    processors: float = 1.0
    processes: int = 128
    temporary: int = 64 * MIB
    temporary_files: int = 4096
    shared: int = 16 * MIB
    open_files: int = 256
    largest_file: int = 64 * MIB
    read_rate: int = 64 * MIB
    work: int = 0
    work_files: int = 0
    environment: tuple[tuple[str, str], ...] = (("HOME", "/tmp"), ("LANG", "C.UTF-8"))  # noqa: S108

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name in _LEAST and not value >= _LEAST[one.name]:
                name = one.name.replace("_", " ")
                raise InputError(f"sandbox: {name} {value}: must be at least {_LEAST[one.name]}")


# Below the memory floor the engine itself refuses; the others are what any runtime needs.
_LEAST: Final = {
    "memory": 16 * MIB,
    "processors": 0.1,
    "processes": 8,
    "temporary": 64 * KIB,
    "temporary_files": 8,
    "shared": 64 * KIB,
    "open_files": 32,
    "largest_file": 64 * KIB,
    "read_rate": 0,
    "work": 0,
    "work_files": 0,
}

PLAYING: Final = Policy()
"""For a bot at its seat."""

BUILDING: Final = Policy(
    memory=GIB,
    processes=256,
    temporary=256 * MIB,
    temporary_files=65_536,
    open_files=1024,
    largest_file=256 * MIB,
    work=512 * MIB,
    work_files=65_536,
)
"""For a build: its temporary folders are memory, and compilers need much of it."""
