"""One game of a match: the engine's hands one after the other, and which bot sits where."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from arena.engine.actions import Action
from arena.engine.bounds import most_decisions
from arena.engine.deal import Board
from arena.engine.flow import start_hand
from arena.engine.rules import apply, asked
from arena.engine.rulesets import RuleSet
from arena.engine.scoring import GameState, HandResult, Length, after_hand, hand_result, start_game
from arena.engine.seating import Seating
from arena.engine.state import NOBODY, HandState, make_frame
from arena.engine.view import View, view
from arena.errors import InputError
from arena.referee.events import BotNo, GameResult, HandOver, SeatNo, Welcome
from arena.referee.limits import STANDARD_LIMITS, Limits, Nanos

__all__ = ["TO_MATCH_POINTS", "Game", "MatchPlan", "Sitting", "every_rotation", "one_rotation"]

TO_MATCH_POINTS: Final = Length()
"""A game as the rules have it: to the match points, or a single hand where there are no points."""


class Sitting(NamedTuple):
    """One game to play: which board, and how many seats the bots have moved on."""

    board: int
    rotation: int


def every_rotation(boards: int, seats: int) -> tuple[tuple[Sitting, ...], ...]:
    """Legs in which every board is played in every rotation, once a leg.

    Rotations also change from board to board, so that a leg has all of them.
    """
    return tuple(
        tuple(Sitting(board, (board + leg) % seats) for board in range(boards))
        for leg in range(seats)
    )


def one_rotation(boards: int, seats: int) -> tuple[tuple[Sitting, ...], ...]:
    """A single leg in which every board is played once, one seat further on each time."""
    return every_rotation(boards, seats)[:1]


@dataclass(frozen=True, kw_only=True)
class MatchPlan:
    """What was agreed before a match.

    Attributes:
        rules: The rule set.
        seating: Seats and teams; there are as many bots as seats.
        boards: What chance decides, game by game.
        legs: The games, by leg. The bots of a leg are gone before the next one begins: a board that
            is played again meets nobody who remembers it.
        limits: What the bots are allowed.
        length: How long a game lasts.
        striped: How the draw pile is dealt; striped, a board stays comparable when play diverges.
        play_on: Whether, at a table with more than two teams, the match goes on to its last game
            after a forfeit, or ends with the game in play.

    Raises:
        InputError: there is no game to play, a leg is empty, or a sitting names no board or seat.
    """

    rules: RuleSet
    seating: Seating
    boards: tuple[Board, ...]
    legs: tuple[tuple[Sitting, ...], ...]
    limits: Limits = STANDARD_LIMITS
    length: Length = TO_MATCH_POINTS
    striped: bool = True
    play_on: bool = True

    def __post_init__(self) -> None:
        if not self.legs or not all(self.legs):
            raise InputError("a match has at least one game, and none of its legs is empty")
        for sitting in self.sittings:
            if not 0 <= sitting.board < len(self.boards):
                raise InputError(f"board {sitting.board}: there are {len(self.boards)}, from 0")
            if not 0 <= sitting.rotation < self.seating.players:
                raise InputError(f"rotation {sitting.rotation}: must be below the number of seats")

    @cached_property
    def bots(self) -> tuple[BotNo, ...]:
        """The bots of the match."""
        return tuple(BotNo(number) for number in range(self.seating.players))

    @cached_property
    def sittings(self) -> tuple[Sitting, ...]:
        """All games in the order in which they are played; a game's number is its place here."""
        return tuple(sitting for leg in self.legs for sitting in leg)

    def seat_of(self, bot: BotNo, game: int) -> SeatNo:
        """Where a bot sits. Partners remain partners."""
        return SeatNo((bot + self.sittings[game].rotation) % self.seating.players)

    def bots_at(self, game: int) -> tuple[BotNo, ...]:
        """The bot at each seat."""
        players = self.seating.players
        rotation = self.sittings[game].rotation
        return tuple(BotNo((seat - rotation) % players) for seat in range(players))

    @property
    def longest(self) -> Nanos:
        """An upper bound for the whole match, from the rules' own bound for a hand.

        Every decision takes all its free time, every bank is used up, every bot starts slowly.
        """
        time, players = self.limits.time, self.seating.players
        hands = self.length.hands or (self.rules.max_hands if self.rules.is_scored else 1)
        free = max(time.turn, time.response_window)
        game = hands * most_decisions(self.rules, self.seating) * free + players * time.bank
        return Nanos(len(self.legs) * time.start_up + len(self.sittings) * game)


