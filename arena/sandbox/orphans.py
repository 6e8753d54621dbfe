"""Orphans: what a program has started and left without a parent.

A child that moves to a session of its own, wipes its environment and loses its parent can be told
by nothing from anybody else's; the kernel then gives it to the first process of the machine. So
this process asks for it (`PR_SET_CHILD_SUBREAPER`) while programs run: whatever they start stays
among its descendants, and whoever is a child of it that it has not started itself is an orphan.

Whose orphan it is cannot be told. So it lives until the last program has ended: at the end of
another one it may still belong to somebody who plays. What can be told, by session, mark or living
parents, is `guard.sweep`'s, at the end of its own program.

Never touched are: whoever is in a session that was there before, above all in this process's own,
which no stranger can join; and those that whoever started them has asked to `spare`. Only asyncio
waits for asyncio's children; orphans are waited for one by one, by number.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Final

from arena.sandbox import guard

__all__ = ["ORPHANS", "Orphans"]

_PR_SET_CHILD_SUBREAPER: Final = 36  # linux/prctl.h
_PR_GET_CHILD_SUBREAPER: Final = 37
_ROUNDS: Final = 1500
_EMPTY_ROUNDS: Final = 3
_PATIENT_ROUNDS: Final = 50
_PAUSE: Final = 0.002  # seconds


class Orphans:
    """Those of this process, which is why there is only one of these: `ORPHANS`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._living = 0
        self._starting = 0
        self._spared: set[int] = set()
        self._before: set[int] = set()
        self._was_reaper = False

    def begin(self) -> None:
        """A program is going to be started; from now on its orphans come to this process."""
        with self._lock:
            if self._living == 0:
                self._before = {one.session for one in guard.processes()}
                self._was_reaper = _be_reaper(True)
            self._living += 1

    @contextlib.contextmanager
    def starting(self) -> Iterator[None]:
        """Start a child meanwhile that leads a session, and `spare` it: till then it looks lost."""
        with self._lock:
            self._starting += 1
        try:
            yield
        finally:
            with self._lock:
                self._starting -= 1

    def spare(self, pid: int) -> None:
        """This child was started by somebody who waits for its end."""
        self._spared.add(pid)

    def forget(self, pid: int) -> None:
        """A child that was spared has ended and been waited for: its number is free."""
        self._spared.discard(pid)

    def reap(self) -> None:
        """Wait for those orphans that have ended, which does not block."""
        with self._lock:
            for orphan in self._found():
                if orphan.has_ended:
                    _wait_for(orphan.pid)

    def end(self) -> None:
        """A program has ended. If it was the last one, kill all orphans, until none is left.

        Blocks: for milliseconds if nobody is left, for seconds if somebody resists.
        """
        with self._lock:
            self._living -= 1
        empty = 0
        for count in range(_ROUNDS):
            with self._lock:
                if self._living:
                    break  # whoever is left may be somebody's who lives
                found = 0
                for orphan in self._found():
                    # At once: whoever forks all the time has another number soon.
                    _kill(orphan, with_thaw=count >= _PATIENT_ROUNDS)
                    found += 1
            # Who forks while everybody is counted is easily missed: one empty round may be luck.
            empty = 0 if found else empty + 1
            if empty == _EMPTY_ROUNDS or (empty and not count):
                break
            select.select([], [], [], _PAUSE if empty or count % 2 else 0)
        with self._lock:
            if not self._living:
                _be_reaper(self._was_reaper)

    def _found(self) -> Iterator[guard.Process]:
        """The orphans, the newest first, each told as soon as it is seen."""
        own = os.getpid()
        for one in guard.processes() if not self._starting else ():
            is_ours = one.session in self._before or {one.pid, one.group} & self._spared
            if one.parent == own and not is_ours:
                yield one


ORPHANS: Final = Orphans()


def _be_reaper(whether: bool) -> bool:
    """Ask for orphans or no longer; whether this process had done so before."""
    if sys.platform != "linux":
        return False
    before = ctypes.c_int()
    prctl = ctypes.CDLL(None).prctl
    prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(before), 0, 0, 0)
    prctl(_PR_SET_CHILD_SUBREAPER, int(whether), 0, 0, 0)
    return bool(before.value)


def _kill(orphan: guard.Process, *, with_thaw: bool) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        # The kernel lets nobody out of a group by forking while the group is killed.
        os.killpg(orphan.group, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(orphan.pid, signal.SIGKILL)
    if with_thaw:
        guard.thaw(orphan.pid)
    _wait_for(orphan.pid)


def _wait_for(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
