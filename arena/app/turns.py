"""Taking turns: matches that are made ready while others are played.

Whoever starts matches makes a folder with a file for each that may be played at once. A match takes
one by a lock, which the kernel gives back with the process that holds it, however that ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from arena.errors import HostFault

__all__ = ["make_turns", "turn"]

_BETWEEN_TRIES: Final = 0.01  # seconds: nobody can wait for one of several locks


def make_turns(folder: Path, count: int) -> None:
    """Let `count` matches be played at once by those who know of `folder`."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        for number in range(count):
            (folder / str(number)).touch(mode=0o600)
    except OSError as error:
        raise HostFault(f"{folder}: {error.strerror}") from None


@contextlib.asynccontextmanager
async def turn(folder: Path | None) -> AsyncIterator[None]:
    """Wait for one's turn; without a folder it is always."""
    if folder is None:
        yield
        return
    try:
        files = [os.open(folder / name, os.O_RDWR | os.O_CLOEXEC) for name in os.listdir(folder)]
    except OSError as error:
        raise HostFault(f"{folder}: {error.strerror}") from None
    try:
        while not any(map(_is_ours, files)):  # noqa: ASYNC110 - a lock tells nobody
            await asyncio.sleep(_BETWEEN_TRIES)
        yield
    finally:
        for file in files:
            os.close(file)


def _is_ours(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
