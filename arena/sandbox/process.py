"""A bot as a plain process: in a session of its own, watched, and ended with all its offspring.

Ending, in this order: SIGTERM to its process group, a grace period, SIGKILL to the group, and
SIGKILL to whatever is left in its session or carries the mark that the program got in its
environment. The mark finds children that moved to a session of their own; it does not find one that
moved and wiped its environment as well. That takes a sandbox, and a plain process is none.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final

from arena.errors import BotError
from arena.sandbox.launcher import CappedLog, Program

__all__ = ["MARK", "ProcessLauncher"]

MARK: Final = "ARENA_MARK"
"""The variable whose value, new for each program, tells who belongs to it."""

_SWEEPS: Final = 50
_BETWEEN_SWEEPS: Final = 0.02  # seconds


class ProcessLauncher:
    """Runs programs as processes of this machine, with this process's environment.

    `grace` is the time in seconds that a program has between SIGTERM and SIGKILL, `path` a folder
    whose programs come first.
    """

    def __init__(self, *, grace: float = 1.0, path: Path | None = None) -> None:
        self._grace = grace
        self._path = path

    @contextlib.asynccontextmanager
    async def run(self, program: Program, log: CappedLog) -> AsyncIterator[_Process]:
        """Start `program`; see `launcher.Launcher`."""
        mark = secrets.token_hex(16)
        process: _Process | None = None
        try:
            process = await self._start(program, log, mark)
            yield process
        finally:
            try:
                if process is not None:
                    await process.end(self._grace)
            finally:
                await _sweep(mark, None if process is None else process.session)

    async def _start(self, program: Program, log: CappedLog, mark: str) -> _Process:
        environment = {**os.environ, **program.environment, MARK: mark}
        if self._path is not None:
            environment["PATH"] = f"{self._path}{os.pathsep}{environment.get('PATH', os.defpath)}"
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
            name = program.command[0]
            raise BotError(f"cannot start {name!r} in {program.folder}: {error.strerror}") from None
        return process


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

    def process_exited(self) -> None:
        self._exited.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._drained.set_result(None)

    # What we call.

    async def wait(self) -> str:
        """Wait for its end and for its last words; how it ended."""
        await asyncio.wait([self._exited])
        # Offspring may hold the pipes open for ever.
        await asyncio.wait([self._drained], timeout=0.2)
        assert self._transport is not None
        code = self._transport.get_returncode()
        assert code is not None
        if code >= 0:
            return f"exited with code {code}"
        try:
            return f"was killed by {signal.Signals(-code).name}"
        except ValueError:  # a real-time signal has no name
            return f"was killed by signal {-code}"

    async def end(self, grace: float) -> None:
        """End it and its process group, and wait until it is reaped."""
        transport = self._transport
        assert transport is not None
        try:
            if not self._exited.done():
                _kill_group(self.session, signal.SIGTERM)
                await asyncio.wait([self._exited], timeout=grace)
        finally:
            _kill_group(self.session, signal.SIGKILL)
            transport.close()
        # Whoever traces it holds it back even from SIGKILL, and is ended by the sweep after this.
        await asyncio.wait([self._exited], timeout=grace)


def _kill_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


async def _sweep(mark: str, session: int | None) -> None:
    """Kill every process that carries the mark or is in the session, until none is left."""
    # Session 0 is everybody who has none of their own, this machine's keepers included.
    assert session is None or session > 1
    for _ in range(_SWEEPS):
        found = list(_left(mark, session))
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return
        await asyncio.sleep(_BETWEEN_SWEEPS)


def _left(mark: str, session: int | None) -> Iterator[int]:
    """The processes to kill that still run; none where there is no /proc."""
    # Bytes: a program may be called anything, and a stranger's name must not end the search.
    line = f"\0{MARK}={mark}\0".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            # After the program's name, which is in brackets: state, parent, group, session.
            stat = (folder / "stat").read_bytes().rpartition(b")")[2].split()
            if stat[0] not in b"ZX" and (
                int(stat[3]) == session or line in b"\0" + (folder / "environ").read_bytes()
            ):
                yield int(folder.name)
