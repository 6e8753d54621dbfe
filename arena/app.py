"""The composition root: what is needed to play is put together here, and nowhere else.

`play_match` wires a launcher, the sockets, the match machine, its driver and the record:

    bot program <-> SeatServer <-> LocalSeat <-> run_match <-> Match
                                                     |
                                                RecordWriter
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

from arena.engine.version import ENGINE_VERSION
from arena.errors import BotError, HostFault
from arena.referee.events import BotNo, Effect, ForfeitReason, GameEnded, GameResult, Gone, Message
from arena.referee.limits import Instant
from arena.referee.match import Match
from arena.referee.record import RecordWriter, header
from arena.referee.runner import Watch, monotonic, run_match
from arena.referee.seat import Deliver
from arena.sandbox.launcher import CappedLog, Launcher, Program
from arena.sandbox.process import ProcessLauncher
from arena.submissions.manifest import digest_of
from arena.tournament.matches import MatchOutcome, MatchSpec
from arena.transport.seats import SeatServer, StreamEnd, seat_folder

__all__ = ["LocalSeat", "play_match", "python_launcher", "record_path", "run_until_signalled"]

T = TypeVar("T")


def play_match(
    spec: MatchSpec,
    report: Callable[[GameResult], None] = lambda result: None,
    *,
    watch: Watch | None = None,
) -> MatchOutcome:
    """Play a match between bots in processes of their own.

    `report` hears of every game that ends, `watch` sees all that the referee does. When this
    returns or raises, no process, socket or folder of the match is left, and the record, if one is
    kept, is whole or ends where the match was broken off.

    Raises:
        HostFault: this machine failed before the match or while its record was written.
        KeyboardInterrupt: on Ctrl-C, SIGTERM and SIGHUP.
    """
    return run_until_signalled(_play(spec, report, watch))


async def _play(
    spec: MatchSpec, report: Callable[[GameResult], None], watch: Watch | None
) -> MatchOutcome:
    match = Match(spec.plan(), secrets.token_bytes(32))
    launcher = python_launcher()
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(seat_folder())
        writer = stack.enter_context(_record(spec, match))

        def see(effect: Effect, now: Instant) -> None:
            if writer is not None:
                writer(effect, now)
            if watch is not None:
                watch(effect, now)
            if isinstance(effect, GameEnded):
                report(effect.result)

        seats = [LocalSeat(BotNo(bot), spec, folder, launcher) for bot in match.plan.bots]
        await run_match(match, seats, watch=see)
    assert match.verdict is not None
    return MatchOutcome(
        verdict=match.verdict,
        results=tuple(match.results),
        tallies=tuple(match.roster.tallies[bot] for bot in match.plan.bots),
        logs=tuple(seat.log.text() for seat in seats),
        record_head="" if writer is None else writer.head,
    )


def python_launcher() -> Launcher:
    """Runs bots as processes; the interpreter that runs us has the SDK, so it is their `python`."""
    return ProcessLauncher(path=Path(sys.executable).parent)


# -- the record -------------------------------------------------------------------------------


def record_path(folder: Path, spec: MatchSpec) -> Path:
    """Where the record of an attempt is kept."""
    return folder / f"{spec.name}.jsonl"


@contextlib.contextmanager
def _record(spec: MatchSpec, match: Match) -> Iterator[RecordWriter | None]:
    folder = spec.venue.records
    if folder is None:
        yield None
        return
    path = record_path(folder, spec)
    with _writing(path):
        _set_aside(path)
        file = path.open("xb", buffering=0)

    def sink(lines: bytes) -> None:
        with _writing(path):
            # Unbuffered: what is in the file survives the end of this process, however it comes.
            while lines:
                lines = lines[file.write(lines) :]  # what did not fit on a full disk fails then

    facts = {
        "match": spec.name,
        "attempt": spec.attempt,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "bots": [
            {"name": bot.name, "version": bot.version, "digest": digest_of(bot)}
            for bot in spec.bots
        ],
        # Whoever plays a game again gives its bots the chance that they had.
        "bot_seeds": [
            [spec.bot_seed(bot, leg) for bot in range(len(spec.bots))]
            for leg in range(len(spec.legs))
        ],
        "boards": spec.boards,
    }
    first = header(match.plan, engine=ENGINE_VERSION, facts=facts)
    with file:
        writer = RecordWriter(match.plan, first, sink)
        try:
            yield writer
        finally:
            writer.flush()
        with _writing(path):
            os.fsync(file.fileno())


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HostFault(f"record {path}: cannot be written: {error.strerror}") from None


def _set_aside(path: Path) -> None:
    """Keep what an attempt of the same name has left that was broken off, under another name."""
    if not path.exists():
        return
    for number in itertools.count(1):
        other = path.with_suffix(f".broken-off-{number}")
        if not other.exists():
            path.rename(other)
            return


# -- a seat for a program of this machine -------------------------------------------------------


class LocalSeat:
    """A `referee.seat.Seat` for a bot that is a program on this machine.

    Attributes:
        log: What it writes.
        server: Where it connects.
    """

    def __init__(self, bot: BotNo, spec: MatchSpec, folder: Path, launcher: Launcher) -> None:
        self.log = CappedLog()
        self._bot = bot
        self._spec = spec
        self._launcher = launcher
        port = spec.venue.port
        self.server = SeatServer(
            bot,
            folder / f"{bot}.sock" if port is None else f"127.0.0.1:{port and port + bot}",
            clock=monotonic,
            note=lambda text: self.log.write(text.encode() + b"\n"),
            note_bytes=spec.limits.faults.note_bytes,
        )

    def tell(self, message: Message) -> None:
        self.server.tell(message)

    async def serve(self, leg: int, deliver: Deliver) -> None:
        try:
            async with self.server.open(deliver) as seat:
                program = self._program(leg, seat.address, seat.token)
                async with self._launcher.run(program, self.log) as running:
                    exited = asyncio.ensure_future(running.wait())
                    try:
                        deliver(await self._end_of(exited, seat.ended))
                        # It may end by itself, and say something last.
                        await asyncio.wait([exited], timeout=_FAREWELL)
                    finally:
                        exited.cancel()
        except BotError as error:
            deliver(Gone(self._bot, str(error)))

    async def _end_of(self, exited: asyncio.Task[str], stream: asyncio.Future[StreamEnd]) -> Gone:
        """Wait for the end of the program or of its stream; what it counts as."""
        either = asyncio.Event()
        for one in (exited, stream):
            one.add_done_callback(lambda _: either.set())
        await either.wait()
        # Often both end at once; how the program ended says more.
        refused = stream.done() and stream.result().reason is not ForfeitReason.CRASH
        await asyncio.wait([exited], timeout=0 if refused else _TOGETHER)
        if stream.done() and stream.result().reason is not ForfeitReason.CRASH:
            return Gone(self._bot, stream.result().why, stream.result().reason)
        return Gone(self._bot, exited.result() if exited.done() else stream.result().why)

    def _program(self, leg: int, address: str, token: str) -> Program:
        bot = self._spec.bots[self._bot]
        environment = {
            "ARENA_ADDRESS": address,
            "ARENA_BOT_SEED": str(self._spec.bot_seed(self._bot, leg)),
            # What it prints is in its log at once, and in order with its errors.
            "PYTHONUNBUFFERED": "1",
        }
        if token:
            environment["ARENA_TOKEN"] = token
        if self._spec.venue.strict_bots:
            environment["ARENA_STRICT"] = "1"
        return Program(command=bot.run, folder=bot.folder, environment=environment)


_TOGETHER: Final = 1.0  # seconds
_FAREWELL: Final = 0.5  # seconds


# -- signals ----------------------------------------------------------------------------------


def run_until_signalled(work: Coroutine[None, None, T]) -> T:
    """Run `work`; a signal to end cancels it, so that it cleans up behind itself.

    Raises:
        KeyboardInterrupt: on Ctrl-C, SIGTERM and SIGHUP.
    """

    async def main() -> T:
        with _cancelled_by_signals():
            return await work

    try:
        return asyncio.run(main())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    except BaseExceptionGroup as group:
        # The driver's tasks are a group; what goes wrong in one of them is told by itself.
        faults, _ = group.split(HostFault)
        if faults is None:
            raise
        raise HostFault(str(_first(faults))) from None


def _first(group: BaseExceptionGroup[HostFault]) -> BaseException:
    inner: BaseException = group
    while isinstance(inner, BaseExceptionGroup):
        inner = inner.exceptions[0]
    return inner


@contextlib.contextmanager
def _cancelled_by_signals() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is told of signals
        return
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None
    # What whoever started us had ignored stays so: `nohup` is meant to outlive the terminal.
    numbers = [
        number
        for number in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) is not signal.SIG_IGN
    ]

    def end() -> None:
        # Once: a second signal would break off the cleaning up.
        if not task.cancelling():
            task.cancel()

    for number in numbers:
        loop.add_signal_handler(number, end)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