class Game:
    """A game in play. Its hand is always at a decision, or over.

    Attributes:
        number: Its number in the match.
        leg, in_leg: The leg, and its number there.
        hand: Number of the hand in play.
        state: The hand in play.
        standing: The game between hands.
        bots: The bot at each seat.
        seats: The seat of each bot.
    """

    def __init__(self, plan: MatchPlan, number: int, *, leg: int = 0, in_leg: int = 0) -> None:
        players = plan.seating.players
        self.number = number
        self.leg = leg
        self.in_leg = in_leg
        self.hand = 0
        self.bots = plan.bots_at(number)
        self.seats = tuple(SeatNo(self.bots.index(bot)) for bot in plan.bots)
        self.standing: GameState = start_game(plan.rules, len(plan.seating.teams), players)
        self._plan = plan
        self._sitting = plan.sittings[number]
        self._km = [0] * len(plan.seating.teams)
        self.state: HandState = self._deal()

    def _deal(self) -> HandState:
        plan = self._plan
        board = plan.boards[self._sitting.board]
        frame = make_frame(
            plan.rules,
            plan.seating,
            dealer=self.standing.dealer,
            scores=self.standing.totals,
        )
        self._seen = [0] * plan.seating.players
        self._told = 0
        return start_hand(
            frame,
            board.deck_order(self.hand, plan.rules.deck(plan.seating.players)),
            striped=plan.striped,
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
        return asked(self.state)  # type: ignore[return-value]  # a seat is a SeatNo here

    def play(self, seat: SeatNo, action: Action) -> None:
        """Play a legal action."""
        apply(self.state, seat, action)

    def news(self) -> bytes:
        """The events since this was last asked, with every card: for the record alone."""
        state = self.state
        coded = state.log[2 * (self._told - state.log_start) :]
        self._told = state.log_start + len(state.log) // 2
        return coded

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
            seat=self.seats[bot],
            seating=plan.seating,
            rules=plan.rules,
            limits=plan.limits,
            game=self.in_leg,
            games=len(plan.legs[self.leg]),
            striped=plan.striped,
        )

    def hand_over(self, bot: BotNo, result: HandResult) -> HandOver:
        """What a bot is told about the hand that has just been scored."""
        return HandOver(
            game=self.in_leg,
            hand=self.hand,
            result=result,
            totals=self.standing.totals,
            game_over=self.standing.over,
            game_winner=self.standing.winner,
            seen=self.show(self.seats[bot]),
        )

    def result(self, forfeited: Collection[BotNo] = ()) -> GameResult:
        """How the game ended, or was broken off, if these bots have forfeited by now."""
        team_of = self._plan.seating.team_of
        lost = tuple(sorted({team_of[self.seats[bot]] for bot in forfeited}))
        totals = self.standing.totals
        ranks = _ranks(self.standing, self._km, lost)
        first = [team for team, rank in enumerate(ranks) if rank == 0]
        winner = self.standing.winner if not lost else first[0] if len(first) == 1 else NOBODY
        return GameResult(
            game=self.number,
            board=self._sitting.board,
            rotation=self._sitting.rotation,
            bots=self.bots,
            team_of=team_of,
            hands=self.standing.hands,
            totals=totals,
            km=tuple(self._km),
            winner=NOBODY if winner in lost else winner,
            ranks=ranks,
            forfeited=lost,
            finished=self.standing.over,
        )


def _ranks(standing: GameState, km: Sequence[int], lost: Collection[int]) -> tuple[int, ...]:
    """By team, how many are better: forfeits last, then the winner, points and km decide."""
    keys = [
        (team not in lost, team == standing.winner, total, km[team] if standing.hands == 1 else 0)
        for team, total in enumerate(standing.totals)
    ]
    return tuple(sum(other > key for other in keys) for key in keys)
