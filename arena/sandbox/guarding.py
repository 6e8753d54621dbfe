"""Having a guard: the process that cleans up when this one is killed; `guard` is what it runs."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

from arena.errors import HostFault
from arena.sandbox import guard
from arena.sandbox.orphans import ORPHANS

__all__ = ["Guard", "reap"]

_PATIENCE: Final = 1.0  # seconds


class Guard:
    """The process that cleans up when this one is killed; it runs while a program does."""

    def __init__(self) -> None:
        self._running: subprocess.Popen[bytes] | None = None
        self._wards: set[str] = set()
        self._lock = threading.Lock()

    def take_on(self, mark: str, session: int, folder: str) -> None:
        """See to it that nothing is left of a program, whatever happens; session 0: not yet known.

        Raises:
            HostFault: this machine has no process, memory or descriptor left.
        """
        with self._lock:
            if self._running is None:
                self._running = _start_guard()
            self._wards.add(mark)
            self._tell(f"+ {mark} {session} {folder}\n")

    def thaw(self, mark: str, path: Path, word: str) -> None:
        """See to it that a ward is not held still for ever: then `word` is written to `path`."""
        with self._lock:
            self._tell(f"~ {mark} {word} {path}\n")

    def let_go(self, mark: str) -> subprocess.Popen[bytes] | None:
        """Nothing of a program is left. Returns the guard if it ends now, which is to be reaped."""
        with self._lock:
            running = self._running
            if mark not in self._wards or running is None:
                return None
            self._tell(f"- {mark}\n")
            self._wards.discard(mark)
            if self._wards:
                return None
            self._running = None
            assert running.stdin is not None
            running.stdin.close()
            return running

    def _tell(self, line: str) -> None:
        assert self._running is not None
        assert self._running.stdin is not None
        with contextlib.suppress(OSError):  # somebody has killed it
            self._running.stdin.write(os.fsencode(line))


def _start_guard() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-I", "-S", guard.__file__]
    try:
        with ORPHANS.starting():
            started = subprocess.Popen(
                command, bufsize=0, stdin=subprocess.PIPE, start_new_session=True, cwd="/"
            )
            ORPHANS.spare(started.pid)
            return started
    except OSError as error:
        raise HostFault(f"cannot start the guard of the bots: {error.strerror}") from None


def reap(ending: subprocess.Popen[bytes]) -> None:
    """Wait until a guard that has been let go has ended."""
    try:
        ending.wait(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:  # somebody has stopped it
        ending.kill()
        ending.wait()
    ORPHANS.forget(ending.pid)
