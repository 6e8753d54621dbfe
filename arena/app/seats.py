"""A seat for a program that this machine runs, in whatever it is run."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Final

from arena.errors import BotError
from arena.referee.events import BotNo, ForfeitReason, Gone, MatchOver, Message, Prompt
from arena.referee.limits import Instant
from arena.referee.runner import monotonic
from arena.referee.seat import Deliver
from arena.sandbox.launcher import REMARK, CappedLog, Exit, Launcher, Program, Running, Slot
from arena.submissions.manifest import Manifest
from arena.tournament.matches import MatchSpec
from arena.transport.seats import OpenSeat, SeatServer, StreamEnd

__all__ = ["LocalSeat", "command_of"]


def command_of(bot: Manifest, image: str) -> tuple[str, ...]:
    """What is run for a bot: its program, or what speaks gRPC for it and runs the program."""
    if not bot.bridge:
        return bot.run
    # Outside an image the Python that runs us is the one that has the SDK. -P: the bot's own files
    # are no modules of the bridge, whatever they are called.
    python = "python3" if image else sys.executable
    return (python, "-P", "-m", "arena_sdk.bridge", "--", *bot.run)


class LocalSeat:
    """A `referee.seat.Seat` for a bot that is a program on this machine.

    Its place is made ready while the leg before is played: `make_ready` for the first one, `close`
    when nothing is played any more.

    Attributes:
        log: What it writes.
        server: Where it connects.
        exits: How it ended, leg by leg.
    """

    def __init__(self, bot: BotNo, spec: MatchSpec, folder: Path, launcher: Launcher) -> None:
        self.log = CappedLog()
        self.exits: list[Exit] = []
        self._bot = bot
        self._spec = spec
        self._launcher = launcher
        self._ready: asyncio.Task[Slot] | None = None
        self._slot: Slot | None = None
        self._looking: asyncio.TimerHandle | None = None
        self._leaving: set[asyncio.Task[None]] = set()
        port = spec.venue.port
        self.server = SeatServer(
            bot,
            folder / f"{bot}.sock" if port is None else f"127.0.0.1:{port and port + bot}",
            clock=monotonic,
            note=lambda text: self.log.write(text.encode() + b"\n"),
            note_bytes=spec.limits.faults.note_bytes,
        )

    # -- its place ----------------------------------------------------------------------------

    def make_ready(self) -> asyncio.Task[Slot]:
        """Begin to make a place for its next leg, unless that has begun."""
        if self._ready is None:
            bot = self._spec.bots[self._bot]
            images = self._spec.venue.images
            image = images[self._bot] if images else ""
            program = Program(
                command=command_of(bot, image),
                folder=bot.folder,
                # What it prints is in its log at once, and in order with its errors.
                environment={"PYTHONUNBUFFERED": "1"},
                image=image,
            )
            self._ready = asyncio.create_task(self._launcher.make_ready(program))
        return self._ready

    async def _take_place(self, leg: int) -> Slot:
        # Whoever ends this life must not end the making: what it makes has to be given back.
        slot = await asyncio.shield(self.make_ready())
        self._ready = None
        if leg + 1 < len(self._spec.legs):
            self.make_ready()
        return slot

    async def ready(self) -> None:
        await asyncio.wait([self.make_ready()])

    def _leave(self, slot: Slot) -> None:
        """Give a place back; what is left of it no longer runs, so nobody has to wait."""
        task = asyncio.create_task(slot.close())
        self._leaving.add(task)

    async def close(self) -> None:
        """Give back all places, also one that nobody needs now."""
        if self._ready is not None:
            await asyncio.wait([self._ready])
            if not self._ready.cancelled() and self._ready.exception() is None:
                self._leave(self._ready.result())
            self._ready = None
        if self._looking is not None:
            self._looking.cancel()
        if self._leaving:
            await asyncio.gather(*self._leaving)
            self._leaving.clear()

    # -- what the driver calls ----------------------------------------------------------------

    def tell(self, message: Message) -> None:
        if self._slot is not None and isinstance(message, Prompt | MatchOver):
            self._slot.thaw()  # before its clock starts
        self.server.tell(message)

    @property
    def can_rest(self) -> bool:
        return self._spec.venue.holds_still

    def rest(self) -> None:
        if self._slot is not None:
            self._slot.freeze()
            if self._looking is None:
                loop = asyncio.get_running_loop()
                self._looking = loop.call_later(_BETWEEN_LOOKS, self._look)

    def _look(self) -> None:
        """Look after who rests, once in a while."""
        self._looking = None
        if self._slot is not None:
            self._slot.look()

    async def serve(self, leg: int, deliver: Deliver) -> None:
        try:
            slot = await self._take_place(leg)
            try:
                await self._play(leg, slot, deliver)
            finally:
                self._leave(slot)
        except BotError as error:
            deliver(Gone(self._bot, str(error), ForfeitReason.STARTUP))

    async def _play(self, leg: int, slot: Slot, deliver: Deliver) -> None:
        async with self.server.open(deliver, slot.socket) as seat:
            environment = self._environment(leg, slot.address or seat.address, seat.token)
            began = monotonic()
            running: Running | None = None
            try:
                async with slot.run(environment, self.log) as running:
                    self._slot = slot
                    exited = asyncio.ensure_future(running.wait())
                    try:
                        deliver(await self._end_of(exited, seat))
                        slot.thaw()
                        # It may end by itself, and say something last.
                        await asyncio.wait([exited], timeout=_FAREWELL)
                    finally:
                        self._slot = None
                        exited.cancel()
            finally:
                self._note_end(None if running is None else running.exit, began)

    def _note_end(self, found: Exit | None, began: Instant) -> None:
        """Keep how its program ended, and tell its author what it took if it ended badly."""
        if found is None:
            return
        self.exits.append(found)
        if found.processor_time is None or (found.is_clean and not found.killed_besides):
            return
        how = "was ended with the match" if found.was_ended else found.how
        words = f"{how}; {found.processor_time:.1f} s of processor time in "
        words += f"{(monotonic() - began) / 1e9:.1f} s"
        words += "" if found.peak is None else f", at most {found.peak / 2**20:.0f} MiB"
        if found.killed_besides:
            words += f"; of what it started, {found.killed_besides} were killed for memory"
        self.log.write(f"{REMARK}{words}]\n".encode())

    async def _end_of(self, exited: asyncio.Task[Exit], seat: OpenSeat) -> Gone:
        """Wait for the end of the program or of its stream; what it counts as."""
        stream: asyncio.Future[StreamEnd] = seat.ended
        either = asyncio.Event()
        for one in (exited, stream):
            one.add_done_callback(lambda _: either.set())
        await either.wait()
        # Often both end at once; how the program ended says more.
        refused = stream.done() and stream.result().reason is not ForfeitReason.CRASH
        await asyncio.wait([exited], timeout=0 if refused else _TOGETHER)
        if stream.done() and stream.result().reason is not ForfeitReason.CRASH:
            return Gone(self._bot, stream.result().why, stream.result().reason)
        if not exited.done():
            return Gone(self._bot, stream.result().why)
        found = exited.result()
        reason = ForfeitReason.RESOURCE if found.for_memory else ForfeitReason.CRASH
        return Gone(self._bot, found.how, reason)

    def _environment(self, leg: int, address: str, token: str) -> dict[str, str]:
        environment = {
            "ARENA_ADDRESS": address,
            "ARENA_BOT_SEED": str(self._spec.bot_seed(self._bot, leg)),
        }
        if token:
            environment["ARENA_TOKEN"] = token
        if self._spec.venue.strict_bots:
            environment["ARENA_STRICT"] = "1"
        return environment


_BETWEEN_LOOKS: Final = 0.02  # seconds
_TOGETHER: Final = 1.0  # seconds
_FAREWELL: Final = 0.5  # seconds
