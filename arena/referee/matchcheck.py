"""Following a record line by line: what must come now, and what each line must say.

    start* game (window? play closed?)* hand ... result ... seeds verdict
    between them, where somebody is waited for: surplus, rejected, forfeit

Lines that the referee writes in one go follow each other without anything between them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arena.engine.fields import shown
from arena.referee import verdict
from arena.referee.accounts import Account, Disagreement, same
from arena.referee.entries import (
    ClosedLine,
    Entry,
    ForfeitLine,
    GameLine,
    HandLine,
    PlayLine,
    RejectedLine,
    ResultLine,
    SeedsLine,
    StartLine,
    SurplusLine,
    VerdictLine,
    WindowLine,
    name_of,
)
from arena.referee.events import BotNo, Forfeit, ForfeitReason, GameResult, OutcomeKind
from arena.referee.game import Game, MatchPlan
from arena.referee.gamecheck import GameCheck
from arena.referee.record import result_facts
from arena.referee.tally import Fault

__all__ = ["MatchCheck"]

_SURPLUS: Final = (Fault.LATE, Fault.DOUBLED, Fault.UNSOLICITED, Fault.STALE, Fault.CHATTER)
_STRUCK_OUT: Final = (ForfeitReason.TIMEOUT, ForfeitReason.ILLEGAL)


class MatchCheck:
    """A match, as far as its record was taken.

    Attributes:
        plan: What was agreed, with the boards.
        check: The game in play.
        results: The games that are over.
        accounts: By bot.
    """

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan
        self.check: GameCheck | None = None
        self.results: list[GameResult] = []
        self.accounts = {bot: Account(plan.limits) for bot in plan.bots}
        self._forfeits: list[Forfeit] = []
        self._at = 0
        self._leg = 0
        self._to_start = list(plan.bots)
        self._leaving = False
        self._gathering = True
        self._must_forfeit: tuple[int, tuple[ForfeitReason, ...]] | None = None
        self._windows = 0
        self._is_decided = False
        self._over = False
        self._revealed = False

    @property
    def game(self) -> Game | None:
        """The game in play."""
        return None if self.check is None else self.check.game

    def take(self, entry: Entry, number: int) -> None:
        """Take the next line, number `number` of the record.

        Raises:
            Disagreement: it cannot come now, or must say something else.
        """
        expected = self._expected()
        if not isinstance(entry, expected):
            names = " or ".join(map(name_of, expected))
            raise Disagreement(f"a {name_of(type(entry))} line, where only {names} can come")
        if not isinstance(entry, SeedsLine):
            self._pass_time(entry.at)
        if isinstance(entry, VerdictLine):
            same("lines", entry.lines, number)
        _HANDLERS[type(entry)](self, entry)
        check = self.check
        if check is not None and not self._owed(check):
            check.ask(self._at)

    def _pass_time(self, at: int) -> None:
        if at < self._at:
            raise Disagreement(f"at is {at}, must be at least {self._at}: time does not go back")
        self._at = at

    # -- what must come now -------------------------------------------------------------------

    def _expected(self) -> tuple[type[Entry], ...]:
        if self._revealed:
            return (VerdictLine,)
        if self._over:
            return (SeedsLine,)
        if self._to_start:
            return (StartLine, SeedsLine) if self._leaving else (StartLine,)
        if self.check is not None:
            return self._owed(self.check) or self.check.expected
        if self._must_forfeit is not None:
            return (ForfeitLine,)
        if self._is_decided:
            return (ForfeitLine, SurplusLine, ResultLine, SeedsLine)
        return (GameLine, ForfeitLine, SurplusLine, SeedsLine) if self._gathering else (GameLine,)

    def _owed(self, check: GameCheck) -> tuple[type[Entry], ...]:
        if self._must_forfeit is not None:
            return (ForfeitLine,)
        if check.owed:
            return check.owed
        return (ResultLine, SurplusLine) if self._is_decided else ()

    def _find_decided(self) -> bool:
        """Whether somebody has forfeited, and at most one team has not."""
        seating = self.plan.seating
        lost = {seating.team_of[forfeit.bot] for forfeit in self._forfeits}
        return bool(lost) and len(seating.teams) - len(lost) < 2

    def _account(self, bot: int) -> Account:
        if bot not in self.accounts:
            raise Disagreement(f"bot is {bot}, must be below {len(self.accounts)}")
        return self.accounts[BotNo(bot)]

    # -- legs and games -----------------------------------------------------------------------

    def _start(self, line: StartLine) -> None:
        same("bot", line.bot, self._to_start.pop(0))
        same("leg", line.leg, self._leg)
        self._leaving = False

    def _begin_game(self, line: GameLine) -> None:
        number = len(self.results)
        sitting = self.plan.sittings[number]
        game = self._new_game()
        same("game", line.game, number)
        same("board", line.board, sitting.board)
        same("rotation", line.rotation, sitting.rotation)
        same("bots", line.bots, list(game.bots))
        self.check = GameCheck(self.plan, game, self.accounts, self._windows)
        self._gathering = False

    def _new_game(self) -> Game:
        before = sum(map(len, self.plan.legs[: self._leg]))
        number = len(self.results)
        return Game(self.plan, number, leg=self._leg, in_leg=number - before)

    def _end_game(self, line: ResultLine) -> None:
        game = self.game or self._new_game()  # lost before its cards were dealt
        result = game.result([forfeit.bot for forfeit in self._forfeits])
        for name, right in result_facts(result).items():
            same(name, getattr(line, name), list(right) if isinstance(right, tuple) else right)
        if self.check is not None:
            self._windows = self.check.windows
        self.check = None
        self.results.append(result)
        broken_off = self._forfeits and not self.plan.play_on
        if self._is_decided or broken_off or len(self.results) == len(self.plan.sittings):
            self._over = True
        elif len(self.results) == sum(map(len, self.plan.legs[: self._leg + 1])):
            self._leg += 1
            self._to_start = [bot for bot, one in self.accounts.items() if not one.lost]
            self._leaving = self._gathering = True

    # -- faults -------------------------------------------------------------------------------

    def _reject(self, line: RejectedLine) -> None:
        self._account(line.bot)
        assert self.check is not None
        reason = self.check.reject(line)
        if reason is not None:
            self._must_forfeit = (line.bot, (reason,))

    def _count_surplus(self, line: SurplusLine) -> None:
        account = self._account(line.bot)
        if line.fault not in _SURPLUS:
            raise Disagreement(
                f"fault is {shown(line.fault)}, must be one of {', '.join(_SURPLUS)}"
            )
        if (line.late_by is not None) != (line.fault == Fault.LATE):
            raise Disagreement("late_by must be null but for a late answer")
        if line.fault != Fault.STALE and account.count_surplus() and not account.lost:
            self._must_forfeit = (line.bot, (ForfeitReason.PROTOCOL,))

    def _forfeit(self, line: ForfeitLine) -> None:
        account = self._account(line.bot)
        if account.lost:
            raise Disagreement(f"bot {line.bot} has forfeited before")
        reasons: tuple[ForfeitReason, ...] = tuple(
            one for one in ForfeitReason if one not in _STRUCK_OUT
        )
        if not self._gathering:
            reasons = tuple(one for one in reasons if one is not ForfeitReason.STARTUP)
        if self._must_forfeit is not None:
            bot, reasons = self._must_forfeit
            same("bot", line.bot, bot)
        if line.reason not in reasons:
            names = " or ".join(reasons)
            raise Disagreement(f"reason is {shown(line.reason)}, must be {names} here")
        same("game", line.game, len(self.results))
        reason = ForfeitReason(line.reason)
        self._forfeits.append(Forfeit(BotNo(line.bot), reason, line.detail, line.game))
        self._must_forfeit = None
        self._is_decided = self._find_decided()
        if self.check is None:
            account.lost = True
        else:
            self.check.lose(account)

    # -- the end ------------------------------------------------------------------------------

    def _reveal(self, line: SeedsLine) -> None:
        same("seeds", line.seeds, [board.seed.hex() for board in self.plan.boards])
        self._revealed = True

    def _end(self, line: VerdictLine) -> None:
        kind = OutcomeKind.FORFEIT if self._forfeits else OutcomeKind.COMPLETED
        if not self._over:
            kind = OutcomeKind.VOID  # nothing else ends a match before its time
        same("kind", line.kind, str(kind))
        if bool(line.void) != (kind is OutcomeKind.VOID):
            raise Disagreement("void must say why if the verdict is VOID, and be empty otherwise")
        ranks = verdict.match_ranks(self.results, self.plan.seating, self._forfeits)
        same("ranks", line.ranks, None if line.void else list(ranks))


def _in_game(handle: Callable[[GameCheck, Any], None]) -> Callable[[MatchCheck, Any], None]:
    def take(match: MatchCheck, line: Entry) -> None:
        assert match.check is not None  # such a line is not expected otherwise
        handle(match.check, line)

    return take


_HANDLERS: Final[dict[type[Entry], Callable[[MatchCheck, Any], None]]] = {
    StartLine: MatchCheck._start,
    GameLine: MatchCheck._begin_game,
    PlayLine: _in_game(GameCheck.play),
    WindowLine: _in_game(GameCheck.open_window),
    ClosedLine: _in_game(GameCheck.close_window),
    SurplusLine: MatchCheck._count_surplus,
    RejectedLine: MatchCheck._reject,
    HandLine: _in_game(GameCheck.end_hand),
    ResultLine: MatchCheck._end_game,
    ForfeitLine: MatchCheck._forfeit,
    SeedsLine: MatchCheck._reveal,
    VerdictLine: MatchCheck._end,
}
