"""A match as a machine without I/O: `handle(event, now)` returns what is to be done.

    gathering --all joined or lost--> a game --> a game ... --last of the leg--> leaving
        ^                               |                                           |
        +------------- Begin -----------+------- next leg, with fresh bots ---------+
                                        v
    over: COMPLETED after the last leg, FORFEIT when one team is left, VOID if the host failed

The machine never waits and never reads a clock: it says by `deadline` when it wants to be told
that time has passed (`Tick`), and `now` is always given. Whoever drives it owes it three things:
events in the order in which they arrived, `now` that never goes back, and a `Tick` only when `now`
is past the deadline and nothing that arrived before the deadline is left over.

A bot has one life in each leg. Who crashes, breaks the protocol, does not join or has used up its
strikes has forfeited: with two teams the match is over, with more its seat plays default actions at
once from then on. See `window` for what happens when an attack is laid.
"""

from __future__ import annotations

from typing import Final, assert_never

from arena.engine.actions import PASS, Action, Verb
from arena.engine.cards import Card
from arena.engine.rules import default_action, default_of
from arena.engine.state import NOBODY, Stage
from arena.referee import verdict
from arena.referee.clock import SeatClock
from arena.referee.events import (
    MALFORMED,
    Answered,
    Begin,
    BotNo,
    Choice,
    Effect,
    Ended,
    EndLeg,
    Event,
    Forfeit,
    Forfeited,
    ForfeitReason,
    GameBegan,
    GameEnded,
    GameResult,
    Gone,
    HandEnded,
    HostFailed,
    Joined,
    Lagged,
    MatchOver,
    Message,
    Noted,
    Played,
    Prompt,
    Rejection,
    RejectionReason,
    SeatNo,
    Sent,
    Start,
    Stop,
    Surplus,
    Tell,
    Tick,
    Verdict,
    WindowClosed,
    WindowOpened,
)
from arena.referee.game import Game, MatchPlan
from arena.referee.limits import Instant, Nanos, WindowMode, shown
from arena.referee.prompts import Closing, OpenPrompt, PromptBook, chosen, what_is_wrong
from arena.referee.roster import Roster
from arena.referee.tally import Fault
from arena.referee.window import Held, Window, standing_answer

__all__ = ["Match"]

_NO_TIME: Final = Nanos(0)
_RESPOND: Final = int(Stage.RESPOND)


