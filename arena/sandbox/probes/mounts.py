"""The mounts that this process sees."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["Mount", "mounts"]

_TABLE: Final = Path("/proc/self/mountinfo")


@dataclass(frozen=True)
class Mount:
    """A line of the table of mounts.

    Attributes:
        root: The folder of the file system that is mounted: of a bind mount, the host's path.
        path: Where it is.
        kind: The file system's type.
        source: What is mounted, as far as that has a name.
        options: Those of this mount and of its file system.
    """

    root: str
    path: str
    kind: str
    source: str
    options: frozenset[str]


def mounts() -> list[Mount]:
    """All mounts, the first ones below the later ones."""
    return [_mount(line) for line in _TABLE.read_text().splitlines()]


def _mount(line: str) -> Mount:
    # id, parent, device, root, path, options, any number of tags, "-", type, source, options
    front, _, back = line.partition(" - ")
    _, _, _, root, path, options, *_ = front.split()
    kind, source, more = back.split(" ", 2)
    return Mount(
        _plain(root), _plain(path), kind, source, frozenset(f"{options},{more}".split(","))
    )


def _plain(text: str) -> str:
    """A path without the table's escapes, which are octal."""
    for character in " \t\n\\":
        text = text.replace(f"\\{ord(character):03o}", character)
    return text
