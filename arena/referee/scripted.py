"""The fakes of the referee's seams: seats that follow a script, and a clock that is set by hand.

    silent = ScriptedSeat(lambda prompt: [])
    match = play_out(plan, [silent, ScriptedSeat()])
    assert match.tallies[BotNo(0)].faults[Fault.TIMED_OUT] == 1

`play_out` needs no event loop: time passes by jumping to what happens next, so a test of a hundred
time-outs takes no time. A `ScriptedSeat` is a `seat.Seat` too, for tests of the driver.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from arena.referee.events import (
    Answered,
    Begin,
    BotNo,
    Choice,
    Effect,
    Event,
    Gone,
    Joined,
    Message,
    Prompt,
    Start,
    Stop,
    Tell,
    Tick,
)
from arena.referee.game import MatchPlan
from arena.referee.limits import Instant, Nanos
from arena.referee.match import Match
from arena.referee.seat import Deliver

__all__ = [
    "ONE_MILLISECOND",
    "FakeClock",
    "Leave",
    "Reply",
    "Script",
    "ScriptedSeat",
    "Simulation",
    "eager",
    "play_out",
]

ONE_MILLISECOND: Final = Nanos(1_000_000)


class FakeClock:
    """A clock that stands still until it is set."""

    def __init__(self, start: int = 1_000_000_000) -> None:
        self._now = Instant(start)

    def __call__(self) -> Instant:
        return self._now

    def set(self, instant: Instant) -> None:
        """Go to `instant`, which does not lie in the past."""
        assert instant >= self._now, "time does not go back"
        self._now = instant


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that arrives `after` the prompt; `prompt_id` None names the prompt itself."""

    choice: Choice
    after: Nanos = ONE_MILLISECOND
    prompt_id: str | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """The bot goes `after` the prompt."""

    after: Nanos = ONE_MILLISECOND


Script = Callable[[Prompt], Iterable[Reply | Leave]]
"""What a bot does about a prompt."""


def eager(prompt: Prompt) -> list[Reply]:
    """Play the first legal action, a millisecond after the prompt."""
    return [Reply(prompt.view.legal[0])]


@dataclass
class ScriptedSeat:
    """A seat whose bot follows a script.

    Attributes:
        script: What it does about a prompt.
        joins: In which of its lives it joins; in the others it goes at once, before joining.
        told: Every message that it was sent.
        lives: How often it was started.
        bot: Which bot of the match this is.
    """

    script: Script = eager
    joins: Callable[[int], bool] = lambda life: True
    told: list[Message] = field(default_factory=list)
    lives: int = 0
    _deliver: Deliver | None = None
    bot: BotNo = field(default_factory=lambda: BotNo(0))

    def sit(self, bot: BotNo) -> ScriptedSeat:
        """Say which bot of the match this is."""
        self.bot = bot
        return self

    def start(self) -> Event:
        """Begin a life; what comes of it."""
        self.lives += 1
        return Joined(self.bot) if self.joins(self.lives) else Gone(self.bot, "exited with 1")

    def react(self, message: Message, now: Instant) -> list[tuple[Instant, Event]]:
        """Note a message, and say what the bot does about it and when."""
        self.told.append(message)
        if not isinstance(message, Prompt):
            return []
        return [self._event(message, step, now) for step in self.script(message)]

    def _event(self, prompt: Prompt, step: Reply | Leave, now: Instant) -> tuple[Instant, Event]:
        at = Instant(now + step.after)
        if isinstance(step, Leave):
            return at, Gone(self.bot, "left")
        named = prompt.prompt_id if step.prompt_id is None else step.prompt_id
        return at, Answered(self.bot, named, step.choice, at)

    async def serve(self, deliver: Deliver) -> None:
        self._deliver = deliver
        deliver(self.start())
        await asyncio.get_running_loop().create_future()

    def tell(self, message: Message) -> None:
        loop = asyncio.get_running_loop()
        assert self._deliver is not None
        for at, event in self.react(message, Instant(0)):
            loop.call_later(at / 1e9, self._deliver, event)


class Simulation:
    """A match between scripted seats on a fake clock.

    Attributes:
        match: The machine.
        effects: Every effect so far, with its instant.
    """

    def __init__(self, match: Match, seats: Sequence[ScriptedSeat]) -> None:
        self.match = match
        self.clock = FakeClock()
        self.effects: list[tuple[Instant, Effect]] = []
        self._seats = [seat.sit(BotNo(number)) for number, seat in enumerate(seats)]
        self._coming: list[tuple[Instant, int, int, Event]] = []
        self._order = count()
        self._life = dict.fromkeys(match.plan.bots, 0)

    def run(self) -> None:
        """Play to the end."""
        self.handle(Begin())
        while not self.match.over:
            self.step()

    def step(self) -> None:
        """Go to what happens next: an event, or a deadline that passes."""
        deadline = self.match.deadline
        if self._coming and (deadline is None or self._coming[0][0] <= deadline):
            at, _, life, event = heapq.heappop(self._coming)
            self.clock.set(at)
            if not hasattr(event, "bot") or self._life[event.bot] == life:
                self.handle(event)
        else:
            assert deadline is not None, "nothing is waited for, and nothing will happen"
            self.clock.set(Instant(deadline + 1))
            self.handle(Tick())

    def handle(self, event: Event) -> None:
        """Give the machine an event now, and the seats what follows from it."""
        now = self.clock()
        for effect in self.match.handle(event, now):
            self.effects.append((now, effect))
            match effect:
                case Tell(bot, message):
                    for at, reply in self._seats[bot].react(message, now):
                        self._expect(bot, at, reply)
                case Start(bot):
                    self._life[bot] += 1
                    self._expect(bot, now, self._seats[bot].start())
                case Stop(bot):
                    self._life[bot] += 1
                case _:
                    pass

    def _expect(self, bot: BotNo, at: Instant, event: Event) -> None:
        heapq.heappush(self._coming, (at, next(self._order), self._life[bot], event))


def play_out(plan: MatchPlan, seats: Sequence[ScriptedSeat], secret: bytes = b"test") -> Match:
    """Play a match between scripted seats to its end and return it."""
    simulation = Simulation(Match(plan, secret), seats)
    simulation.run()
    return simulation.match
