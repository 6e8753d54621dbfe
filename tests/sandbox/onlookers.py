"""What tests see of the processes of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from arena.sandbox.launcher import CappedLog

__all__ = ["Heard", "new_token", "running", "stat", "until"]


def new_token() -> str:
    """A word that stands in no command line but those of whom a test is about."""
    return f"token-{secrets.token_hex(8)}"


def running(token: str) -> list[int]:
    """The processes that have the token in their command line, and have not ended."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if token.encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


def stat(pid: int) -> list[str]:
    """State, parent, group, session of a process; empty if there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def until(condition: Callable[[], bool], seconds: float = 30) -> None:
    """Wait for `condition`; the processes of others have no other way to tell."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


class Heard(CappedLog):
    """A log in which one can wait for words."""

    async def hear(self, word: str) -> str:
        """Wait for `word`; all that was written."""
        async with asyncio.timeout(20):
            while word not in self.text():  # noqa: ASYNC110 - nobody tells a log's reader
                await asyncio.sleep(0.01)
        return self.text()
