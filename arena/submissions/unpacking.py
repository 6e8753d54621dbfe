"""Writing what is in an archive into a folder, without ever following a path.

Every folder is opened by its name in the one above, links refused, and every file is new: whatever
names an archive may invent, nothing outside of the folder can be meant.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

from arena.submissions.archive import Entry

__all__ = ["Unpacker"]

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER_MODE: Final = 0o755


class Unpacker:
    """Writes entries into the folder of a descriptor; a sink for `check_content`.

    Raises:
        OSError: this machine cannot write it.
    """

    def __init__(self, root: int) -> None:
        self._root = root

    def __call__(self, entry: Entry, pieces: Iterator[bytes]) -> None:
        with ExitStack() as opened:
            here = self._root
            folders = entry.parts if entry.is_folder else entry.parts[:-1]
            for name in folders:
                here = _enter(here, name)
                opened.callback(os.close, here)
            if not entry.is_folder:
                _write(here, entry, pieces)


def _enter(here: int, name: str) -> int:
    """The folder of that name in a folder, which is made if it is not there."""
    try:
        os.mkdir(name, _FOLDER_MODE, dir_fd=here)
    except FileExistsError:
        return os.open(name, _FOLDER, dir_fd=here)
    there = os.open(name, _FOLDER, dir_fd=here)
    os.fchmod(there, _FOLDER_MODE)  # whatever the umask
    return there


def _write(here: int, entry: Entry, pieces: Iterator[bytes]) -> None:
    descriptor = os.open(entry.parts[-1], _NEW_FILE, 0o600, dir_fd=here)
    with os.fdopen(descriptor, "wb") as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        os.fchmod(descriptor, entry.mode)
