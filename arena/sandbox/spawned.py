"""A process that this one has started: what it writes, how it ends, and what it leaves.

Ending, in this order: SIGTERM to its process group, a grace period, SIGKILL to all that can be told
to be its own (`guard.sweep`), and, when no other program runs, to all orphans (`orphans`).
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

from arena.errors import BotError, HostFault
from arena.sandbox import guard
from arena.sandbox.guarding import Guard
from arena.sandbox.launcher import CappedLog, Exit, ending
from arena.sandbox.orphans import ORPHANS
from arena.sandbox.waiting import to_its_end

__all__ = ["Spawned", "Start", "Ward", "living"]

_BETWEEN_READS: Final = 0.005  # seconds
_LAST_WORDS: Final = 0.2  # seconds
_BETWEEN_REAPS: Final = 1.0  # seconds

_THE_HOST_S: Final = (errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""Why a program cannot be started for which nobody's bot is to blame."""


class Spawned(asyncio.SubprocessProtocol):
    """One program; `launcher.Running` for those who see it."""

    def __init__(self, log: CappedLog) -> None:
        loop = asyncio.get_running_loop()
        self._log = log
        self._exited: asyncio.Future[None] = loop.create_future()
        self._drained: asyncio.Future[None] = loop.create_future()
        self._transport: asyncio.SubprocessTransport | None = None
        self._is_ending = False

    @property
    def session(self) -> int:
        """The session and the process group that it leads: both have its own number."""
        assert self._transport is not None
        return self._transport.get_pid()

    @property
    def asked(self) -> int:
        """The process group that is asked to end; 0: none can be."""
        return self.session

    def exit_of(self, code: int) -> Exit:
        """How the program ended, from what the process that we started ended with.

        Raises:
            BotError: it could not be started.
            HostFault: this machine has ended it.
        """
        return Exit(how=ending(code))

    @property
    def exit(self) -> Exit | None:
        """See `launcher.Running`."""
        with contextlib.suppress(BotError, HostFault):
            if self._transport is not None and self._exited.done():
                return self._found()
        return None

    def _found(self) -> Exit:
        return replace(self.exit_of(self._code), was_ended=self._is_ending)

    @property
    def _code(self) -> int:
        assert self._transport is not None
        code = self._transport.get_returncode()
        assert code is not None
        return code

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._log.write(data)
        # A pipe holds 64 KiB. Who fills it faster than it is read here waits, and nobody else does.
        assert self._transport is not None
        pipe = self._transport.get_pipe_transport(fd)
        if isinstance(pipe, asyncio.ReadTransport):
            pipe.pause_reading()
            asyncio.get_running_loop().call_later(_BETWEEN_READS, pipe.resume_reading)

    def process_exited(self) -> None:
        self._exited.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._drained.set_result(None)

    # What we call.

    async def wait(self) -> Exit:
        """Wait for its end and for its last words; how it ended."""
        await asyncio.wait([self._exited])
        await self._hear_out()
        return self._found()

    async def _hear_out(self) -> None:
        """Wait for its last words; offspring may hold the pipes open for ever."""
        await asyncio.wait([self._drained], timeout=_LAST_WORDS)

    async def ask(self, grace: float) -> None:
        """Ask it and its process group to end, and wait for that as long as `grace`."""
        if not self._exited.done() and self.asked:
            self._is_ending = True
            _kill_group(self.asked, signal.SIGTERM)
            _kill_group(self.asked, signal.SIGCONT)  # who is stopped cannot tidy up
            await asyncio.wait([self._exited], timeout=grace)

    async def finish(self, grace: float) -> None:
        """End its process group, and wait until it is reaped."""
        assert self._transport is not None
        self._is_ending |= not self._exited.done()
        _kill_group(self.session, signal.SIGKILL)
        await self._hear_out()
        self._transport.close()
        await asyncio.wait([self._exited], timeout=grace)
        if self._exited.done():
            ORPHANS.forget(self.session)


def _kill_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


S = TypeVar("S", bound=Spawned)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What to start.

    Attributes:
        name: What the program is called in messages.
        command: The command line, whose first part may be another program that starts it.
        folder: Where it runs.
        environment: All of its environment but for its mark.
        descriptors: What it gets besides its input and its output.
    """

    name: str
    command: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    descriptors: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ward:
    """Whom a guard is told of: a mark, and a folder that is removed with the program."""

    guard: Guard
    mark: str
    folder: str

    def take_on(self, session: int = 0) -> None:
        """Tell the guard; again, with its session, when it runs."""
        self.guard.take_on(self.mark, session, self.folder)


@contextlib.asynccontextmanager
async def living(
    ward: Ward, start: Start, make: Callable[[], S], *, grace: float
) -> AsyncIterator[S]:
    """Run a program whose ward has been taken on; on leaving nothing of it is left.

    `grace` is the time in seconds that it has between SIGTERM and SIGKILL.

    Raises:
        BotError: it cannot be started; the message says what is missing.
        HostFault: this machine has no process, memory or descriptor left for it.
    """
    _heed_children()
    process: S | None = None
    ORPHANS.begin()
    reaping = asyncio.create_task(_reap())
    try:
        with ORPHANS.starting():
            process = await _spawn(ward, start, make)
            ORPHANS.spare(process.session)
        ward.take_on(process.session)
        yield process
    finally:
        reaping.cancel()
        await to_its_end(_end(process, ward.mark, grace))


async def _spawn(ward: Ward, start: Start, make: Callable[[], S]) -> S:
    try:
        _, process = await asyncio.get_running_loop().subprocess_exec(
            make,
            *start.command,
            cwd=start.folder,
            env={**start.environment, guard.MARK: ward.mark},
            stdin=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=start.descriptors,
        )
    except OSError as error:
        why = f"cannot start {start.name!r} in {start.folder}: {error.strerror}"
        if error.errno in _THE_HOST_S:
            raise HostFault(why) from None
        raise BotError(why) from None
    return process


async def _end(process: Spawned | None, mark: str, grace: float) -> None:
    """End a program and all that is left of it."""
    session = 0
    if process is not None:
        await process.ask(grace)
        session = process.session
    # Not here: reading through /proc would hold up whoever waits for an answer meanwhile. And
    # before anybody is killed in another way: whose parent has died can be told no more.
    await asyncio.to_thread(guard.sweep, mark, session)
    if process is not None:
        await process.finish(grace)
    await asyncio.to_thread(ORPHANS.end)


async def _reap() -> None:
    """Wait for orphans that end while a program runs; there could be any number of them."""
    while True:
        await asyncio.sleep(_BETWEEN_REAPS)
        await asyncio.to_thread(ORPHANS.reap)


def _heed_children() -> None:
    """See to it that the system keeps how a child ended until we ask.

    It does not if whoever started us ignores the ends of children, which is inherited.
    """
    main = threading.current_thread() is threading.main_thread()
    if main and signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
