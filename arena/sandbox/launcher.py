"""How a bot's program is run, whatever it is run in."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

__all__ = ["CappedLog", "Launcher", "Program", "Running", "last_lines"]

_KEPT: Final = 32 * 1024
_LONGEST_LINE: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What to run.

    Attributes:
        command: The program and its arguments.
        folder: Where it runs.
        environment: Variables that it gets beside the launcher's own.
    """

    command: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)


class CappedLog:
    """What a program has written: the beginning and the end, at most `kept` bytes of each."""

    def __init__(self, kept: int = _KEPT) -> None:
        self._kept = kept
        self._head = b""
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._lost = 0

    def write(self, text: bytes) -> None:
        """Add what was written."""
        room = self._kept - len(self._head)
        self._head += text[:room]
        rest = text[room:]
        if not rest:
            return
        self._tail.append(rest[-self._kept :])
        self._lost += max(0, len(rest) - self._kept)
        self._tail_size += len(self._tail[-1])
        # Whole pieces go, so the tail may be a piece longer than `kept`.
        while self._tail_size - len(self._tail[0]) >= self._kept:
            piece = self._tail.popleft()
            self._tail_size -= len(piece)
            self._lost += len(piece)

    def text(self) -> str:
        """Everything that was kept, with a line where something is missing."""
        gap = f"\n[... {self._lost} bytes ...]\n".encode() if self._lost else b""
        return (self._head + gap + b"".join(self._tail)).decode(errors="replace")


def last_lines(text: str, count: int) -> list[str]:
    """The last `count` lines of `text` that are not blank, printable and of bounded length."""
    lines = [line for line in text.splitlines() if line.strip()]
    return [_printable(line.rstrip()) for line in lines[-count:]]


def _printable(line: str) -> str:
    if len(line) > _LONGEST_LINE:
        line = f"{line[: _LONGEST_LINE - 3]}..."
    return "".join(one if one.isprintable() else "?" for one in line.expandtabs(4))


class Running(Protocol):
    """A program that runs, or has ended by itself."""

    async def wait(self) -> str:
        """Wait for its end; how it ended, in a few words."""


class Launcher(Protocol):
    """Runs programs."""

    def run(self, program: Program, log: CappedLog) -> AbstractAsyncContextManager[Running]:
        """Start `program`, with what it writes going to `log`; on leaving nothing of it is left.

        Raises:
            BotError: it cannot be started; the message says what is missing.
        """
