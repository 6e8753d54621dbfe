"""What the public may see of a match that is being played, made in the process that plays it.

    effects of the referee --> Commentator --> Frame, Frame, ... --> report channel --> liveview

A commentator has a table of its own, on which it plays every action again. What it tells of that
table comes from `engine.view.public_view`, the one function that decides what everybody may know;
of what the referee does it tells nothing: no question, no clock, no bank, no thinking time.

A response window is told of when it is over and not before: the attack stands in the first frame
after it. Times are whole seconds since the match began.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.engine.cards import CARDS, SAFETIES
from arena.engine.codes import HIDDEN, plain
from arena.engine.state import Stage, TableView
from arena.engine.view import View, public_view
from arena.referee.events import (
    Effect,
    Forfeited,
    GameBegan,
    GameEnded,
    HandEnded,
    Played,
)
from arena.referee.game import Game, MatchPlan
from arena.referee.limits import Instant
from arena.referee.record import event_text

__all__ = ["Commentator", "Frame", "FrameKind", "PublicTable"]

_SECOND: Final = 1_000_000_000


class FrameKind(StrEnum):
    """What a frame tells."""

    DEALT = "dealt"
    """A hand begins."""
    PLAYED = "played"
    HAND_OVER = "hand_over"
    GAME_OVER = "game_over"
    FORFEIT = "forfeit"
    """A bot has lost the match; `note` says what kind of fault it was, and no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicTable:
    """One team's table; cards by their names, those of piles with the top last."""

    km: int
    battle: tuple[str, ...]
    speed: tuple[str, ...]
    safeties: tuple[str, ...]
    coups_fourres: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What everybody may know at one moment of a match.

    Attributes:
        number: From 0 in the match, without gaps.
        second: Whole seconds since the match began.
        game, games, hand: The game's number, how many there are, and the hand's, from 0.
        bots: By seat, the bot's number in the match.
        events: What has happened since the frame before, as a record has it, without hidden cards.
        turn: Whose turn it is, by seat; -1 when the hand is over.
        tables: By team.
        sizes: By seat, how many cards are in hand.
        draw_count: Cards in the draw pile.
        discard: The name of the top card of the discard pile; empty if there is none or it lies
            face down.
        totals: By team, match points (hands won where there are none) so far in this game.
        winner: The team that has won the hand or game that is over; -1: none.
        note: What kind of fault a forfeit is for.
        bot: Who forfeits; -1: nobody.
    """

    number: int
    second: int
    kind: FrameKind
    game: int
    games: int
    hand: int
    bots: tuple[int, ...]
    events: tuple[str, ...]
    turn: int
    tables: tuple[PublicTable, ...]
    sizes: tuple[int, ...]
    draw_count: int
    discard: str
    totals: tuple[int, ...]
    winner: int = -1
    note: str = ""
    bot: int = -1


class Commentator:
    """A `runner.Watch` that makes frames of a match and hands them to `tell`."""

    def __init__(self, plan: MatchPlan, tell: Callable[[Frame], None]) -> None:
        self._plan = plan
        self._tell = tell
        self._game: Game | None = None
        self._began: Instant | None = None
        self._told = 0  # events of the hand
        self._number = 0
        self._held: list[Forfeited] = []  # until a window is over

    def __call__(self, effect: Effect, now: Instant) -> None:
        """See an effect."""
        if self._began is None:
            self._began = now
        second = (now - self._began) // _SECOND
        match effect:
            case GameBegan(number):
                self._game = Game(self._plan, number)
                self._deal(second)
            case Played():
                self._play(effect, second)
            case HandEnded():
                self._end_hand(effect, second)
            case GameEnded(result):
                self._tell_forfeits(second)
                self._frame(FrameKind.GAME_OVER, second, winner=result.winner)
                self._game = None
            case Forfeited():
                self._held.append(effect)
                if not self._is_in_window:
                    self._tell_forfeits(second)
            case _:
                pass  # not for the public

    def _deal(self, second: int) -> None:
        self._told = 0
        self._frame(FrameKind.DEALT, second)

    def _play(self, played: Played, second: int) -> None:
        assert self._game is not None
        self._game.play(played.seat, played.action)
        # Who watches learns of a window when it is over, and never how long it was open.
        if not self._is_in_window:
            self._frame(FrameKind.PLAYED, second)
            self._tell_forfeits(second)

    @property
    def _is_in_window(self) -> bool:
        return self._game is not None and self._game.state.stage == Stage.RESPOND

    def _tell_forfeits(self, second: int) -> None:
        if self._game is not None:  # else it has lost before any cards were dealt
            for forfeit in (one.forfeit for one in self._held):
                note = str(forfeit.reason)
                self._frame(FrameKind.FORFEIT, second, bot=forfeit.bot, note=note)
        self._held.clear()

    def _end_hand(self, ended: HandEnded, second: int) -> None:
        game = self._game
        assert game is not None
        game.score_hand()
        self._frame(FrameKind.HAND_OVER, second, winner=ended.result.winner)
        if not game.standing.over:
            game.deal_next()
            self._deal(second)

    def _frame(
        self, kind: FrameKind, second: int, *, winner: int = -1, note: str = "", bot: int = -1
    ) -> None:
        game = self._game
        if game is None:  # a match that was decided before any cards were dealt
            return
        seen = public_view(game.state, since=self._told)
        self._told = seen.event_count
        frame = Frame(
            number=self._number,
            second=second,
            kind=kind,
            game=game.number,
            games=len(self._plan.sittings),
            hand=game.hand,
            bots=game.bots,
            events=_events(seen),
            turn=-1 if seen.stage is Stage.OVER else seen.turn,
            tables=tuple(map(_table, seen.tables)),
            sizes=tuple(seen.sizes),
            draw_count=seen.draw_count,
            discard=_top(seen),
            totals=game.standing.totals,
            winner=winner,
            note=note,
            bot=bot,
        )
        self._number += 1
        self._tell(frame)


def _events(seen: View) -> tuple[str, ...]:
    coded = seen.events
    return tuple(event_text(coded[at : at + 2]) for at in range(0, len(coded), 2))


def _table(table: TableView) -> PublicTable:
    return PublicTable(
        km=table.km,
        battle=_names(table.battle),
        speed=_names(table.speed),
        safeties=_safeties(table.safeties),
        coups_fourres=_safeties(table.coups_fourres),
    )


def _names(pile: bytes) -> tuple[str, ...]:
    return tuple(CARDS[card].name for card in pile)


def _safeties(mask: int) -> tuple[str, ...]:
    return tuple(card.name for at, card in enumerate(SAFETIES) if mask >> at & 1)


def _top(seen: View) -> str:
    if not seen.discard or seen.discard[-1] >= HIDDEN:
        return ""
    return CARDS[plain(seen.discard[-1])].name
