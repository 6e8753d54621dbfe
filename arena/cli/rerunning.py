"""Asking a bot again what another one was asked in a recorded game.

    record -> replayed states -> Prompt -> LocalSeat <-> the bot, a process of its own

The bot is told everything that the recorded one was told, over the real protocol and under the
recorded limits. What it answers is compared and changes nothing: the game goes on as recorded. Its
bank and its strikes are its own, and so is what it takes because this machine is slow.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from arena.app import LocalSeat, python_launcher, run_until_signalled
from arena.engine.actions import Action
from arena.engine.rules import default_action
from arena.engine.state import NOBODY, Stage
from arena.engine.view import View
from arena.errors import HostFault
from arena.referee.clock import SeatClock
from arena.referee.events import (
    MALFORMED,
    Answered,
    BotNo,
    Choice,
    Event,
    Gone,
    HandOver,
    HostFailed,
    Joined,
    MatchOver,
    OutcomeKind,
    Prompt,
    Rejection,
    RejectionReason,
    SeatNo,
    Sent,
)
from arena.referee.limits import Instant, Nanos, shown
from arena.referee.prompts import chosen, what_is_wrong
from arena.referee.replay import Replay, Step
from arena.referee.runner import monotonic
from arena.referee.tally import Fault
from arena.submissions.manifest import Manifest
from arena.tournament.matches import MatchSpec
from arena.transport.seats import seat_folder

__all__ = ["Answer", "Question", "Rerun", "rerun_game", "script_of"]

_FAREWELL: Final = 0.5  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a bot said to a prompt of the record.

    Attributes:
        prompt: The prompt, with its number in the record.
        recorded: What was played then; None: the prompt was withdrawn.
        action: What the bot would play; None if it did not say, or nothing legal.
        fault: Why not; None if it did.
        detail: What was wrong with its answer; empty if there was none.
        spent: What it took.
    """

    prompt: Prompt
    recorded: Step | None
    action: Action | None
    fault: Fault | None
    detail: str
    spent: Nanos

    @property
    def agrees(self) -> bool:
        """Whether the bot would do what was done."""
        return self.recorded is not None and self.action is self.recorded.action


@dataclass(slots=True)
class Rerun:
    """What came of it.

    Attributes:
        answers: To the prompts so far, without those that were withdrawn.
        asked: How many prompts the record has for the seat, withdrawn ones aside.
        broken_off: Why it ended early; empty if it did not.
        log: What the bot wrote.
    """

    asked: int
    answers: list[Answer] = field(default_factory=list)
    broken_off: str = ""
    log: str = ""


def rerun_game(replay: Replay, game: int, seat: SeatNo, bot: Manifest) -> Rerun:
    """Put every prompt that `seat` had in a game of a record to `bot`.

    When this returns or raises, nothing of the bot is left.

    Raises:
        HostFault: this machine failed.
        KeyboardInterrupt: on Ctrl-C, SIGTERM and SIGHUP.
    """
    return run_until_signalled(_rerun(replay, game, seat, bot))


async def _rerun(replay: Replay, game: int, seat: SeatNo, bot: Manifest) -> Rerun:
    log = replay.games[game]
    number = BotNo(log.began.bots[seat])
    script = list(script_of(replay, game, number))
    told = Rerun(sum(isinstance(one, Question) and one.step is not None for one in script))
    with seat_folder() as folder:
        place = LocalSeat(number, _spec(replay, bot), folder, python_launcher())
        async with asyncio.TaskGroup() as group:
            talk = _Talk(replay, game, number, place)
            life = group.create_task(place.serve(log.leg, talk.inbox.put_nowait))
            try:
                await talk.join()
                for one in script:
                    if isinstance(one, HandOver):
                        place.tell(one)
                        continue
                    answer = await talk.ask(one)
                    if answer.recorded is not None:
                        told.answers.append(answer)
                        talk.judge(answer)
                place.tell(talk.farewell())
                await asyncio.wait([life], timeout=_FAREWELL)
            except _BrokenOff as error:
                told.broken_off = str(error)
            finally:
                life.cancel()
        await place.close()
    told.log = place.log.text()
    return told


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spec(MatchSpec):
    """What a seat has to know of the match; the bot gets the seed that the recorded one had."""

    bot_seeds: tuple[tuple[int, ...], ...] | None

    def bot_seed(self, bot: int, leg: int) -> int:
        if self.bot_seeds is None:
            return MatchSpec.bot_seed(self, bot, leg)
        return self.bot_seeds[leg][bot]


def _spec(replay: Replay, bot: Manifest) -> _Spec:
    plan = replay.plan
    return _Spec(
        bots=(bot,) * plan.seating.players,
        rules=plan.rules,
        seating=plan.seating,
        seed=bytes.fromhex(replay.verified.head),
        boards=replay.header.boards,
        legs=plan.legs,
        limits=plan.limits,
        bot_seeds=replay.header.bot_seeds,
    )


# -- what was asked ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt of the record; `step` answered it, None: it was withdrawn."""

    number: int
    hand: int
    view: View
    default: Action
    step: Step | None


