"""A match as a machine without I/O: `handle(event, now)` returns what is to be done.

    gathering --all joined--> a game --its last hand over--> gathering ... --last game--> over
        |                       |
        | first time, and       | asks the seats that the rules name, plays what they answer, or
        v somebody is missing   v their default action, until the rules name nobody
    over (Abandon)            each prompt: open --> answered | expired | withdrawn

The machine never waits and never reads a clock: it says by `deadline` when it wants to be told
that time has passed (`Tick`), and `now` is always given. Whoever drives it owes it three things:
events in the order in which they arrived, `now` that never goes back, and a `Tick` only when `now`
is past the deadline and nothing that arrived before the deadline is left over.

A bot that has crashed is absent until the next game: its seat plays default actions at once, and
before that game begins the machine asks for it to be started again.

A response window (coup fourré) is the time in which the hand's stage is RESPOND. The rules, told to
ask by public knowledge alone, name every seat of the attacked team; the window is over as soon as
all of them have passed, one has answered the attack, or the time is up. Only then do the rules
name the next seat, so no other prompt can go out while a window is open.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import assert_never

from arena.engine.actions import PASS, Action, Verb
from arena.engine.rules import default_action
from arena.engine.state import NOBODY, Stage
from arena.referee.clock import SeatClock
from arena.referee.events import (
    MALFORMED,
    Abandon,
    Answered,
    Begin,
    BotNo,
    Choice,
    Effect,
    Event,
    GameEnded,
    GameResult,
    Gone,
    Joined,
    MatchOver,
    Message,
    Played,
    Prompt,
    Rejection,
    RejectionReason,
    SeatNo,
    Start,
    Stop,
    Tell,
    Tick,
)
from arena.referee.game import Game, MatchPlan
from arena.referee.limits import Instant, shown
from arena.referee.prompts import Closing, OpenPrompt, PromptBook, chosen, what_is_wrong
from arena.referee.tally import Fault, Tally

__all__ = ["Match"]


class _Presence(Enum):
    ABSENT = auto()
    STARTING = auto()
    PRESENT = auto()


class Match:
    """One match between fixed bots, as many games as the plan has boards.

    Attributes:
        plan: What was agreed.
        results: The games played so far.
        tallies: By bot, what went wrong and how long it thought.
        over: Nothing more will happen; events change nothing.
    """

    def __init__(self, plan: MatchPlan, secret: bytes) -> None:
        self.plan = plan
        self.results: list[GameResult] = []
        self.tallies = {bot: Tally() for bot in plan.bots}
        self.over = False
        self._prompts = PromptBook(secret)
        self._presence = dict.fromkeys(plan.bots, _Presence.ABSENT)
        self._clocks: dict[BotNo, SeatClock] = {}
        self._game: Game | None = None
        self._join_by: Instant | None = None
        self._now = Instant(0)
        self._effects: list[Effect] = []

    @property
    def deadline(self) -> Instant | None:
        """The last instant at which nothing has to be done without an event; None: no limit."""
        if self.over:
            return None
        return self._join_by if self._game is None else self._prompts.deadline

    def handle(self, event: Event, now: Instant) -> list[Effect]:
        """Take one event at the instant `now` and return what follows, in order."""
        if self.over:
            return []
        self._now = now
        match event:
            case Answered():
                self._take_answer(event)
            case Tick():
                self._time_passed()
            case Joined(bot):
                self._take_in(bot)
            case Gone(bot, why):
                self._let_go(bot, why)
            case Begin():
                self._gather()
            case _:
                assert_never(event)
        self._advance()
        effects, self._effects = self._effects, []
        return effects

    def _tell(self, bot: BotNo, message: Message) -> None:
        if self._presence[bot] is _Presence.PRESENT:
            self._effects.append(Tell(bot, message))

    # -- who is there -------------------------------------------------------------------------

    def _gather(self) -> None:
        """Have every bot that is missing started; the game begins when nobody is waited for."""
        self._join_by = Instant(self._now + self.plan.time.start_up)
        for bot, presence in self._presence.items():
            if presence is _Presence.ABSENT:
                self._presence[bot] = _Presence.STARTING
                self._prompts.forget(bot)
                self._effects.append(Start(bot))
        self._begin_if_complete()

    def _take_in(self, bot: BotNo) -> None:
        if self._presence[bot] is _Presence.STARTING:
            self._presence[bot] = _Presence.PRESENT
            self._begin_if_complete()

    def _let_go(self, bot: BotNo, why: str) -> None:
        before = self._presence[bot]
        if before is _Presence.ABSENT:
            return
        self._presence[bot] = _Presence.ABSENT
        self._effects.append(Stop(bot))
        self._prompts.close(bot, Closing.WITHDRAWN)
        joined = before is _Presence.PRESENT
        self.tallies[bot].faults[Fault.CRASHED if joined else Fault.NEVER_JOINED] += 1
        if self._game is None:
            if not self.results:
                self.over = True
                self._effects.append(Abandon(bot, why))
            self._begin_if_complete()

    def _begin_if_complete(self) -> None:
        if self.over or _Presence.STARTING in self._presence.values():
            return
        self._game = game = Game(self.plan, len(self.results))
        for bot in self.plan.bots:
            self._clocks[bot] = SeatClock(self.plan.time, self.plan.time.bank)
            self._tell(bot, game.welcome(bot))

    # -- asking -------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Go on until somebody who is there has to be waited for."""
        while (game := self._game) is not None:
            if game.state.over:
                self._end_hand(game)
            elif self._ask_all(game):
                return

    def _ask_all(self, game: Game) -> bool:
        """Ask every seat that has a decision; whether all of them are now waited for."""
        for seat in game.asked():
            bot = self.plan.bot_at(seat, game.number)
            if self._prompts.opened(bot) is not None:
                continue
            if self._presence[bot] is not _Presence.PRESENT:
                # What is played may change who is asked, so the rules have to be asked again.
                self._play(game, seat, default_action(game.state, seat), answered=False)
                return False
            self._ask(game, bot, seat)
        return True

    def _ask(self, game: Game, bot: BotNo, seat: SeatNo) -> None:
        clock = self._clocks[bot]
        responding = game.state.stage == Stage.RESPOND
        prompt = Prompt(
            prompt_id=self._prompts.new_id(),
            game=game.number,
            hand=game.hand,
            view=game.show(seat),
            default=default_action(game.state, seat),
            free_time=clock.free_time(responding=responding),
            bank_left=clock.bank_left,
        )
        deadline = clock.deadline(self._now, responding=responding)
        self._prompts.open(bot, OpenPrompt(prompt, self._now, deadline))
        self._tell(bot, prompt)

    # -- answers ------------------------------------------------------------------------------

    def _take_answer(self, answer: Answered) -> None:
        bot = answer.bot
        tally = self.tallies[bot]
        waiting = self._prompts.opened(bot)
        if waiting is None or waiting.prompt.prompt_id != answer.prompt_id:
            unread = answer.choice is MALFORMED and not answer.prompt_id
            fault = Fault.MALFORMED if unread else self._prompts.fault_of(bot, answer.prompt_id)
            tally.faults[fault] += 1
            return
        if answer.at > waiting.deadline:
            self._time_out(bot, waiting)
            tally.faults[Fault.LATE] += 1
            return
        self._charge(bot, waiting, answer.at)
        action = chosen(waiting.prompt, answer.choice)
        if action is None:
            self._refuse(bot, waiting.prompt, answer.choice)
            return
        if len(waiting.prompt.view.legal) > 1:
            tally.think_times.append(answer.at - waiting.started)
        self._settle(bot, action, Closing.ANSWERED, answered=True)

    def _charge(self, bot: BotNo, waiting: OpenPrompt, until: Instant) -> None:
        if waiting.prompt.view.stage is not Stage.RESPOND:
            self._clocks[bot] = self._clocks[bot].charge(until - waiting.started)

    def _refuse(self, bot: BotNo, prompt: Prompt, choice: Choice) -> None:
        malformed = choice is MALFORMED
        self.tallies[bot].faults[Fault.MALFORMED if malformed else Fault.ILLEGAL] += 1
        reason = RejectionReason.MALFORMED if malformed else RejectionReason.ILLEGAL
        self._reject(bot, prompt, reason, what_is_wrong(prompt, choice))
        self._settle(bot, prompt.default, Closing.ANSWERED, answered=False)

    def _time_passed(self) -> None:
        if self._game is not None:
            for bot in self._prompts.expired(self._now):
                waiting = self._prompts.opened(bot)
                if waiting is not None:  # an earlier one may have settled the question
                    self._time_out(bot, waiting)
        elif self._join_by is not None and self._now > self._join_by:
            why = f"did not join within {shown(self.plan.time.start_up)}"
            for bot, presence in self._presence.items():
                if presence is _Presence.STARTING and not self.over:
                    self._let_go(bot, why)

    def _time_out(self, bot: BotNo, waiting: OpenPrompt) -> None:
        prompt = waiting.prompt
        self._charge(bot, waiting, waiting.deadline)
        detail = f"no answer within {shown(prompt.free_time)}"
        if prompt.view.stage is Stage.RESPOND:
            self.tallies[bot].faults[Fault.MISSED_WINDOW] += 1
        else:
            self.tallies[bot].faults[Fault.TIMED_OUT] += 1
            detail += f" and {shown(prompt.bank_left)} of bank"
        self._reject(bot, prompt, RejectionReason.TIMED_OUT, detail)
        self._settle(bot, prompt.default, Closing.EXPIRED, answered=False)

    def _reject(self, bot: BotNo, prompt: Prompt, reason: RejectionReason, detail: str) -> None:
        self._tell(bot, Rejection(prompt.prompt_id, reason, detail, prompt.default))

    def _settle(self, bot: BotNo, action: Action, how: Closing, *, answered: bool) -> None:
        """Close the bot's prompt and play `action` for it."""
        game = self._game
        assert game is not None
        self._prompts.close(bot, how)
        self._play(game, self.plan.seat_of(bot, game.number), action, answered=answered)
        if action.verb is Verb.COUP_FOURRE:
            self.tallies[bot].coups_fourres += 1

    def _play(self, game: Game, seat: SeatNo, action: Action, *, answered: bool) -> None:
        game.play(seat, action)
        self._effects.append(Played(game.number, game.hand, seat, action, answered))
        if action is not PASS:
            # A partner who was asked as well has nothing left to answer.
            self._prompts.withdraw_all()

    # -- the end ------------------------------------------------------------------------------

    def _end_hand(self, game: Game) -> None:
        result = game.score_hand()
        for bot in self.plan.bots:
            self._tell(bot, game.hand_over(bot, result))
        if game.standing.over:
            self._end_game(game)
        else:
            game.deal_next()

    def _end_game(self, game: Game) -> None:
        self._game = None
        self.results.append(game.result())
        self._effects.append(GameEnded(self.results[-1]))
        if len(self.results) < len(self.plan.boards):
            self._gather()
            return
        self.over = True
        drawn = sum(result.winner == NOBODY for result in self.results)
        for bot in self.plan.bots:
            won = sum(result.winner == result.team(bot) for result in self.results)
            self._tell(bot, MatchOver(len(self.results), won, drawn))
