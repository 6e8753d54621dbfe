"""The bot's program behind the bridge: its two pipes, and its end.

What it gets waits until its pipe has taken it, and what it says is read no faster than it is
carried on: neither can make this process grow.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

from arena_sdk._bridge_lines import LONGEST

_PASSED_ON: Final = ("ARENA_BOT_SEED", "ARENA_STRICT", "ARENA_MARK")
"""What a bot is told of the arena. By the last one a launcher knows a bot's offspring."""

_IN, _OUT = 0, 1
_GRACE: Final = 0.5  # seconds; a launcher has less patience with both of us than twice this


class TooLong(Exception):  # noqa: N818 - what it says
    """A line has more than `LONGEST` bytes; what has come of it is not kept."""


class CannotStart(Exception):  # noqa: N818 - what it says
    """The program is not there, or is none; the message says which and why."""


class Program(asyncio.SubprocessProtocol):
    """A program that speaks in lines.

    Attributes:
        exited: Done when it has ended, whatever it has left behind.
        has_said_a_line: Whether a whole line has come of it.
    """

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[None] = loop.create_future()
        self.has_said_a_line = False
        self._said = asyncio.StreamReader(limit=LONGEST)
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._hears = True
        self._transport: asyncio.SubprocessTransport | None = None

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        output = transport.get_pipe_transport(_OUT)
        assert output is not None
        self._said.set_transport(output)
        entry = transport.get_pipe_transport(_IN)
        assert isinstance(entry, asyncio.WriteTransport)
        entry.set_write_buffer_limits(high=0)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self.has_said_a_line = self.has_said_a_line or b"\n" in data
        self._said.feed_data(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == _OUT:
            self._said.feed_eof()
        else:
            self._hears = False
            self._may_write.set()

    def process_exited(self) -> None:
        self.exited.set_result(None)

    def pause_writing(self) -> None:
        self._may_write.clear()

    def resume_writing(self) -> None:
        self._may_write.set()

    # What we call.

    @property
    def code(self) -> int:
        """How it has ended: its exit code, or minus the number of a signal."""
        assert self._transport is not None
        code = self._transport.get_returncode()
        assert code is not None
        return code

    async def tell(self, line: bytes) -> None:
        """Hand it a line, and wait until its pipe has all of it; dropped if nobody reads there."""
        if self._hears:
            self._entry.write(line)
            await self._may_write.wait()

    def end_of_input(self) -> None:
        """Let it know that nothing more will come."""
        if self._hears:
            self._entry.close()
            self._hears = False

    async def lines(self) -> AsyncIterator[bytes]:
        """What it says, line by line; one that has no end is none.

        Raises:
            TooLong: a line is.
        """
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                try:
                    yield await self._said.readuntil(b"\n")
                except asyncio.LimitOverrunError:
                    raise TooLong from None

    async def end(self) -> None:
        """See to it that it has ended: asked to by the end of its input, SIGTERM, SIGKILL."""
        assert self._transport is not None
        self.end_of_input()
        for number in (signal.SIGTERM, signal.SIGKILL):
            if not self.exited.done():
                with contextlib.suppress(ProcessLookupError):
                    self._transport.send_signal(number)
                await asyncio.wait([self.exited], timeout=_GRACE)
        self._transport.close()

    @property
    def _entry(self) -> asyncio.WriteTransport:
        assert self._transport is not None
        entry = self._transport.get_pipe_transport(_IN)
        assert isinstance(entry, asyncio.WriteTransport)
        return entry


@contextlib.asynccontextmanager
async def running(command: Sequence[str]) -> AsyncIterator[Program]:
    """Run a program with our standard error as its own; on leaving it has ended.

    Raises:
        CannotStart: it cannot be started.
    """
    try:
        _, program = await asyncio.get_running_loop().subprocess_exec(
            Program, *command, env=_environment(os.environ), stderr=None
        )
    except OSError as error:
        raise CannotStart(f"cannot start {command[0]!r}: {error.strerror}") from None
    try:
        yield program
    finally:
        await program.end()


def _environment(own: Mapping[str, str]) -> dict[str, str]:
    """Ours, without what tells where the referee is."""
    return {
        name: value
        for name, value in own.items()
        if not name.startswith("ARENA_") or name in _PASSED_ON
    }
