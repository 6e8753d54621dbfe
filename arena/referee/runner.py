"""The driver: the only place in the referee that reads a clock and waits.

One loop takes events in the order in which they arrived and performs the effects. One timer
watches all deadlines: it is moved only when a deadline comes earlier than it is set, otherwise it
wakes the loop too soon once in a while and is set again. A watchdog for each wait would cost more
than everything else here.

Time is fair by three rules. Whoever delivers an answer stamps it on arrival; before the driver
takes an event that arrived after the deadline, it tells the machine that the deadline has passed;
and before either it says how long this process itself has stood still. A pulse tells: it is due
every 5 ms, and what it is late by, the bots have lost.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from arena.errors import HostFault
from arena.referee.events import (
    Answered,
    Begin,
    BotNo,
    Effect,
    EndLeg,
    Event,
    HostFailed,
    Lagged,
    Sent,
    Start,
    Stop,
    Tell,
    Tick,
)
from arena.referee.limits import Instant, Nanos, nanos
from arena.referee.match import Match
from arena.referee.seat import Seat

__all__ = ["Clock", "Watch", "ignore", "monotonic", "run_match"]

Clock = Callable[[], Instant]
"""Tells the present instant."""

Watch = Callable[[Effect, Instant], None]
"""Sees the effects of a match as they come, with the instant; never blocks."""

_FAREWELL: Final = nanos(0.5)
_PULSE: Final = nanos(0.005)


def monotonic() -> Instant:
    """The present instant on this machine's monotonic clock."""
    return Instant(time.monotonic_ns())


def ignore(effect: Effect, now: Instant) -> None:
    """Watch nothing."""


async def run_match(
    match: Match,
    seats: Sequence[Seat],
    *,
    clock: Clock = monotonic,
    watch: Watch = ignore,
    farewell: Nanos = _FAREWELL,
) -> None:
    """Play `match` to its end, with bot number i on `seats[i]`.

    `watch` sees every effect before it is performed. After a leg the bots have `farewell` to leave
    by themselves. When this returns or raises, all seats have ended their work.
    """
    async with asyncio.TaskGroup() as group:
        driver = _Driver(match, seats, clock, watch, group)
        try:
            await driver.play(farewell)
        finally:
            driver.dismiss()


class _Driver:
    def __init__(
        self,
        match: Match,
        seats: Sequence[Seat],
        clock: Clock,
        watch: Watch,
        group: asyncio.TaskGroup,
    ) -> None:
        self._match = match
        self._seats = seats
        self._resting = tuple(bot for bot in match.plan.bots if seats[bot].can_rest)
        self._clock = clock
        self._watch = watch
        self._group = group
        self._arrived: deque[_Arrival] = deque()
        self._wake = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = Instant(0)
        self._pulse: asyncio.TimerHandle | None = None
        self._pulse_at = Instant(0)
        self._leg_over = False
        self._is_working = False
        self._failure: BaseException | None = None
        self._lives: dict[BotNo, asyncio.Task[None]] = {}
        self._current: dict[BotNo, object] = {}

    async def play(self, farewell: Nanos) -> None:
        """Drive the machine until it is over and everybody had time to leave."""
        self._pulse_at = self._clock()
        self._beat()
        self._handle(Begin())
        while not self._match.over:
            self._work()
            await self._wake.wait()
            self._wake.clear()
            if self._failure is not None:
                raise self._failure
            if self._leg_over:
                self._leg_over = False
                await self._clear(farewell)
                await asyncio.gather(*(seat.ready() for seat in self._seats))
                self._pulse_at = self._clock()
                self._handle(Begin())
        await self._clear(farewell)

    def _work(self) -> None:
        """Do all that there is to do now; called by whatever brings something.

        That an answer is dealt with where it arrives, and not by a task that has to be woken first,
        is a turn of the event loop less for each decision.
        """
        if self._is_working:
            return
        self._is_working = True
        try:
            while self._step():
                pass
        except BaseException as error:
            self._failure = error
        finally:
            self._is_working = False
        if self._leg_over or self._match.over or self._failure is not None:
            self._wake.set()

    def _step(self) -> bool:
        """Take what comes first: a deadline that has passed, or an arrival; False: neither."""
        match = self._match
        if match.over or self._leg_over:
            return False
        self._feel_pulse()
        deadline = match.deadline
        at = self._arrived[0].at if self._arrived else self._clock()
        if deadline is not None and at > deadline:
            self._handle(_TICK)
        elif self._arrived:
            arrival = self._arrived.popleft()
            if self._current.get(arrival.bot) is arrival.life:
                self._handle(arrival.event)
        else:
            self._set_timer(deadline)
            return False
        return True

    def _handle(self, event: Event) -> None:
        now = self._clock()
        for effect in self._match.handle(event, now):
            self._watch(effect, now)
            self._perform(effect)
        if self._resting and not self._match.over:
            for bot in self._resting:
                if self._match.is_idle(bot):
                    self._seats[bot].rest()

    def _perform(self, effect: Effect) -> None:
        if isinstance(effect, Tell):
            self._seats[effect.bot].tell(effect.message)
        elif isinstance(effect, Start):
            life = self._current[effect.bot] = object()
            task = self._live(effect.bot, life, effect.leg)
            self._lives[effect.bot] = self._group.create_task(task)
        elif isinstance(effect, Stop):
            self._current.pop(effect.bot, None)
            self._group.create_task(self._take_away(self._lives[effect.bot]))
        elif isinstance(effect, EndLeg):
            self._current.clear()
            self._leg_over = True
        # The others are for those who watch.

    async def _live(self, bot: BotNo, life: object, leg: int) -> None:
        """One life of a bot."""

        def deliver(event: Event) -> None:
            if isinstance(event, Sent):
                # It only moves its own prompt's clock, and has to before the deadline is looked at.
                if self._current.get(bot) is life:
                    self._match.handle(event, event.at)
                return
            at = event.at if isinstance(event, Answered) else self._clock()
            self._arrived.append(_Arrival(at, bot, life, event))
            self._work()

        try:
            await self._seats[bot].serve(leg, deliver)
        except HostFault as error:
            deliver(HostFailed(str(error)))

    async def _take_away(self, life: asyncio.Task[None]) -> None:
        """End a life as soon as what was told to it had a chance to go out."""
        await asyncio.wait([life], timeout=_LAST_WORDS)
        life.cancel()

    # -- the pulse ----------------------------------------------------------------------------

    def _beat(self) -> None:
        self._work()
        self._pulse = asyncio.get_running_loop().call_later(_PULSE / 1e9, self._beat)

    def _feel_pulse(self) -> None:
        """Tell the machine if this process stood still since the last time."""
        now = self._clock()
        late = now - self._pulse_at - _PULSE
        self._pulse_at = now
        if late > self._match.plan.limits.host.credited:
            self._handle(Lagged(Nanos(late)))

    # -- waiting ------------------------------------------------------------------------------

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
        self._work()

    async def _clear(self, patience: Nanos) -> None:
        """Let the bots, which have been told that it is over, leave; end those that do not."""
        lives = tuple(self._lives.values())
        if not lives:
            return
        await asyncio.wait(lives, timeout=patience / 1e9)
        for life in lives:
            life.cancel()
        await asyncio.wait(lives)
        self._arrived.clear()
        self._pulse_at = self._clock()

    def dismiss(self) -> None:
        """End everything that still runs; the task group waits for it."""
        for timer in (self._timer, self._pulse):
            if timer is not None:
                timer.cancel()
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


_TICK: Final = Tick()
_LAST_WORDS: Final = 0.05  # seconds
