"""Matches between bots of this process: no sockets, no programs, no clock that could stop them.

The same games, rules, limits and words as over the protocol, in the order in which a referee asks;
only that a bot cannot be stopped while it thinks. What took too long is found out afterwards, and
the default action is played for it all the same.

A bot that ends its program (`sys.exit`, or whatever it raises in strict play) has crashed.

    players --answer--> Table --one leg after the other, fresh bots for each--> LocalOutcome
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Final, TypeVar

from arena.engine.actions import PASS, Action, Verb
from arena.engine.cards import Card
from arena.engine.rules import default_of, legal
from arena.engine.state import NOBODY, Stage
from arena.errors import BotError
from arena.referee import verdict
from arena.referee.clock import SeatClock
from arena.referee.events import (
    BotNo,
    Forfeit,
    ForfeitReason,
    GameResult,
    SeatNo,
    Verdict,
)
from arena.referee.game import Game, MatchPlan
from arena.referee.limits import Instant, Nanos, WindowMode, shown
from arena.referee.roster import Roster
from arena.referee.tally import Fault, Tally
from arena.referee.window import standing_answer
from arena_sdk import _values as values
from arena_sdk._failures import StrictFailure, in_one_line
from arena_sdk._local_news import hand_result, welcome
from arena_sdk._player import Player
from arena_sdk._prompt import Prompt

__all__ = ["Around", "LocalOutcome", "MakePlayer", "play_locally"]

N = TypeVar("N")
T = TypeVar("T")

MakePlayer = Callable[[BotNo, int], Player]
"""Makes the player of a bot for a leg; raises anything if it cannot."""

Around = Callable[[BotNo], AbstractContextManager[object]]
"""What a bot finds around it while it is asked or told something."""

_RESPOND: Final = Stage.RESPOND
_NO_ORDERS: Final[frozenset[Card]] = frozenset()
_NOWHERE: Final = nullcontext()


@dataclass(frozen=True, slots=True)
class LocalOutcome:
    """What came of a match; see `arena.referee.match.Match`."""

    verdict: Verdict
    results: tuple[GameResult, ...]
    tallies: tuple[Tally, ...]


def play_locally(
    plan: MatchPlan,
    make: MakePlayer,
    report: Callable[[GameResult], None] = lambda result: None,
    *,
    around: Around = lambda bot: _NOWHERE,
    clock: Callable[[], int] = perf_counter_ns,
) -> LocalOutcome:
    """Play a match between bots of this process to its end; `report` hears of every game.

    `around` is entered for each call to a bot, its making included; `clock` tells nanoseconds.
    """
    table = _Table(plan, make, around, clock)
    table.report = report
    table.play()
    return LocalOutcome(
        verdict=verdict.forfeit(table.roster.forfeits),
        results=tuple(table.results),
        tallies=tuple(table.roster.tallies[bot] for bot in plan.bots),
    )


class _Table:
    report: Callable[[GameResult], None]

    def __init__(
        self, plan: MatchPlan, make: MakePlayer, around: Around, clock: Callable[[], int]
    ) -> None:
        self.roster = Roster(plan)
        self.results: list[GameResult] = []
        self._plan = plan
        self._limits = plan.limits
        self._make = make
        self._around = around
        self._clock = clock
        self._players: dict[BotNo, Player] = {}
        self._game = Game(plan, 0)
        self._clocks: list[SeatClock] = []
        self._orders: dict[SeatNo, frozenset[Card]] = {}

    def play(self) -> None:
        """Play all legs, or until the match is decided."""
        for leg, sittings in enumerate(self._plan.legs):
            before = len(self.results)
            self._start(leg)
            for in_leg in range(len(sittings)):
                self._game = Game(self._plan, len(self.results), leg=leg, in_leg=in_leg)
                self._play_game()
                if self._is_broken_off:
                    break
            self._say_farewell(before)
            if self._is_broken_off:
                return

    @property
    def _is_broken_off(self) -> bool:
        roster = self.roster
        return roster.is_decided or bool(roster.forfeits and not self._plan.play_on)

    def _start(self, leg: int) -> None:
        self._players.clear()
        for bot in self.roster.gather():
            began = self._clock()
            try:
                with self._around(bot):
                    self._players[bot] = self._make(bot, leg)
            except BotError as error:
                self._lose(bot, ForfeitReason.STARTUP, f"cannot be made: {error}")
            except SystemExit as error:
                self._lose(bot, ForfeitReason.STARTUP, f"{_exit(error)} before it joined")
            except BaseException as error:
                self._lose(bot, ForfeitReason.STARTUP, f"cannot be made: {in_one_line(error)}")
            else:
                self._join(bot, Instant(self._clock()), began)

    def _join(self, bot: BotNo, now: Instant, began: int) -> None:
        after, most = Nanos(now - began), self._limits.time.start_up
        if after > most:
            self._lose(bot, ForfeitReason.STARTUP, f"did not join within {shown(most)}")
        else:
            self.roster.join(bot, now, after)

    def _call(self, bot: BotNo, do: Callable[[Player, N], T], what: N) -> T | None:
        """Ask or tell a bot something; if its program ends with that, it has lost."""
        try:
            with self._around(bot):
                return do(self._players[bot], what)
        except StrictFailure as error:
            self._lose(bot, ForfeitReason.CRASH, str(error))
        except SystemExit as error:
            self._lose(bot, ForfeitReason.CRASH, _exit(error))
        except BaseException as error:
            self._lose(bot, ForfeitReason.CRASH, f"raised {in_one_line(error)}")
        return None

    def _tell(self, bot: BotNo, how: Callable[[Player, N], None], news: N) -> None:
        if self.roster.is_present(bot):
            self._call(bot, how, news)

    def _lose(self, bot: BotNo, reason: ForfeitReason, detail: str) -> None:
        self.roster.lose(Forfeit(bot, reason, detail, len(self.results)))

    # -- a game -------------------------------------------------------------------------------

    def _play_game(self) -> None:
        game, time = self._game, self._limits.time
        self._clocks = [SeatClock(time, time.bank) for _ in game.bots]
        for bot in game.bots:
            self._tell(bot, Player.welcome, welcome(self._plan, game, bot))
        while not (game.standing.over or self.roster.is_decided):
            self._orders.clear()
            if self._play_hand():
                self._end_hand()
        forfeited = [one.bot for one in self.roster.forfeits]
        self.results.append(game.result(forfeited))
        self.report(self.results[-1])

    def _play_hand(self) -> bool:
        """Play a hand; whether it came to its end."""
        game = self._game
        state = game.state
        while not state.over:
            if state.stage == _RESPOND:
                self._respond()
            else:
                seat = game.asked()[0]
                game.play(seat, self._ask(seat))
            if self.roster.forfeits and self.roster.is_decided:
                return False
        return True

    def _respond(self) -> None:
        game = self._game
        for seat in game.asked():
            if game.state.stage != _RESPOND:
                return  # a partner has answered
            if self._limits.window is WindowMode.STANDING:
                action = standing_answer(game.state, seat, self._orders)
            elif len(legal(game.state, seat)) == 1:
                # It could only pass; what happened meanwhile is shown with its next question.
                action = PASS
            else:
                action = self._ask(seat)
            if action.verb is Verb.COUP_FOURRE:
                self.roster.tallies[game.bots[seat]].coups_fourres += 1
            game.play(seat, action)

    # -- a question ---------------------------------------------------------------------------

    def _ask(self, seat: SeatNo) -> Action:
        """Ask the bot at `seat`; what is played for it."""
        game = self._game
        bot = game.bots[seat]
        view = game.show(seat)
        options = view.legal
        default = default_of(view.stage, options)
        if not self.roster.is_present(bot):
            return default
        clock = self._clocks[bot]
        responding = view.stage is _RESPOND
        free, bank = clock.free_time(responding=responding), clock.bank_left
        tally = self.roster.tallies[bot]
        tally.prompts += 1
        prompt = Prompt(view, options, default, free / 1e9, bank / 1e9, game.in_leg, game.hand)
        began = self._clock()
        answer = self._call(bot, _answer, prompt)
        spent = self._clock() - began
        if answer is None:
            return default
        if not responding:
            clock.charge(spent)
        action, orders = answer
        if spent > free and (responding or spent > free + bank):
            self._orders.pop(seat, None)
            self._refuse_late(bot, prompt, bank)
            return default
        self._orders[seat] = orders
        if action not in options:
            detail = f"prompt {tally.prompts}: {action} is not legal now"
            self._strike(bot, Fault.ILLEGAL, detail, default)
            return default
        if len(options) > 1:
            tally.think_times.add(spent)
        return action

    def _refuse_late(self, bot: BotNo, prompt: Prompt, bank: Nanos) -> None:
        """A bot of this process always answers in the end, so a late answer counts as well."""
        time = self._limits.time
        number = self.roster.tallies[bot].prompts
        if prompt.kind is _RESPOND:
            detail = f"no answer to prompt {number} within {shown(time.response_window)}"
            self.roster.tallies[bot].faults[Fault.MISSED_WINDOW] += 1
            self._reject(bot, Fault.TIMED_OUT, detail, prompt.default)
        else:
            detail = f"no answer to prompt {number} within {shown(time.turn)}"
            detail += f" and {shown(bank)} of bank"
            self._strike(bot, Fault.TIMED_OUT, detail, prompt.default)
        too_many = self.roster.surplus(bot, Fault.LATE)
        if too_many and self.roster.is_present(bot):
            self._lose(bot, ForfeitReason.PROTOCOL, too_many)

    def _strike(self, bot: BotNo, fault: Fault, detail: str, played: Action) -> None:
        strikes, most = self.roster.strike(bot, fault), self._limits.faults.max_strikes
        self._reject(bot, fault, detail, played)
        if strikes >= most and self.roster.is_present(bot):
            timed_out = fault is Fault.TIMED_OUT
            reason = ForfeitReason.TIMEOUT if timed_out else ForfeitReason.ILLEGAL
            self._lose(bot, reason, f"{detail}; strike {strikes} of {most}")

    def _reject(self, bot: BotNo, fault: Fault, detail: str, played: Action) -> None:
        rejection = values.Rejection(
            reason=values.RejectionReason(fault.value),
            detail=detail,
            played=played,
            strikes=self.roster.tallies[bot].strikes,
        )
        self._tell(bot, Player.rejected, rejection)

    # -- ends ---------------------------------------------------------------------------------

    def _end_hand(self) -> None:
        game = self._game
        result = game.score_hand()
        for bot in game.bots:
            self._tell(bot, Player.hand_over, hand_result(game.hand_over(bot, result)))
        if not game.standing.over:
            game.deal_next()

    def _say_farewell(self, first: int) -> None:
        results = self.results[first:]
        how = verdict.forfeit(self.roster.forfeits)
        crashed = [one.bot for one in how.forfeits if one.reason is ForfeitReason.CRASH]
        for bot in self._players:
            over = values.MatchResult(
                games=len(results),
                won=sum(result.winner == result.team(bot) for result in results),
                drawn=sum(result.winner == NOBODY for result in results),
                outcome=values.Outcome(how.kind.value.lower()),
                detail="" if how is verdict.COMPLETED else verdict.told_to(bot, how),
            )
            with self._around(bot):
                _part(self._players[bot], None if bot in crashed else over)


def _answer(player: Player, prompt: Prompt) -> tuple[Action, frozenset[Card]]:
    action = player.answer(prompt)
    orders = player.orders(prompt)
    player.write_notes()
    return action, frozenset(orders) if orders else _NO_ORDERS


def _exit(error: SystemExit) -> str:
    """What `sys.exit` in a bot would have been as the end of a process."""
    code = error.code
    return f"exited with code {code if isinstance(code, int) else int(code is not None)}"


def _part(player: Player, over: values.MatchResult | None) -> None:
    """Tell a player that it is over, unless it has crashed; what ends it now costs nothing."""
    try:
        if over is not None:
            player.match_over(over)
    except BaseException:  # noqa: S110 - it is over, whatever it says
        pass
    finally:
        player.report()
