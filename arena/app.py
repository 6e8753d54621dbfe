"""The composition root: what is needed to play is put together here, and nowhere else.

`play_match` wires a launcher, the sockets, the match machine and its driver:

    bot program <-> SeatServer <-> _LocalSeat <-> run_match <-> Match
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.engine.deal import Board, sub_key
from arena.engine.rulesets import RuleSet
from arena.engine.scoring import Length
from arena.engine.seating import Seating
from arena.errors import BotError
from arena.referee.events import BotNo, GameResult, Gone, Message
from arena.referee.game import TO_MATCH_POINTS, MatchPlan
from arena.referee.limits import STANDARD, TimeControl
from arena.referee.match import Match
from arena.referee.runner import NeverJoined, Watch, ignore, monotonic, run_match
from arena.referee.seat import Deliver
from arena.referee.tally import Tally
from arena.sandbox.launcher import CappedLog, Launcher, Program, last_lines
from arena.sandbox.process import ProcessLauncher
from arena.submissions.manifest import Manifest
from arena.transport.seats import SeatServer, seat_folder

__all__ = ["MatchOutcome", "MatchSpec", "play_match"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSpec:
    """A match to play between local bots.

    Attributes:
        bots: Who plays, in the order of the seats in the first game.
        rules, seating: What is played, and who with whom.
        seed: 32 bytes from which all deals follow.
        games: How many games.
        time: The time that bots have.
        length: How long a game lasts.
    """

    bots: tuple[Manifest, ...]
    rules: RuleSet
    seating: Seating
    seed: bytes
    games: int
    time: TimeControl = STANDARD
    length: Length = TO_MATCH_POINTS

    def plan(self) -> MatchPlan:
        """What the referee has to know of it."""
        return MatchPlan(
            rules=self.rules,
            seating=self.seating,
            boards=tuple(Board(sub_key(self.seed, f"board/{game}")) for game in range(self.games)),
            time=self.time,
            length=self.length,
        )


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """What a match brought: every game, and for each bot what went wrong and what it wrote."""

    results: tuple[GameResult, ...]
    tallies: tuple[Tally, ...]
    logs: tuple[str, ...]


Keep = Callable[[Sequence[str]], None]
"""Takes what every bot wrote."""


def play_match(
    spec: MatchSpec, *, watch: Watch = ignore, keep: Keep = lambda logs: None
) -> MatchOutcome:
    """Play a match between bots in processes of their own.

    `watch` sees all that the referee does. `keep` gets the bots' logs when it is over, however it
    ended. When this returns or raises, no process, socket or folder of the match is left.

    Raises:
        BotError: a bot could not be started or never joined; the message ends with its last line.
        KeyboardInterrupt: on Ctrl-C, SIGTERM and SIGHUP.
    """
    return _run_until_signalled(_play(spec, watch, keep))


async def _play(spec: MatchSpec, watch: Watch, keep: Keep) -> MatchOutcome:
    match = Match(spec.plan(), secrets.token_bytes(32))
    # The interpreter that runs us has the SDK, so it is the `python` of a bot.toml.
    launcher = ProcessLauncher(path=Path(sys.executable).parent)
    with seat_folder() as folder:
        seats = [
            _LocalSeat(BotNo(number), bot, folder, launcher, _bot_seed(spec.seed, number))
            for number, bot in enumerate(spec.bots)
        ]
        try:
            await run_match(match, seats, watch=watch)
        except NeverJoined as error:
            wrote = "".join(f": {line}" for line in last_lines(seats[error.bot].log.text(), 1))
            name = spec.bots[error.bot].name
            raise BotError(f"bot {name!r} did not start: it {error.why}{wrote}") from None
        finally:
            keep([seat.log.text() for seat in seats])
    return MatchOutcome(
        results=tuple(match.results),
        tallies=tuple(match.tallies[bot] for bot in match.plan.bots),
        logs=tuple(seat.log.text() for seat in seats),
    )


def _bot_seed(seed: bytes, number: int) -> int:
    """A seed for a bot's own chance; the deals cannot be told from it, if `seed` is secret."""
    return int.from_bytes(sub_key(seed, f"bot/{number}")[:8], "big")


class _LocalSeat:
    """A `referee.seat.Seat` for a bot that is a program on this machine."""

    def __init__(
        self, bot: BotNo, manifest: Manifest, folder: Path, launcher: Launcher, seed: int
    ) -> None:
        self.log = CappedLog()
        self._bot = bot
        self._launcher = launcher
        self._server = SeatServer(bot, folder / f"{bot}.sock", clock=monotonic, note=self._note)
        self._program = Program(
            command=manifest.run,
            folder=manifest.folder,
            environment={
                "ARENA_ADDRESS": self._server.address,
                "ARENA_BOT_SEED": str(seed),
                # What it prints is in its log at once, and in order with its errors.
                "PYTHONUNBUFFERED": "1",
            },
        )

    def tell(self, message: Message) -> None:
        self._server.tell(message)

    async def serve(self, deliver: Deliver) -> None:
        try:
            async with (
                self._server.open(deliver) as stream_ended,
                self._launcher.run(self._program, self.log) as running,
            ):
                exited = asyncio.ensure_future(running.wait())
                try:
                    await asyncio.wait({exited, stream_ended}, return_when=asyncio.FIRST_COMPLETED)
                    ended = exited if exited.done() else stream_ended
                    deliver(Gone(self._bot, ended.result()))
                    # It may end by itself, and say something last.
                    await asyncio.wait({exited}, timeout=_FAREWELL)
                finally:
                    exited.cancel()
        except BotError as error:
            deliver(Gone(self._bot, str(error)))

    def _note(self, text: str) -> None:
        self.log.write(text[:_LONGEST_NOTE].encode() + b"\n")


_LONGEST_NOTE: Final = 500
_FAREWELL: Final = 1.0  # seconds


def _run_until_signalled(work: Coroutine[None, None, MatchOutcome]) -> MatchOutcome:
    """Run `work`; a signal to end cancels it, so that it cleans up behind itself."""

    async def main() -> MatchOutcome:
        with _cancelled_by_signals():
            return await work

    try:
        return asyncio.run(main())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


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
    for number in numbers:
        loop.add_signal_handler(number, task.cancel)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
