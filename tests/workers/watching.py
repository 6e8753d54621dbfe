"""How tests of processes wait: for an event, with a deadline, and never by sleeping."""

from __future__ import annotations

import os
import queue
import select
from concurrent.futures import Future
from pathlib import Path
from typing import Any

DEADLINE = 30.0
"""Seconds that nothing here takes by far, on however busy a machine."""


class Inbox:
    """Takes reports; whoever waits for one gets it."""

    def __init__(self) -> None:
        self._reports: queue.SimpleQueue[object] = queue.SimpleQueue()

    def __call__(self, value: object) -> None:
        self._reports.put(value)

    def pid(self) -> int:
        value = self._reports.get(timeout=DEADLINE)
        assert isinstance(value, int)
        return value

    def everything(self) -> list[object]:
        values = []
        while not self._reports.empty():
            values.append(self._reports.get())
        return values


def has_gone(pid: int) -> bool:
    """Wait until a process has ended; whether it has before the deadline."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], DEADLINE)[0])
    finally:
        os.close(descriptor)


def parent_of(pid: int) -> int:
    # Bytes: a stranger's program may be called anything.
    return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])


def children() -> set[int]:
    """The children of this process, the dead ones that nobody has asked about included."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if parent_of(int(folder.name)) == os.getpid():
                found.add(int(folder.name))
        except OSError:
            continue
    return found


def descriptors() -> set[str]:
    """What this process has open."""
    return {
        f"{number} {os.readlink(f'/proc/self/fd/{number}')}"
        for number in os.listdir("/proc/self/fd")
        if Path(f"/proc/self/fd/{number}").exists()
    }


def failure(future: Future[Any]) -> BaseException:
    error = future.exception(DEADLINE)
    assert error is not None
    return error


def release(gate: Path, word: str) -> None:
    """Let the only task that waits at this gate go on."""
    with gate.open("w") as file:
        file.write(word)
