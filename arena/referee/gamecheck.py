"""Following one game of a record: who is asked, what they may play, which windows are open.

The engine plays the actions and counts the points. Who is asked and what that costs is worked out
here a second time, not by the machine that wrote the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.engine.actions import PASS, Action, Verb
from arena.engine.cards import Card
from arena.engine.rules import default_action, legal
from arena.engine.state import Stage
from arena.referee.accounts import Account, Disagreement, same
from arena.referee.entries import (
    ClosedLine,
    Entry,
    ForfeitLine,
    HandLine,
    PlayLine,
    RejectedLine,
    ResultLine,
    SeedsLine,
    SurplusLine,
    WindowLine,
)
from arena.referee.events import BotNo, ForfeitReason, SeatNo
from arena.referee.game import Game, MatchPlan
from arena.referee.limits import WindowMode
from arena.referee.record import event_text, hand_facts

__all__ = ["GameCheck", "OpenWindow"]

_RESPOND: Final = int(Stage.RESPOND)
_WAITING: Final = (PlayLine, RejectedLine, SurplusLine, ForfeitLine, SeedsLine)


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """A response window that is open: its number in the match, and since when."""

    number: int
    opened: int


class GameCheck:
    """One game.

    Attributes:
        game: Its state after the lines so far.
        window: The window that is open.
        windows: How many were opened in the match so far.
    """

    def __init__(
        self, plan: MatchPlan, game: Game, accounts: Mapping[BotNo, Account], windows: int
    ) -> None:
        self.game = game
        self.window: OpenWindow | None = None
        self.windows = windows
        self._limits = plan.limits
        self._accounts = accounts
        self._must_play: int | None = None
        self._releasing = False  # a sealed window's time is up: all passes come out together
        self._closing: ClosedLine | None = None
        for account in accounts.values():
            account.bank = plan.limits.time.bank
            account.settle()

    @property
    def owed(self) -> tuple[type[Entry], ...]:
        """What must be the next line, because it was written in one go with the last one."""
        if self._must_play is not None or self._releasing:
            return (PlayLine,)
        if self._closing is not None:
            return (ClosedLine,)
        return (ResultLine,) if self.game.standing.over else ()

    @property
    def expected(self) -> tuple[type[Entry], ...]:
        """What may be the next line, if nothing is owed and the match goes on."""
        state = self.game.state
        if state.over:
            return (HandLine, SurplusLine, ForfeitLine)
        if state.stage == _RESPOND and self.window is None:
            return (WindowLine, SurplusLine, ForfeitLine)
        return _WAITING

    def ask(self, at: int) -> None:
        """Send a prompt to every seat that waits for one and has a bot."""
        state = self.game.state
        if state.stage == _RESPOND and (self.window is None or self._is_standing):
            return
        for seat in self.game.asked():
            account = self._accounts[self.game.bots[seat]]
            if account.asked_at is None and not account.lost:
                account.ask(at)

    def lose(self, account: Account) -> None:
        """A bot has forfeited. In a sealed window its place is waited for all the same."""
        account.lost = True
        if account.fault is None and not (self.window and self._is_sealed):
            account.settle()

    def reject(self, line: RejectedLine) -> ForfeitReason | None:
        """An answer, or silence, is refused; why its bot must forfeit now, if it must."""
        account = self._accounts[BotNo(line.bot)]
        reason = account.reject(line, in_window=self.window is not None)
        if self.window is None or not self._is_sealed:
            self._must_play = line.bot
        return reason

    # -- actions ------------------------------------------------------------------------------

    def play(self, line: PlayLine) -> None:
        """Play the action of a line."""
        game, state = self.game, self.game.state
        same("kind", line.kind, Stage(state.stage).name)
        seats = game.asked()
        if line.seat not in seats:
            allowed = " or ".join(map(str, seats))
            raise Disagreement(f"seat is {line.seat}, must be {allowed}: nobody else is asked")
        seat = SeatNo(line.seat)
        same("bot", line.bot, game.bots[seat])
        if self._must_play is not None:
            same("bot", line.bot, self._must_play)
        action = self._action(line, legal(state, seat))
        account = self._accounts[game.bots[seat]]
        self._check_answer(line, action, account)
        if self.window is not None:
            self._check_turn(line, action, seats)
        game.play(seat, action)
        self._check_events(line)
        account.settle()
        self._must_play = None
        waiting = self.window is not None and state.stage == _RESPOND
        self._releasing = waiting and self._is_sealed
        if self.window is not None and not waiting:
            by = None if action is PASS else line.seat
            self._closing = ClosedLine(line.at, self.window.number, by)

    def _action(self, line: PlayLine, options: tuple[Action, ...]) -> Action:
        for option in options:
            if option.text == line.action:
                return option
        names = ", ".join(option.text for option in options)
        raise Disagreement(f"action is {line.action[:40]!r}, must be one of: {names}")

    def _check_answer(self, line: PlayLine, action: Action, account: Account) -> None:
        """Whether the bot, or whoever plays for it, can have said this, and in what time."""
        standing = self.window is not None and self._is_standing
        if not line.prompt and account.fault is None and (standing or account.lost):
            same("answered", line.answered, standing and action.verb is Verb.COUP_FOURRE)
            account.play_unasked(line)
        elif account.asked_at is None:
            same("prompt", line.prompt, 0)
        else:
            same("prompt", line.prompt, account.prompts)
            same("answered", line.answered, account.fault is None)
            same("fault", line.fault, None if account.fault is None else str(account.fault))
            account.charge(line, in_window=self.window is not None)
        if not line.answered:
            same("action", line.action, default_action(self.game.state, line.seat).text)

    def _check_turn(self, line: PlayLine, action: Action, seats: tuple[SeatNo, ...]) -> None:
        """In which order, and when, the seats that are under attack can have answered."""
        window = self.window
        assert window is not None
        if self._is_standing or (self._is_sealed and action is PASS):
            same("seat", line.seat, seats[0])
        if self._is_sealed and action is PASS:
            until = window.opened + self._limits.time.response_window
            if line.at <= until:
                raise Disagreement(f"at is {line.at}, must be above {until}: the window is sealed")
        if self._is_standing:
            same("at", line.at, window.opened)

    def _check_events(self, line: PlayLine) -> None:
        coded = self.game.news()
        events = [event_text(coded[at : at + 2]) for at in range(0, len(coded), 2)]
        if line.events != events:
            same("events", line.events, events)

    # -- windows and hands --------------------------------------------------------------------

    def open_window(self, line: WindowLine) -> None:
        """A response window opens."""
        state = self.game.state
        lasts = 0 if self._is_standing else self._limits.time.response_window
        same("window", line.window, self.windows + 1)
        same("attack", line.attack, Card(state.attack).name)
        same("team", line.team, state.attacked)
        same("seats", line.seats, list(self.game.asked()))
        same("lasts", line.lasts, lasts)
        self.windows += 1
        self.window = OpenWindow(self.windows, line.at)

    def close_window(self, line: ClosedLine) -> None:
        """It closes; whoever was asked has nothing left to answer."""
        assert self._closing is not None
        same("window", line.window, self._closing.window)
        same("by", line.by, self._closing.by)
        self.window = self._closing = None
        for account in self._accounts.values():
            account.settle()

    def end_hand(self, line: HandLine) -> None:
        """A hand is over; the next one is dealt, if there is one."""
        game = self.game
        same("game", line.game, game.number)
        same("hand", line.hand, game.hand)
        result = game.score_hand()
        for name, right in hand_facts(result, game.standing.totals).items():
            same(name, getattr(line, name), list(right) if isinstance(right, tuple) else right)
        if not game.standing.over:
            game.deal_next()

    @property
    def _is_standing(self) -> bool:
        return self._limits.window is WindowMode.STANDING

    @property
    def _is_sealed(self) -> bool:
        return self._limits.window is WindowMode.SEALED
