"""How a bot's program is run, whatever it is run in."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

__all__ = [
    "REMARK",
    "CappedLog",
    "Exit",
    "Launcher",
    "Program",
    "Running",
    "Slot",
    "ending",
    "last_lines",
]

REMARK: Final = "[sandbox: "
"""How a line begins that we add to a program's log."""

_KEPT: Final = 32 * 1024
_LONGEST_LINE: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What to run.

    Attributes:
        command: The program and its arguments.
        folder: Where it runs.
        environment: Variables that it gets beside the launcher's own.
        image: The image that it runs in, by its id; empty where it runs in none.
    """

    command: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    image: str = ""


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


def last_lines(text: str, count: int, *, longest: int = _LONGEST_LINE) -> list[str]:
    """The last `count` lines that a program wrote, printable and of at most `longest` characters.

    Without blank ones, and without those that begin with `REMARK`: they are ours. What they say of
    an error is not always among them; see `lastwords`.
    """
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(REMARK)]
    return [_printable(line.rstrip(), longest) for line in lines[-count:]]


def _printable(line: str, longest: int) -> str:
    if len(line) > longest:
        line = f"{line[: longest - 3]}..."
    return "".join(one if one.isprintable() else "?" for one in line.expandtabs(4))


@dataclass(frozen=True, slots=True, kw_only=True)
class Exit:
    """How a program has ended. That this machine has ended it is no exit, but a `HostFault`.

    Attributes:
        how: In a few words.
        was_ended: Not it, but we ended it: it was still there when it should have gone.
        for_memory: It was killed because it wanted more memory than it may have.
        processor_time: What it and all that it started have used, in seconds; None: not known.
        peak: The most memory that they held at once, in bytes; None: not known.
        killed_besides: Of what it started, so many were killed for memory while it went on.
    """

    how: str
    was_ended: bool = False
    for_memory: bool = False
    processor_time: float | None = None
    peak: int | None = None
    killed_besides: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether it has ended by itself, and with 0."""
        return self.how == ending(0)


def ending(code: int) -> str:
    """How a process has ended, in words, from its exit code or minus the number of a signal."""
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:  # a real-time signal has no name
        return f"was killed by signal {-code}"


class Running(Protocol):
    """A program that runs, or has ended.

    Attributes:
        exit: How it has ended, by itself or because it was left; None: it runs, or nobody knows.
    """

    @property
    def exit(self) -> Exit | None: ...

    async def wait(self) -> Exit:
        """Wait for its end.

        Raises:
            HostFault: this machine has ended it, or cannot tell how it ended.
        """


class Slot(Protocol):
    """A place where one program can run, once.

    Attributes:
        socket: Where the referee has to listen for it; None: anywhere.
        address: What the program has to call that; empty: the referee's own address.
    """

    @property
    def socket(self) -> Path | None: ...

    @property
    def address(self) -> str: ...

    def run(
        self, environment: Mapping[str, str], log: CappedLog
    ) -> AbstractAsyncContextManager[Running]:
        """Start the program, with what it writes going to `log`; on leaving it has ended.

        Raises:
            BotError: it cannot be started; the message says what is missing.
            HostFault: this machine is to blame.
        """

    def freeze(self) -> None:
        """Hold it still, where that can be done, until `thaw`; never blocks."""

    def thaw(self) -> None:
        """Let it go on; never blocks."""

    def look(self) -> None:
        """See whether it is held still, and do something if it is not; never blocks."""

    async def close(self) -> None:
        """Give the place back; nothing is left of it then."""


class Launcher(Protocol):
    """Runs programs."""

    async def make_ready(self, program: Program) -> Slot:
        """Make a place for a program, which takes longer than starting it there.

        Raises:
            BotError: it is no program for this launcher.
            HostFault: this machine is to blame.
        """