def script_of(replay: Replay, number: int, bot: BotNo) -> Iterator[Question | HandOver]:
    """Everything that a bot was told in a game, from the first prompt to the last result."""
    game = replay.new_game(number)
    seat = game.seats[bot]
    for hand in replay.games[number].hands:
        asked = {one.place: one.number for one in hand.asked if one.bot == bot}
        answers = {step.said.prompt: step for step in hand.steps if step.bot == bot}
        for place in range(len(hand.steps) + 1):
            if place in asked:
                default = default_action(game.state, seat)
                step = answers.get(asked[place])
                yield Question(asked[place], hand.number, game.show(seat), default, step)
            for step in hand.steps[place : place + 1]:
                game.play(step.seat, step.action)
        if hand.end is not None:
            yield game.hand_over(bot, game.score_hand())
            if not game.standing.over:
                game.deal_next()


# -- asking -----------------------------------------------------------------------------------


class _BrokenOff(Exception):  # noqa: N818 - no error: the bot has gone, or would have lost
    """The bot will not answer any more; the message says why."""


class _Talk:
    """One bot and what it is told; `inbox` takes what it says."""

    def __init__(self, replay: Replay, game: int, bot: BotNo, place: LocalSeat) -> None:
        self.inbox: asyncio.Queue[Event] = asyncio.Queue()
        self._replay = replay
        self._number = game
        self._game = replay.new_game(game)
        self._bot = bot
        self._place = place
        self._limits = replay.plan.limits
        self._clock = SeatClock(self._limits.time, self._limits.time.bank)
        self._strikes = 0

    async def join(self) -> None:
        """Wait until the bot is there, and welcome it."""
        limit = self._limits.time.start_up
        event = await self._next(Instant(monotonic() + limit))
        if not isinstance(event, Joined):
            raise _BrokenOff(f"did not join within {shown(limit)}")
        self._place.tell(self._game.welcome(self._bot))

    async def ask(self, question: Question) -> Answer:
        """Put a question, and wait for what the bot says to it in time."""
        responding = question.view.stage is Stage.RESPOND
        prompt = Prompt(
            prompt_id=secrets.token_hex(16),
            number=question.number,
            game=self._game.in_leg,
            hand=question.hand,
            view=question.view,
            default=question.default,
            free_time=self._clock.free_time(responding=responding),
            bank_left=self._clock.bank_left,
        )
        self._place.tell(prompt)
        choice, spent = await self._choice(prompt, responding=responding)
        if not responding:
            self._clock.charge(spent)
        action = None if choice is None else chosen(prompt, choice)
        return Answer(
            prompt=prompt,
            recorded=question.step,
            action=action,
            fault=None if action is not None else _fault(choice, responding=responding),
            detail="" if choice is None or action is not None else what_is_wrong(prompt, choice),
            spent=spent,
        )

    async def _choice(self, prompt: Prompt, *, responding: bool) -> tuple[Choice | None, Nanos]:
        """What it chooses, None if its time is up before; and what it took."""
        started = monotonic()
        while True:
            deadline = self._clock.deadline(started, responding=responding)
            match await self._next(deadline):
                case Sent(prompt_id=prompt.prompt_id, at=at):
                    started = at
                case Answered(prompt_id=prompt.prompt_id, choice=choice, at=at) if at <= deadline:
                    return choice, Nanos(at - started)
                case None | Answered(prompt_id=prompt.prompt_id):
                    return None, Nanos(deadline - started)
                case _:
                    pass  # an answer to an earlier prompt, or a note

    async def _next(self, deadline: Instant) -> Event | None:
        """What it says next, None if it says nothing until then."""
        if self.inbox.empty():
            wait = max(0, deadline + 1 - monotonic()) / 1e9
            try:
                event = await asyncio.wait_for(self.inbox.get(), wait)
            except TimeoutError:
                return None
        else:
            event = self.inbox.get_nowait()
        if isinstance(event, Gone):
            raise _BrokenOff(event.why)
        if isinstance(event, HostFailed):
            raise HostFault(event.why)
        return event

    def judge(self, answer: Answer) -> None:
        """Tell it what was wrong, if anything was; after too many strikes it would have lost."""
        if answer.fault is None:
            return
        assert answer.recorded is not None
        if answer.fault is not Fault.MISSED_WINDOW:
            self._strikes += 1
        self._place.tell(
            Rejection(
                answer.prompt.prompt_id,
                _REASONS[answer.fault],
                answer.detail or f"no answer within {shown(answer.spent)}",
                answer.recorded.action,
                self._strikes,
            )
        )
        most = self._limits.faults.max_strikes
        if self._strikes >= most:
            raise _BrokenOff(f"strike {self._strikes} of {most}: it would have lost the match")

    def farewell(self) -> MatchOver:
        """The end, as if the game had been the whole match."""
        result = self._replay.games[self._number].result
        team = self._replay.plan.seating.team_of[self._game.seats[self._bot]]
        winner = NOBODY if result is None or result.winner is None else result.winner
        return MatchOver(
            games=int(result is not None),
            won=int(winner == team),
            drawn=int(result is not None and winner == NOBODY),
            outcome=OutcomeKind.COMPLETED if result is not None else OutcomeKind.VOID,
            detail="",
        )


def _fault(choice: Choice | None, *, responding: bool) -> Fault:
    if choice is None:
        return Fault.MISSED_WINDOW if responding else Fault.TIMED_OUT
    return Fault.MALFORMED if choice is MALFORMED else Fault.ILLEGAL


_REASONS: Final = {
    Fault.TIMED_OUT: RejectionReason.TIMED_OUT,
    Fault.MISSED_WINDOW: RejectionReason.TIMED_OUT,
    Fault.ILLEGAL: RejectionReason.ILLEGAL,
    Fault.MALFORMED: RejectionReason.MALFORMED,
}
