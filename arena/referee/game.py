"""One game of a match: the engine's hands one after the other, and which bot sits where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.engine.actions import Action
from arena.engine.deal import Board
from arena.engine.flow import start_hand
from arena.engine.rules import apply, asked
from arena.engine.rulesets import RuleSet
from arena.engine.scoring import GameState, HandResult, Length, after_hand, hand_result, start_game
from arena.engine.seating import Seating
from arena.engine.state import HandState, make_frame
from arena.engine.view import View, view
from arena.errors import InputError
from arena.referee.events import BotNo, GameResult, HandOver, SeatNo, Welcome
from arena.referee.limits import STANDARD, TimeControl

__all__ = ["TO_MATCH_POINTS", "Game", "MatchPlan"]

TO_MATCH_POINTS: Final = Length()
"""A game as the rules have it: to the match points, or a single hand where there are no points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan:
    """What was agreed before a match.

    Attributes:
        rules: The rule set.
        seating: Seats and teams; there are as many bots as seats.
        boards: What chance decides, one board for each game.
        time: The time that bots have.
        length: How long a game lasts.

    Raises:
        InputError: there is no game to play.
    """

    rules: RuleSet
    seating: Seating
    boards: tuple[Board, ...]
    time: TimeControl = STANDARD
    length: Length = TO_MATCH_POINTS

    def __post_init__(self) -> None:
        if not self.boards:
            raise InputError("a match has at least one game")

    @property
    def bots(self) -> tuple[BotNo, ...]:
        """The bots of the match."""
        return tuple(BotNo(number) for number in range(self.seating.players))

    def seat_of(self, bot: BotNo, game: int) -> SeatNo:
        """Where a bot sits: one seat further on in each game. Partners remain partners."""
        return SeatNo((bot + game) % self.seating.players)

    def bot_at(self, seat: SeatNo, game: int) -> BotNo:
        """Who sits there."""
        return BotNo((seat - game) % self.seating.players)


class Game:
    """A game in play. Its hand is always at a decision, or over.

    Attributes:
        number: Its number in the match.
        hand: Number of the hand in play.
        state: The hand in play.
        standing: The game between hands.
    """

    def __init__(self, plan: MatchPlan, number: int) -> None:
        players = plan.seating.players
        self.number = number
        self.hand = 0
        self.standing: GameState = start_game(plan.rules, len(plan.seating.teams), players)
        self._plan = plan
        self._km = [0] * len(plan.seating.teams)
        self.state: HandState = self._deal()

    def _deal(self) -> HandState:
        plan = self._plan
        board = plan.boards[self.number]
        frame = make_frame(
            plan.rules,
            plan.seating,
            dealer=self.standing.dealer,
            scores=self.standing.totals,
        )
        self._seen = [0] * plan.seating.players
        return start_hand(
            frame,
            board.deck_order(self.hand, plan.rules.deck(plan.seating.players)),
            # Whom the referee asks follows from what is public, so being asked tells nothing.
            ask_all=True,
            chance=board.reshuffle_key(self.hand),
        )

    def deal_next(self) -> None:
        """Begin the next hand, after one that was not the last."""
        self.hand += 1
        self.state = self._deal()

    def asked(self) -> tuple[SeatNo, ...]:
        """The seats that have a decision to make now."""
        return tuple(SeatNo(seat) for seat in asked(self.state))

    def play(self, seat: SeatNo, action: Action) -> None:
        """Play a legal action."""
        apply(self.state, seat, action)

    def show(self, seat: SeatNo) -> View:
        """What a seat may know, with the events since it was last shown."""
        shown = view(self.state, seat, since=self._seen[seat])
        self._seen[seat] = shown.event_count
        return shown

    def score_hand(self) -> HandResult:
        """Count the hand that has just ended and move the game on to after it."""
        result = hand_result(self.state)
        for team, km in enumerate(result.km):
            self._km[team] += km
        plan = self._plan
        self.standing = after_hand(
            self.standing, plan.rules, plan.seating.players, result, plan.length
        )
        return result

    def welcome(self, bot: BotNo) -> Welcome:
        """What a bot is told when the game begins."""
        plan = self._plan
        return Welcome(
            seat=plan.seat_of(bot, self.number),
            seating=plan.seating,
            rules=plan.rules,
            time=plan.time,
            game=self.number,
            games=len(plan.boards),
        )

    def hand_over(self, bot: BotNo, result: HandResult) -> HandOver:
        """What a bot is told about the hand that has just been scored."""
        return HandOver(
            game=self.number,
            hand=self.hand,
            result=result,
            totals=self.standing.totals,
            game_over=self.standing.over,
            game_winner=self.standing.winner,
            seen=self.show(self._plan.seat_of(bot, self.number)),
        )

    def result(self) -> GameResult:
        """How the game ended."""
        plan = self._plan
        seats = range(plan.seating.players)
        return GameResult(
            game=self.number,
            bots=tuple(plan.bot_at(SeatNo(seat), self.number) for seat in seats),
            team_of=plan.seating.team_of,
            hands=self.standing.hands,
            totals=self.standing.totals,
            km=tuple(self._km),
            winner=self.standing.winner,
        )
