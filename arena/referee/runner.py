"""The driver: the only place in the referee that reads a clock and waits.

One loop takes events in the order in which they arrived and performs the effects. One timer
watches all deadlines: it is moved only when a deadline comes earlier than it is set, otherwise it
wakes the loop too soon once in a while and is set again. A watchdog for each wait would cost more
than everything else here.

Time is fair by two rules. Whoever delivers an answer stamps it on arrival; and before the driver
takes an event that arrived after the deadline, it tells the machine that the deadline has passed.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, assert_never

from arena.errors import BotFault
from arena.referee.events import (
    Abandon,
    Answered,
    Begin,
    BotNo,
    Effect,
    Event,
    GameEnded,
    Played,
    Start,
    Stop,
    Tell,
    Tick,
)
from arena.referee.limits import Instant, Nanos, nanos
from arena.referee.match import Match
from arena.referee.seat import Seat

__all__ = ["Clock", "NeverJoined", "Watch", "ignore", "monotonic", "run_match"]

Clock = Callable[[], Instant]
"""Tells the present instant."""

Watch = Callable[[Effect], None]
"""Sees the effects of a match as they come; never blocks."""

_FAREWELL: Final = nanos(1)


def monotonic() -> Instant:
    """The present instant on this machine's monotonic clock."""
    return Instant(time.monotonic_ns())


def ignore(effect: Effect) -> None:
    """Watch nothing."""


class NeverJoined(BotFault):
    """A bot never joined, so the match could not begin; `why` in a few words."""

    def __init__(self, bot: BotNo, why: str) -> None:
        super().__init__(f"bot {bot}: {why}")
        self.bot = bot
        self.why = why


async def run_match(
    match: Match,
    seats: Sequence[Seat],
    *,
    clock: Clock = monotonic,
    watch: Watch = ignore,
    farewell: Nanos = _FAREWELL,
) -> None:
    """Play `match` to its end, with bot number i on `seats[i]`.

    `watch` sees every effect before it is performed. After the match the bots have `farewell` to
    leave by themselves. When this returns or raises, all seats have ended their work.

    Raises:
        NeverJoined: the first game could not begin.
    """
    async with asyncio.TaskGroup() as group:
        driver = _Driver(match, seats, clock, watch, group)
        try:
            await driver.play()
            if driver.abandoned is None:
                await driver.say_farewell(farewell)
        finally:
            driver.dismiss()
    if driver.abandoned is not None:
        raise NeverJoined(driver.abandoned.bot, driver.abandoned.why)


class _Driver:
    def __init__(
        self,
        match: Match,
        seats: Sequence[Seat],
        clock: Clock,
        watch: Watch,
        group: asyncio.TaskGroup,
    ) -> None:
        self.abandoned: Abandon | None = None
        self._match = match
        self._seats = seats
        self._clock = clock
        self._watch = watch
        self._group = group
        self._arrived: deque[_Arrival] = deque()
        self._wake = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = Instant(0)
        self._lives: dict[BotNo, asyncio.Task[None]] = {}
        self._current: dict[BotNo, object] = {}

    async def play(self) -> None:
        """Drive the machine until it is over."""
        match = self._match
        self._handle(Begin())
        while not match.over:
            deadline = match.deadline
            at = self._arrived[0].at if self._arrived else self._clock()
            if deadline is not None and at > deadline:
                self._handle(Tick())
            elif self._arrived:
                arrival = self._arrived.popleft()
                if self._current.get(arrival.bot) is arrival.life:
                    self._handle(arrival.event)
            else:
                self._set_timer(deadline)
                await self._wake.wait()
                self._wake.clear()

    def _handle(self, event: Event) -> None:
        for effect in self._match.handle(event, self._clock()):
            self._watch(effect)
            self._perform(effect)

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Tell(bot, message):
                self._seats[bot].tell(message)
            case Start(bot):
                life = self._current[bot] = object()
                task = self._live(bot, life, self._lives.get(bot))
                self._lives[bot] = self._group.create_task(task)
            case Stop(bot):
                self._current.pop(bot)
                self._lives[bot].cancel()
            case Abandon():
                self.abandoned = effect
            case Played() | GameEnded():
                pass  # for those who watch
            case _:
                assert_never(effect)

    async def _live(self, bot: BotNo, life: object, before: asyncio.Task[None] | None) -> None:
        """One life of a bot, which begins when the one before has ended."""
        if before is not None:
            await asyncio.wait([before])

        def deliver(event: Event) -> None:
            at = event.at if isinstance(event, Answered) else self._clock()
            self._arrived.append(_Arrival(at, bot, life, event))
            self._wake.set()

        await self._seats[bot].serve(deliver)

    def _set_timer(self, deadline: Instant | None) -> None:
        if deadline is None or (self._timer is not None and self._timer_at <= deadline):
            return
        if self._timer is not None:
            self._timer.cancel()
        # One nanosecond more: at the deadline an answer is still in time.
        wait = max(0, deadline + 1 - self._clock()) / 1e9
        self._timer = asyncio.get_running_loop().call_later(wait, self._time_passed)
        self._timer_at = deadline

    def _time_passed(self) -> None:
        self._timer = None
        self._wake.set()

    async def say_farewell(self, patience: Nanos) -> None:
        """Give the bots, which have been told that it is over, time to leave."""
        await asyncio.wait(self._lives.values(), timeout=patience / 1e9)

    def dismiss(self) -> None:
        """End everything that still runs; the task group waits for it."""
        if self._timer is not None:
            self._timer.cancel()
        for life in self._lives.values():
            life.cancel()


class _Arrival(NamedTuple):
    """An event with the instant of its arrival and the life of the bot that it came from.

    What a bot left behind in the queue is no business of the one that was started in its place.
    """

    at: Instant
    bot: BotNo
    life: object
    event: Event
