"""Driving matches in an event loop: seats that are played by hand, and a loop that stands still."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from arena.referee.events import Answered, BotNo, Joined, Message, Prompt
from arena.referee.game import MatchPlan
from arena.referee.limits import HostGuard, Instant, Nanos
from arena.referee.match import Match
from arena.referee.precise import precise_loop
from arena.referee.runner import Watch, ignore, run_match
from arena.referee.scripted import Reply, ScriptedSeat
from arena.referee.seat import Deliver, Seat
from tests.referee.plans import MS

T = TypeVar("T")

QUICK = Nanos(10_000)
DAY = Nanos(86_400_000 * MS)


def brisk(prompt: Prompt) -> list[Reply]:
    """Play the first legal action, almost at once."""
    return [Reply(0, QUICK)]


def whatever_the_host(plan: MatchPlan) -> MatchPlan:
    """The same, with a host that may be as slow as it likes: for clocks that a test sets."""
    return replace(plan, limits=replace(plan.limits, host=HostGuard(credited=DAY, void=DAY)))


def drive(match: Match, *seats: Seat, farewell: int = 0, watch: Watch = ignore) -> None:
    """Play a match in an event loop of its own; nothing is left running."""
    in_a_loop(driven(match, seats, farewell=farewell, watch=watch))


def in_a_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run it in an event loop as matches have; a test that hangs fails instead."""
    with asyncio.Runner(loop_factory=precise_loop) as runner:
        return runner.run(asyncio.wait_for(work, timeout=60))


async def driven(
    match: Match, seats: Sequence[Seat], *, farewell: int = 0, watch: Watch = ignore
) -> None:
    """Play a match; what runs afterwards ran before."""
    before = asyncio.all_tasks()
    for number, seat in enumerate(seats):
        if isinstance(seat, ScriptedSeat):
            seat.sit(BotNo(number))
    try:
        await run_match(match, seats, farewell=Nanos(farewell), watch=watch)
    finally:
        assert asyncio.all_tasks() <= before


class ByHand:
    """A seat whose bot speaks when the test says so.

    Attributes:
        prompts: What it was asked and has not been looked at.
        told: Everything that it was told.
        legs: The legs that it was started for.
        deliver: Where its present life delivers what it says.
        ended: How many of its lives have ended.
    """

    def __init__(self, bot: BotNo) -> None:
        self.bot = bot
        self.prompts: asyncio.Queue[Prompt] = asyncio.Queue()
        self.told: list[Message] = []
        self.legs: list[int] = []
        self.ended = 0
        self._deliver: Deliver | None = None

    @property
    def deliver(self) -> Deliver:
        assert self._deliver is not None
        return self._deliver

    async def serve(self, leg: int, deliver: Deliver) -> None:
        self._deliver = deliver
        self.legs.append(leg)
        deliver(Joined(self.bot))
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            self.ended += 1

    @property
    def can_rest(self) -> bool:
        return False

    def rest(self) -> None: ...

    async def ready(self) -> None: ...

    def tell(self, message: Message) -> None:
        self.told.append(message)
        if isinstance(message, Prompt):
            self.prompts.put_nowait(message)

    def answer(self, prompt: Prompt, at: int) -> None:
        """Answer with the first legal action, as if it had arrived at that instant."""
        self.deliver(Answered(self.bot, prompt.prompt_id, 0, Instant(at)))


def stand_still(nanoseconds: int) -> None:
    """Keep the whole event loop from running for so long, on the real clock."""
    until = time.monotonic_ns() + nanoseconds
    while time.monotonic_ns() < until:
        pass
