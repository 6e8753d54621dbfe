"""A bot as a plain process: in a session of its own, watched, and ended with all its offspring.

That is for one's own bots. A plain process may do what the user may who started us; it is ended
thoroughly (`spawned`), also when this very process is killed (`guard`), and it has the limits that
a process can have by itself (`rlimits`). It takes a sandbox to do more.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from arena.errors import HostFault
from arena.sandbox import guard
from arena.sandbox.guard import MARK
from arena.sandbox.guarding import Guard, reap
from arena.sandbox.launcher import CappedLog, Program
from arena.sandbox.rlimits import limit
from arena.sandbox.spawned import Spawned, Start, Ward, living
from arena.sandbox.waiting import to_its_end

__all__ = ["MARK", "ProcessLauncher"]


class ProcessLauncher:
    """Runs programs as processes of this machine, with this process's environment.

    Each gets a folder of its own for temporary files, which is removed when it has ended. Where
    that is Linux, it has the limits of `rlimits.process_limits`.

    `grace` is the time in seconds that a program has between SIGTERM and SIGKILL, `path` a folder
    whose programs come first.
    """

    def __init__(self, *, grace: float = 1.0, path: Path | None = None) -> None:
        self._grace = grace
        self._path = path
        self._guard = Guard()

    async def make_ready(self, program: Program) -> _ProcessSlot:
        """See `launcher.Launcher`; there is nothing to do."""
        return _ProcessSlot(self, program)

    @contextlib.asynccontextmanager
    async def run(self, program: Program, log: CappedLog) -> AsyncIterator[Spawned]:
        """Start `program`, with what it writes going to `log`; on leaving nothing of it is left.

        Raises:
            BotError: it cannot be started; the message says what is missing.
            HostFault: this machine has no process, memory, descriptor or folder left for it.
        """
        ward = Ward(guard=self._guard, mark=secrets.token_hex(16), folder=_folder())
        try:
            # Told before there is anything to guard: we can be killed between any two lines.
            ward.take_on()
            start = self._start(program, ward.folder)
            async with living(ward, start, lambda: Spawned(log), grace=self._grace) as process:
                limit(process.session)
                yield process
        finally:
            await to_its_end(self._clear(ward))

    def _start(self, program: Program, scratch: str) -> Start:
        environment = {**os.environ, "TMPDIR": scratch, **program.environment}
        if self._path is not None:
            environment["PATH"] = f"{self._path}{os.pathsep}{environment.get('PATH', os.defpath)}"
        return Start(
            name=program.command[0],
            command=program.command,
            folder=program.folder,
            environment=environment,
        )

    async def _clear(self, ward: Ward) -> None:
        await asyncio.to_thread(guard.remove_tree, ward.folder)
        ending = self._guard.let_go(ward.mark)
        if ending is not None:
            await asyncio.to_thread(reap, ending)


@dataclass(frozen=True, slots=True)
class _ProcessSlot:
    """See `launcher.Slot`. A plain process cannot be held still in a way that it could not undo."""

    launcher: ProcessLauncher
    program: Program
    socket: Path | None = None
    address: str = ""

    def run(
        self, environment: Mapping[str, str], log: CappedLog
    ) -> AbstractAsyncContextManager[Spawned]:
        whole = {**self.program.environment, **environment}
        return self.launcher.run(replace(self.program, environment=whole), log)

    def freeze(self) -> None: ...

    def thaw(self) -> None: ...

    def look(self) -> None: ...

    async def close(self) -> None: ...


def _folder() -> str:
    try:
        return tempfile.mkdtemp(prefix="arena-bot-")
    except OSError as error:
        raise HostFault(f"no folder for a bot: {error.strerror}; set TMPDIR to one") from None
