"""The fakes of the referee's seams: seats that follow a script, and a clock that is set by hand.

    silent = ScriptedSeat(lambda prompt: [])
    match = play_out(plan, [silent, ScriptedSeat()])
    assert match.forfeits[0].reason is ForfeitReason.TIMEOUT

`play_out` needs no event loop: time passes by jumping to what happens next, so a test of a hundred
time-outs takes no time. A `ScriptedSeat` is a `seat.Seat` too, for tests of the driver.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final, assert_never

from arena.engine.cards import Card
from arena.referee.events import (
    Answered,
    Begin,
    BotNo,
    Choice,
    Effect,
    EndLeg,
    Event,
    ForfeitReason,
    Gone,
    HostFailed,
    Joined,
    Lagged,
    Message,
    Noted,
    Prompt,
    Sent,
    Start,
    Stop,
    Tell,
    Tick,
)
from arena.referee.game import MatchPlan
from arena.referee.limits import Instant, Nanos
from arena.referee.match import Match
from arena.referee.runner import Clock, monotonic
from arena.referee.seat import Deliver

__all__ = [
    "ONE_MILLISECOND",
    "FakeClock",
    "HostFails",
    "Leave",
    "Note",
    "Reply",
    "Script",
    "ScriptedSeat",
    "Simulation",
    "Stall",
    "Written",
    "eager",
    "play_out",
]

ONE_MILLISECOND: Final = Nanos(1_000_000)
_AT_ONCE: Final = Nanos(0)


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
    orders: frozenset[Card] = frozenset()


@dataclass(frozen=True, slots=True)
class Leave:
    """The bot goes `after` the prompt, or is sent away: `reason` says what for."""

    after: Nanos = ONE_MILLISECOND
    why: str = "left"
    reason: ForfeitReason = ForfeitReason.CRASH


@dataclass(frozen=True, slots=True)
class Note:
    """The bot writes a line `after` the prompt."""

    after: Nanos = ONE_MILLISECOND


@dataclass(frozen=True, slots=True)
class Written:
    """The prompt is written only `after` the machine wanted it; replies still count from then."""

    after: Nanos


@dataclass(frozen=True, slots=True)
class Stall:
    """The referee finds, `after` the prompt, that it has just stood still for `lag`."""

    after: Nanos
    lag: Nanos


@dataclass(frozen=True, slots=True)
class HostFails:
    """The machine that hosts the match fails `after` the prompt."""

    after: Nanos = ONE_MILLISECOND
    why: str = "out of memory"


Step = Reply | Leave | Note | Written | Stall | HostFails

Script = Callable[[Prompt], Iterable[Step]]
"""What a bot does about a prompt, or what befalls it meanwhile."""


def eager(prompt: Prompt) -> list[Reply]:
    """Play the first legal action, a millisecond after the prompt."""
    return [Reply(prompt.view.legal[0])]


@dataclass
class ScriptedSeat:
    """A seat whose bot follows a script.

    Attributes:
        script: What it does about a prompt.
        joins: In which of its lives it joins; in the others it goes instead.
        start_up: How long it takes until then.
        told: Every message that it was sent.
        lives: How often it was started.
        bot: Which bot of the match this is.
        clock: What it stamps answers with when it plays in an event loop.
    """

    script: Script = eager
    joins: Callable[[int], bool] = lambda life: True
    start_up: Nanos = _AT_ONCE
    told: list[Message] = field(default_factory=list)
    lives: int = 0
    bot: BotNo = field(default_factory=lambda: BotNo(0))
    clock: Clock = monotonic
    _deliver: Deliver | None = None

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

    def _event(self, prompt: Prompt, step: Step, now: Instant) -> tuple[Instant, Event]:
        at = Instant(now + step.after)
        match step:
            case Leave():
                return at, Gone(self.bot, step.why, step.reason)
            case Note():
                return at, Noted(self.bot)
            case Written():
                return at, Sent(self.bot, prompt.prompt_id, at)
            case Stall():
                return at, Lagged(step.lag)
            case HostFails():
                return at, HostFailed(step.why)
            case Reply():
                named = prompt.prompt_id if step.prompt_id is None else step.prompt_id
                return at, Answered(self.bot, named, step.choice, at, step.orders)
            case _:
                assert_never(step)

    async def serve(self, leg: int, deliver: Deliver) -> None:
        self._deliver = deliver
        asyncio.get_running_loop().call_later(self.start_up / 1e9, deliver, self.start())
        await asyncio.get_running_loop().create_future()

    @property
    def can_rest(self) -> bool:
        return False

    def rest(self) -> None: ...

    async def ready(self) -> None: ...

    def tell(self, message: Message) -> None:
        loop = asyncio.get_running_loop()
        assert self._deliver is not None
        now = self.clock()
        if isinstance(message, Prompt):
            self._deliver(Sent(self.bot, message.prompt_id, now))
        for at, event in self.react(message, now):
            loop.call_later((at - now) / 1e9, self._arrive, event, self._deliver)

    def _arrive(self, event: Event, deliver: Deliver) -> None:
        if isinstance(event, Answered):
            event.at = self.clock()
        deliver(event)


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
                    seat = self._seats[bot]
                    self._expect(bot, Instant(now + seat.start_up), seat.start())
                case Stop(bot):
                    self._life[bot] += 1
                case EndLeg():
                    for one in self._life:
                        self._life[one] += 1
                    self._begin_at(now)
                case _:
                    pass

    def _begin_at(self, now: Instant) -> None:
        heapq.heappush(self._coming, (now, next(self._order), 0, Begin()))

    def _expect(self, bot: BotNo, at: Instant, event: Event) -> None:
        heapq.heappush(self._coming, (at, next(self._order), self._life[bot], event))


def play_out(plan: MatchPlan, seats: Sequence[ScriptedSeat], secret: bytes = b"test") -> Match:
    """Play a match between scripted seats to its end and return it."""
    simulation = Simulation(Match(plan, secret), seats)
    simulation.run()
    return simulation.match