class Match:
    """One match between fixed bots.

    Attributes:
        plan: What was agreed.
        results: The games so far; the last one may have been broken off.
        roster: Who is there, and what they have done wrong.
        verdict: How it ended; None while it goes on.
    """

    def __init__(self, plan: MatchPlan, secret: bytes) -> None:
        self.plan = plan
        self.results: list[GameResult] = []
        self.roster = Roster(plan)
        self.verdict: Verdict | None = None
        self._limits = plan.limits
        self._prompts = PromptBook(secret)
        self._clocks: dict[BotNo, SeatClock] = {}
        self._orders: dict[SeatNo, frozenset[Card]] = {}
        self._leg = 0
        self._game: Game | None = None
        self._window: Window | None = None
        self._windows = 0
        self._gathered_at: Instant | None = None
        self._match_by: Instant | None = None
        self._now = Instant(0)
        self._effects: list[Effect] = []

    @property
    def over(self) -> bool:
        """Nothing more will happen; events change nothing."""
        return self.verdict is not None

    @property
    def deadline(self) -> Instant | None:
        """The last instant at which nothing has to be done without an event; None: no limit."""
        if self.verdict is not None or self._match_by is None:
            return None
        first = self._match_by
        if self._gathered_at is not None:
            first = min(first, Instant(self._gathered_at + self._limits.time.start_up))
        prompt = self._prompts.deadline
        if prompt is not None and prompt < first:
            first = prompt
        if self._window is not None and self._window.closes is not None:
            first = min(first, self._window.closes)
        return first

    def is_idle(self, bot: BotNo) -> bool:
        """Whether a bot is there and nothing is asked of it."""
        return self.roster.is_present(bot) and self._prompts.opened(bot) is None

    def handle(self, event: Event, now: Instant) -> list[Effect]:
        """Take one event at the instant `now` and return what follows, in order."""
        if self.verdict is not None:
            return []
        self._now = now
        if isinstance(event, Sent):
            self._start_clock(event)
            return []
        self._take(event)
        self._advance()
        effects, self._effects = self._effects, []
        return effects

    def _take(self, event: Event) -> None:
        match event:
            case Answered():
                self._take_answer(event)
            case Tick():
                self._time_passed()
            case Joined(bot):
                self._take_in(bot)
            case Noted(bot):
                self._take_note(bot)
            case Gone(bot, why, reason):
                self._let_go(bot, why, reason)
            case Lagged(lag):
                self._credit(lag)
            case HostFailed(why):
                self._end(verdict.void(why))
            case Begin():
                self._gather()
            case Sent():
                pass  # taken before, because nothing follows from it
            case _:
                assert_never(event)

    def _tell(self, bot: BotNo, message: Message) -> None:
        if self.roster.is_present(bot):
            self._effects.append(Tell(bot, message))

    # -- who is there -------------------------------------------------------------------------

    def _gather(self) -> None:
        """Have every bot started that has not lost; the leg begins when nobody is waited for."""
        self._gathered_at = self._now
        if self._match_by is None:
            self._match_by = Instant(self._now + self.plan.longest)
        for bot in self.roster.gather():
            self._prompts.forget(bot)
            self._effects.append(Start(bot, self._leg))
        self._begin_if_complete()

    def _take_in(self, bot: BotNo) -> None:
        since = self._now if self._gathered_at is None else self._gathered_at
        if self.roster.join(bot, self._now, Nanos(self._now - since)):
            self._begin_if_complete()

    def _let_go(self, bot: BotNo, why: str, reason: ForfeitReason) -> None:
        if self.roster.is_starting(bot):
            early = reason is ForfeitReason.CRASH
            reason = ForfeitReason.STARTUP if early else reason
            self._lose(bot, reason, f"{why} before it joined" if early else why)
            self._begin_if_complete()
        elif self.roster.is_present(bot):
            self._lose(bot, reason, why)
            if self._gathered_at is not None:
                self._begin_if_complete()

    def _lose(self, bot: BotNo, reason: ForfeitReason, detail: str) -> None:
        """A bot has lost the match, whatever the cards say."""
        game = self._game.number if self._game is not None else len(self.results)
        forfeit = Forfeit(bot, reason, detail, game)
        self._effects.append(Forfeited(forfeit))
        # It may be told why, if it still listens.
        self._tell(bot, self._farewell(bot, verdict.forfeit([*self.roster.forfeits, forfeit])))
        self.roster.lose(forfeit)
        self._effects.append(Stop(bot))
        self._prompts.close(bot, Closing.WITHDRAWN)
        if self._game is not None:
            self._orders.pop(self._game.seats[bot], None)

    def _begin_if_complete(self) -> None:
        if self.roster.starting or self._stop_if_decided():
            return
        self._gathered_at = None
        self._begin_game()

    def _begin_game(self) -> None:
        number = len(self.results)
        before = sum(map(len, self.plan.legs[: self._leg]))
        self._game = game = Game(self.plan, number, leg=self._leg, in_leg=number - before)
        sitting = self.plan.sittings[number]
        self._effects.append(GameBegan(number, sitting.board, sitting.rotation, game.bots))
        self._orders.clear()
        for bot in self.plan.bots:
            self._clocks[bot] = SeatClock(self._limits.time, self._limits.time.bank)
            self._tell(bot, game.welcome(bot))

    # -- time ---------------------------------------------------------------------------------

    def _start_clock(self, sent: Sent) -> None:
        """A prompt is being written. A sealed window keeps its time: it is the same for all."""
        waiting = self._prompts.opened(sent.bot)
        if waiting is None or waiting.prompt.prompt_id != sent.prompt_id:
            return
        if self._window is None or self._window.closes is None:
            waiting.start(sent.at)

    def _credit(self, lag: int) -> None:
        guard = self._limits.host
        if lag <= guard.credited:
            return
        if self._gathered_at is not None:
            self._gathered_at = Instant(self._gathered_at + min(lag, self._now - self._gathered_at))
        lost = [waiting.credit(lag, self._now) for waiting in self._prompts.all_open()]
        if self._window is not None:
            self._window.credit(lag, self._now)
        if lost and max(lost) > guard.void:
            self._end(
                verdict.void(
                    f"the referee stood still for {shown(lag)} while a bot was asked, "
                    f"more than {shown(guard.void)}"
                )
            )

    def _time_passed(self) -> None:
        if self._match_by is not None and self._now > self._match_by:
            self._end(verdict.void(f"the match took longer than {shown(self.plan.longest)}"))
        elif self._gathered_at is not None:
            self._give_up_waiting()
        elif self._game is not None:
            for bot in self._prompts.expired(self._now):
                waiting = self._prompts.opened(bot)
                if waiting is not None:  # an earlier one may have settled the question
                    self._time_out(bot, waiting, self.roster.silence(bot, self._now))
            window = self._window
            if window is not None and window.closes is not None and self._now > window.closes:
                self._release(self._game, window)

    def _give_up_waiting(self) -> None:
        for bot in self.roster.starting:
            limit = shown(self._limits.time.start_up)
            self._lose(bot, ForfeitReason.STARTUP, f"did not join within {limit}")
        self._begin_if_complete()

    # -- asking -------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Go on until somebody who is there has to be waited for."""
        while self.verdict is None and (game := self._game) is not None:
            if self._stop_if_decided():
                return
            if game.state.over:
                self._end_hand(game)
            elif game.state.stage == _RESPOND:
                if self._respond(game):
                    return
            elif self._ask(game, game.asked()[0]):
                return

    def _respond(self, game: Game) -> bool:
        """Go on with a response window, new or open; whether it has to be waited for."""
        window = self._window or self._open_window(game)
        if self._limits.window is WindowMode.STANDING:
            for seat in game.asked():
                if seat in game.asked():  # an answer before it may have settled the attack
                    self._play_unasked(game, seat, standing_answer(game.state, seat, self._orders))
            return False
        for seat in game.asked():
            bot = game.bots[seat]
            if bot in window.held or self._prompts.opened(bot) is not None:
                continue
            if not self._ask(game, seat):
                return False
        return True

    def _open_window(self, game: Game) -> Window:
        self._windows += 1
        mode, lasts = self._limits.window, self._limits.time.response_window
        state = game.state
        attack = Card(state.attack)
        closes = Instant(self._now + lasts) if mode is WindowMode.SEALED else None
        self._window = window = Window(self._windows, attack, self._now, closes)
        self._effects.append(
            WindowOpened(
                number=window.number,
                game=game.number,
                hand=game.hand,
                attack=attack,
                team=state.attacked,
                seats=game.asked(),
                lasts=_NO_TIME if mode is WindowMode.STANDING else lasts,
            )
        )
        return window

    def _ask(self, game: Game, seat: SeatNo) -> bool:
        """Ask a seat. False: nobody is there, and its default action has been played."""
        bot = game.bots[seat]
        if self._prompts.opened(bot) is not None:
            return True
        window = self._window
        if not self.roster.is_present(bot):
            if window is not None and window.closes is not None:
                # An empty seat is waited for like any other: its window lasts as long.
                window.held[bot] = Held(False, 0, 0, 0, None)
                return True
            self._play_unasked(game, seat, default_action(game.state, seat))
            return False
        self._put(game, bot, seat)
        return True

    def _put(self, game: Game, bot: BotNo, seat: SeatNo) -> None:
        clock, tally, window = self._clocks[bot], self.roster.tallies[bot], self._window
        tally.prompts += 1
        tally.recent = 0
        view = game.show(seat)
        prompt = Prompt(
            prompt_id=self._prompts.name(bot, tally.prompts),
            number=tally.prompts,
            game=game.in_leg,
            hand=game.hand,
            view=view,
            default=default_of(view.stage, view.legal),
            free_time=clock.free_time(responding=window is not None),
            bank_left=clock.bank_left,
        )
        deadline = clock.deadline(self._now, responding=window is not None)
        if window is not None and window.closes is not None:
            deadline = window.closes
        self._prompts.open(bot, OpenPrompt(prompt, self._now, deadline))
        self._tell(bot, prompt)

    # -- what bots say ------------------------------------------------------------------------

    def _take_note(self, bot: BotNo) -> None:
        if self.roster.is_present(bot) and self.roster.hear(bot, self._now):
            self._count_surplus(bot, Fault.CHATTER)

    def _count_surplus(self, bot: BotNo, fault: Fault, late_by: Nanos | None = None) -> None:
        self._effects.append(Surplus(bot, fault, late_by))
        too_many = self.roster.surplus(bot, fault)
        if too_many and self.roster.is_present(bot):
            self._lose(bot, ForfeitReason.PROTOCOL, too_many)

    def _take_answer(self, answer: Answered) -> None:
        bot = answer.bot
        if not self.roster.is_present(bot):
            return
        silence = self.roster.silence(bot, self._now)
        chatter = self.roster.hear(bot, self._now)
        waiting = self._prompts.opened(bot)
        if waiting is None or waiting.prompt.prompt_id != answer.prompt_id:
            self._count_surplus(bot, *self._prompts.fault_of(bot, answer.prompt_id, answer.at))
            return
        if answer.at > waiting.deadline:
            late_by = Nanos(answer.at - waiting.deadline)
            self._time_out(bot, waiting, silence)
            self._prompts.fault_of(bot, answer.prompt_id, answer.at)
            self._count_surplus(bot, Fault.LATE, late_by)
            return
        if chatter:
            self._count_surplus(bot, Fault.CHATTER)
        if self.roster.is_present(bot):
            self._accept(answer, waiting)

    def _accept(self, answer: Answered, waiting: OpenPrompt) -> None:
        """Take the answer to an open prompt, in time: it is the one that counts."""
        bot = answer.bot
        action = chosen(waiting.prompt, answer.choice)
        self._charge(bot, waiting, answer.at)
        self._orders[SeatNo(waiting.prompt.view.seat)] = answer.orders
        if action is None:
            self._refuse(bot, waiting, answer.choice)
            return
        if len(waiting.prompt.view.legal) > 1:
            self.roster.tallies[bot].think_times.add(waiting.spent(answer.at))
        self._settle(bot, waiting, action, Closing.ANSWERED, None)

    def _charge(self, bot: BotNo, waiting: OpenPrompt, until: Instant) -> None:
        waiting.ended = until
        if self._window is None:
            self._clocks[bot].charge(waiting.spent(until))

    def _refuse(self, bot: BotNo, waiting: OpenPrompt, choice: Choice) -> None:
        fault = Fault.MALFORMED if choice is MALFORMED else Fault.ILLEGAL
        what = what_is_wrong(waiting.prompt, choice)
        self._strike(bot, waiting, fault, f"prompt {waiting.prompt.number}: {what}")
        self._settle(bot, waiting, waiting.prompt.default, Closing.ANSWERED, fault)

    def _time_out(self, bot: BotNo, waiting: OpenPrompt, silence: Nanos) -> None:
        prompt = waiting.prompt
        self._charge(bot, waiting, waiting.deadline)
        detail = f"no answer to prompt {prompt.number} within {shown(prompt.free_time)}"
        if self._window is not None:
            self.roster.tallies[bot].faults[Fault.MISSED_WINDOW] += 1
            self._reject(bot, prompt, RejectionReason.TIMED_OUT, detail)
            fault = Fault.MISSED_WINDOW
        else:
            detail += f" and {shown(prompt.bank_left)} of bank; last message "
            detail += f"{shown(silence)} before"
            self._strike(bot, waiting, Fault.TIMED_OUT, detail)
            fault = Fault.TIMED_OUT
        self._orders.pop(SeatNo(prompt.view.seat), None)
        self._settle(bot, waiting, prompt.default, Closing.EXPIRED, fault)

    def _strike(self, bot: BotNo, waiting: OpenPrompt, fault: Fault, detail: str) -> None:
        """Count a strike and say why; the last one is a forfeit."""
        strikes, most = self.roster.strike(bot, fault), self._limits.faults.max_strikes
        self._reject(bot, waiting.prompt, _REASONS[fault], detail)
        if strikes >= most:
            timed_out = fault is Fault.TIMED_OUT
            reason = ForfeitReason.TIMEOUT if timed_out else ForfeitReason.ILLEGAL
            self._lose(bot, reason, f"{detail}; strike {strikes} of {most}")

    def _reject(self, bot: BotNo, prompt: Prompt, reason: RejectionReason, detail: str) -> None:
        strikes = self.roster.tallies[bot].strikes
        self._tell(bot, Rejection(prompt.prompt_id, reason, detail, prompt.default, strikes))

    # -- playing ------------------------------------------------------------------------------

    def _settle(
        self, bot: BotNo, waiting: OpenPrompt, action: Action, how: Closing, fault: Fault | None
    ) -> None:
        """Close the bot's prompt and play `action` for it, or hold a pass back."""
        game, window = self._game, self._window
        assert game is not None
        self._prompts.close(bot, how)
        answer = Held(
            answered=fault is None,
            prompt=waiting.prompt.number,
            spent=waiting.spent(waiting.ended),
            lag=waiting.lag(waiting.ended),
            fault=fault,
        )
        if window is not None and window.closes is not None and action is PASS:
            window.held[bot] = answer
        else:
            self._play(game, game.seats[bot], action, answer)

    def _play_unasked(self, game: Game, seat: SeatNo, action: Action) -> None:
        answered = action.verb is Verb.COUP_FOURRE  # by standing orders
        self._play(game, seat, action, Held(answered, 0, 0, 0, None))

    def _play(self, game: Game, seat: SeatNo, action: Action, how: Held) -> None:
        bot = game.bots[seat]
        stage = game.state.stage
        game.play(seat, action)
        self._effects.append(
            Played(
                game=game.number,
                hand=game.hand,
                seat=seat,
                bot=bot,
                stage=_STAGES[stage],
                action=action,
                answered=how.answered,
                prompt=how.prompt,
                spent=Nanos(how.spent),
                lag=Nanos(how.lag),
                bank_left=self._clocks[bot].bank_left,
                fault=how.fault,
                events=game.news(),
            )
        )
        if action.verb is Verb.COUP_FOURRE:
            self.roster.tallies[bot].coups_fourres += 1
        if self._window is not None and game.state.stage != _RESPOND:
            self._close_window(seat if action is not PASS else None)

    def _release(self, game: Game, window: Window) -> None:
        """The time of a sealed window is up: what was held back is played."""
        window.closes = None
        for seat in game.asked():
            self._play(game, seat, PASS, window.held[game.bots[seat]])

    def _close_window(self, answered_by: SeatNo | None) -> None:
        assert self._window is not None
        self._effects.append(WindowClosed(self._window.number, answered_by))
        self._window = None
        # A partner who was asked as well has nothing left to answer.
        self._prompts.withdraw_all()

    # -- the end ------------------------------------------------------------------------------

    def _end_hand(self, game: Game) -> None:
        result = game.score_hand()
        totals = game.standing.totals
        self._effects.append(HandEnded(game.number, game.hand, result, totals))
        self._orders.clear()
        for bot in self.plan.bots:
            self._tell(bot, game.hand_over(bot, result))
        if not game.standing.over:
            game.deal_next()
            return
        self._end_game(game)
        broken_off = self.roster.forfeits and not self.plan.play_on
        if broken_off or len(self.results) == len(self.plan.sittings):
            self._end(verdict.forfeit(self.roster.forfeits))
        elif len(self.results) == sum(map(len, self.plan.legs[: self._leg + 1])):
            self._end_leg()
        else:
            self._begin_game()

    def _end_game(self, game: Game) -> None:
        self._game = self._window = None
        self.results.append(game.result([lost.bot for lost in self.roster.forfeits]))
        self._effects.append(GameEnded(self.results[-1]))

    def _end_leg(self) -> None:
        self._say_farewell(verdict.forfeit(self.roster.forfeits))
        self.roster.leave()
        self._leg += 1
        self._effects.append(EndLeg())

    def _stop_if_decided(self) -> bool:
        """End the match if at most one team has not forfeited; whether it is over."""
        if self.roster.is_decided and self.verdict is None:
            if self._game is None:
                # It was lost before its cards were dealt.
                self._game = Game(self.plan, len(self.results), leg=self._leg)
            self._end_game(self._game)
            self._end(verdict.forfeit(self.roster.forfeits))
        return self.verdict is not None

    def _end(self, how: Verdict) -> None:
        self._say_farewell(how)
        self._game = self._window = None
        self._prompts.withdraw_all()
        self.verdict = how
        self._effects.append(Ended(how))

    def _say_farewell(self, how: Verdict) -> None:
        for bot in self.plan.bots:
            self._tell(bot, self._farewell(bot, how))

    def _farewell(self, bot: BotNo, how: Verdict) -> MatchOver:
        """What a bot is told of the leg that ends."""
        results = self.results[sum(map(len, self.plan.legs[: self._leg])) :]
        return MatchOver(
            games=len(results),
            won=sum(result.winner == result.team(bot) for result in results),
            drawn=sum(result.winner == NOBODY for result in results),
            outcome=how.kind,
            detail="" if how is verdict.COMPLETED else verdict.told_to(bot, how),
        )


_STAGES: Final = tuple(Stage)
_REASONS: Final = {
    Fault.TIMED_OUT: RejectionReason.TIMED_OUT,
    Fault.ILLEGAL: RejectionReason.ILLEGAL,
    Fault.MALFORMED: RejectionReason.MALFORMED,
}
