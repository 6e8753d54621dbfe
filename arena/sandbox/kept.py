"""Talking with the keeper in a container: it is told a command, and tells what comes of it.

Whose fault an end is: the keeper's report says how the program ended, and whether something was
killed for memory. If there is no report, the engine says how the container ended; if it cannot,
this machine has failed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from arena.errors import BotError, HostFault, quoted
from arena.sandbox import containers
from arena.sandbox.containers import Container
from arena.sandbox.launcher import CappedLog, Exit, ending
from arena.sandbox.policy import MIB
from arena.sandbox.wrapframes import END, Frame, FrameReader

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["Kept", "Receive"]

Receive = Callable[[Frame], None]
"""Takes the frames of files that were built."""

_LAST_WORDS: Final = 1.0  # seconds: for a keeper to end everything and report
_BEGINNING: Final = 10.0  # seconds: for a command to get to its keeper
_PATIENCE: Final = 30  # seconds: for the engine


def _nothing_else(frame: Frame) -> None:
    raise HostFault("the keeper of a sandbox sends files that nobody asked for")


class Kept:
    """One program and its keeper; `launcher.Running` for those who see it."""

    def __init__(
        self,
        engine: APIClient,
        container: Container,
        log: CappedLog,
        *,
        memory: int,
        receive: Receive = _nothing_else,
    ) -> None:
        self._engine = engine
        self._container = container
        self._log = log
        self._memory = memory
        self._receive_frame = receive
        self._began: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ended: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()
        self._report: dict[str, Any] | None = None
        self._is_ending = False
        self._reader = asyncio.ensure_future(self._read())

    async def start(self, command: bytes, name: str) -> None:
        """Tell the keeper what to run, and wait until it runs."""
        connection = self._container.connection
        connection.setblocking(False)
        with contextlib.suppress(OSError):  # it has gone; how, `_read` finds out
            await asyncio.get_running_loop().sock_sendall(connection, command)
        both: list[asyncio.Future[Any]] = [self._began, self._ended]
        done, _ = await asyncio.wait(both, timeout=_BEGINNING, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            raise HostFault(f"a sandbox did not take its command within {_BEGINNING:g} s")
        if self._report is not None and "missing" in self._report:
            raise BotError(f"cannot start {quoted(name)} in its image: {self._report['missing']}")
        if self._ended.done():
            self._ended.result()

    async def wait(self) -> Exit:
        """See `launcher.Running`."""
        return await asyncio.shield(self._ended)

    async def end(self) -> None:
        """End it and all that it has started, and wait until they have gone."""
        if self._container.freezer is not None:
            self._container.freezer.thaw()
        self._is_ending = not self._ended.done()
        if self._is_ending:
            with contextlib.suppress(OSError):
                await asyncio.get_running_loop().sock_sendall(self._container.connection, END)
            await asyncio.wait([self._ended], timeout=_LAST_WORDS)
        if not self._ended.done():
            await asyncio.to_thread(containers.kill, self._engine, self._container)
            await asyncio.wait([self._ended], timeout=_LAST_WORDS)
        self._reader.cancel()
        await asyncio.wait([self._reader])
        self._began.cancel()
        self._ended.cancel()
        if not self._ended.cancelled():
            self._ended.exception()  # whoever wanted to know has asked

    @property
    def exit(self) -> Exit | None:
        """See `launcher.Running`."""
        known = self._ended.done() and not self._ended.cancelled()
        return self._ended.result() if known and self._ended.exception() is None else None

    @property
    def report(self) -> Mapping[str, Any]:
        """What the keeper reported in the end; empty if it did not."""
        return self._report or {}

    # -- what the keeper says -------------------------------------------------------------------

    async def _read(self) -> None:
        frames = FrameReader()
        loop = asyncio.get_running_loop()
        try:
            while piece := await self._receive(loop):
                for frame in frames.feed(piece):
                    self._take(frame)
            found = self._exit() if self._report else await self._without_report()
        except Exception as error:  # also what becomes of what is received: whoever waits is told
            self._ended.set_exception(error)
        else:
            self._ended.set_result(found)

    async def _receive(self, loop: asyncio.AbstractEventLoop) -> bytes:
        try:
            return await loop.sock_recv(self._container.connection, 64 * 1024)
        except OSError:
            return b""

    def _take(self, frame: Frame) -> None:
        if frame.kind == "L":
            self._log.write(frame.content)
        elif frame.kind == "S" and not self._began.done():
            self._began.set_result(None)
        elif frame.kind == "R":
            try:
                self._report = dict(json.loads(frame.content))
            except ValueError:
                raise HostFault("the keeper of a sandbox gave no report") from None
        elif frame.kind in "FD":
            self._receive_frame(frame)

    def _exit(self) -> Exit:
        report = self._report
        assert report is not None
        if "failed" in report:
            why = quoted(report["failed"])[1:-1]
            if not self._began.done():
                raise HostFault(f"the keeper of a sandbox failed: {why}")
            # It needs nothing of this machine any more: who made it fail can only be its program.
            return Exit(how=f"made the keeper of its sandbox fail: {why}")
        if "missing" in report:
            return Exit(how="could not be started")
        killed = max(0, int(report["killed_for_memory"]))
        peak = int(report["peak_bytes"])
        by_memory = report["signal"] == signal.SIGKILL and killed > 0 and not report["stopped"]
        if by_memory and 0 <= peak < self._memory * 0.9:
            raise HostFault(
                f"a bot was killed for memory while it held {peak // MIB} MiB of the "
                f"{self._memory // MIB} MiB that it may: this machine has none left"
            )
        code = -report["signal"] if report["signal"] else report["code"]
        how = "had to be ended" if report["stopped"] else ending(code)
        return Exit(
            how=self._too_much if by_memory else how,
            was_ended=bool(report["stopped"]) or self._is_ending,
            for_memory=by_memory,
            processor_time=report["cpu_ms"] / 1000,
            peak=peak if peak >= 0 else None,
            killed_besides=killed - by_memory,
        )

    @property
    def _too_much(self) -> str:
        return f"was killed for memory: it wanted more than {self._memory // MIB} MiB"

    async def _without_report(self) -> Exit:
        """The keeper is dead or the engine has hung up: what the engine says."""
        ended = await asyncio.to_thread(containers.ending, self._engine, self._container, _PATIENCE)
        if ended.error or ended.code in _OF_THE_ENGINE:
            raise HostFault(f"a sandbox ended by itself: {quoted(ended.error or ended.code)}")
        if ended.memory_ran_out:
            return Exit(how=self._too_much, for_memory=True)
        code = 128 - ended.code if ended.code > 128 else ended.code
        return Exit(how=ending(code), was_ended=self._is_ending)


_OF_THE_ENGINE: Final = (125, 255)
"""Exit codes that stand for a failure of the engine, or of the keeper."""
