"""A bot as a plain process: in a session of its own, watched, and ended with all its offspring.

Ending, in this order: SIGTERM to its process group, a grace period, SIGKILL to the group, and
SIGKILL to whatever is left in its session or carries the mark that the program got in its
environment. The mark finds children that moved to a session of their own; it does not find one that
moved and wiped its environment as well. That takes a sandbox, and a plain process is none.

Should this very process be killed, `guard` does the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import resource
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any, Final

from arena.errors import BotError, HostFault
from arena.sandbox import guard
from arena.sandbox.guard import MARK
from arena.sandbox.launcher import CappedLog, Program

__all__ = ["MARK", "OPEN_FILES", "ProcessLauncher"]

OPEN_FILES: Final = 256
"""File descriptors that a program may have open."""

_BETWEEN_READS: Final = 0.005  # seconds
_LAST_WORDS: Final = 0.2  # seconds
_PATIENCE: Final = 1.0  # seconds

_THE_HOST_S: Final = (errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""Why a program cannot be started for which nobody's bot is to blame."""


class ProcessLauncher:
    """Runs programs as processes of this machine, with this process's environment.

    Each gets a folder of its own for temporary files, which is removed when it has ended. Where
    that is Linux, it may open `OPEN_FILES` files, and leaves no core dump.

    `grace` is the time in seconds that a program has between SIGTERM and SIGKILL, `path` a folder
    whose programs come first.
    """

    def __init__(self, *, grace: float = 1.0, path: Path | None = None) -> None:
        self._grace = grace
        self._path = path
        self._guard = _Guard()

    @contextlib.asynccontextmanager
    async def run(self, program: Program, log: CappedLog) -> AsyncIterator[_Process]:
        """Start `program`; see `launcher.Launcher`.

        Raises:
            HostFault: this machine has no process, memory, descriptor or folder left for it.
        """
        _heed_children()
        mark = secrets.token_hex(16)
        scratch = _folder()
        process: _Process | None = None
        try:
            # Told before there is anything to guard: we can be killed between any two lines.
            self._guard.take_on(mark, 0, scratch)
            process = await self._start(program, log, mark, scratch)
            self._guard.take_on(mark, process.session, scratch)
            _limit(process.session)
            yield process
        finally:
            await _to_its_end(self._end(process, mark, scratch))

    async def _start(self, program: Program, log: CappedLog, mark: str, scratch: str) -> _Process:
        environment = {**os.environ, "TMPDIR": scratch, **program.environment, MARK: mark}
        if self._path is not None:
            environment["PATH"] = f"{self._path}{os.pathsep}{environment.get('PATH', os.defpath)}"
        name = program.command[0]
        try:
            _, process = await asyncio.get_running_loop().subprocess_exec(
                lambda: _Process(log),
                *program.command,
                cwd=program.folder,
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            why = f"cannot start {name!r} in {program.folder}: {error.strerror}"
            if error.errno in _THE_HOST_S:
                raise HostFault(why) from None
            raise BotError(why) from None
        return process

    async def _end(self, process: _Process | None, mark: str, scratch: str) -> None:
        """End a program and all that is left of it."""
        if process is not None:
            await process.end(self._grace)
        session = 0 if process is None else process.session
        # Not here: reading through /proc would hold up whoever waits for an answer meanwhile.
        await asyncio.to_thread(guard.sweep, mark, session)
        await asyncio.to_thread(guard.remove_tree, scratch)
        ending = self._guard.let_go(mark)
        if ending is not None:
            await asyncio.to_thread(_reap, ending)


def _heed_children() -> None:
    """See to it that the system keeps how a child ended until we ask.

    It does not if whoever started us ignores the ends of children, which is inherited.
    """
    main = threading.current_thread() is threading.main_thread()
    if main and signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _folder() -> str:
    try:
        return tempfile.mkdtemp(prefix="arena-bot-")
    except OSError as error:
        raise HostFault(f"no folder for a bot: {error.strerror}; set TMPDIR to one") from None


def _limit(pid: int) -> None:
    """Limit what a process that has just been started may take of this machine."""
    if sys.platform == "linux":
        most = min(OPEN_FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        with contextlib.suppress(ProcessLookupError, PermissionError):
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (most, most))
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Await `work` until it is done, also when whoever awaits it is cancelled meanwhile."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    task.result()
    if cancelled is not None:
        raise cancelled


class _Guard:
    """The process that cleans up when this one is killed; it runs while a program does."""

    def __init__(self) -> None:
        self._running: subprocess.Popen[bytes] | None = None
        self._wards: set[str] = set()

    def take_on(self, mark: str, session: int, folder: str) -> None:
        """See to it that nothing is left of a program, whatever happens; session 0: not yet known.

        Raises:
            HostFault: this machine has no process, memory or descriptor left.
        """
        if self._running is None:
            self._running = _start_guard()
        self._wards.add(mark)
        self._tell(f"+ {mark} {session} {folder}\n")

    def let_go(self, mark: str) -> subprocess.Popen[bytes] | None:
        """Nothing of a program is left. Returns the guard if it ends now, which is to be reaped."""
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
        return subprocess.Popen(
            command, bufsize=0, stdin=subprocess.PIPE, start_new_session=True, cwd="/"
        )
    except OSError as error:
        raise HostFault(f"cannot start the guard of the bots: {error.strerror}") from None


def _reap(ending: subprocess.Popen[bytes]) -> None:
    try:
        ending.wait(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:  # somebody has stopped it
        ending.kill()
        ending.wait()


class _Process(asyncio.SubprocessProtocol):
    """One program; `launcher.Running` for those who see it."""

    def __init__(self, log: CappedLog) -> None:
        loop = asyncio.get_running_loop()
        self._log = log
        self._exited: asyncio.Future[None] = loop.create_future()
        self._drained: asyncio.Future[None] = loop.create_future()
        self._transport: asyncio.SubprocessTransport | None = None

    @property
    def session(self) -> int:
        """The session and the process group that it leads: both have its own number."""
        assert self._transport is not None
        return self._transport.get_pid()

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

    async def wait(self) -> str:
        """Wait for its end and for its last words; how it ended."""
        await asyncio.wait([self._exited])
        await self._hear_out()
        assert self._transport is not None
        code = self._transport.get_returncode()
        assert code is not None
        if code >= 0:
            return f"exited with code {code}"
        try:
            return f"was killed by {signal.Signals(-code).name}"
        except ValueError:  # a real-time signal has no name
            return f"was killed by signal {-code}"

    async def _hear_out(self) -> None:
        """Wait for its last words; offspring may hold the pipes open for ever."""
        await asyncio.wait([self._drained], timeout=_LAST_WORDS)

    async def end(self, grace: float) -> None:
        """End it and its process group, and wait until it is reaped."""
        transport = self._transport
        assert transport is not None
        if not self._exited.done():
            _kill_group(self.session, signal.SIGTERM)
            _kill_group(self.session, signal.SIGCONT)  # who is stopped cannot tidy up
            await asyncio.wait([self._exited], timeout=grace)
        _kill_group(self.session, signal.SIGKILL)
        await self._hear_out()
        transport.close()
        # Whoever traces it holds it back even from SIGKILL, and is ended by the sweep after this.
        await asyncio.wait([self._exited], timeout=grace)


def _kill_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
