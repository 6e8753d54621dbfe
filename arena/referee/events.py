"""What can happen in a match, and what the machine wants done: two closed sets of values.

    seats and time  --Event-->  match.Match.handle  --Effect-->  driver  --Message-->  seats

Bots are numbered in the order in which they were named (`BotNo`) and keep their number for the
whole match; the seats (`SeatNo`) that they take at the table rotate from game to game.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, Literal, NewType

from arena.engine.actions import Action
from arena.engine.rulesets import RuleSet
from arena.engine.scoring import HandResult
from arena.engine.seating import Seating
from arena.engine.view import View
from arena.referee.limits import Instant, Nanos, TimeControl

BotNo = NewType("BotNo", int)
"""A bot's number in the match."""

SeatNo = NewType("SeatNo", int)
"""A seat at the table, of one game."""


# -- what can happen --------------------------------------------------------------------------


class Unreadable(Enum):
    """What stands for an action where an answer held none."""

    MALFORMED = auto()


MALFORMED: Final = Unreadable.MALFORMED

Choice = int | Action | Literal[Unreadable.MALFORMED]
"""An index into the prompt's legal actions, an action, or nothing that could be read."""


@dataclass(frozen=True, slots=True)
class Begin:
    """The driver is ready."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A bot took its place."""

    bot: BotNo


@dataclass(frozen=True, slots=True)
class Answered:
    """A bot answered a prompt.

    Attributes:
        bot: Who.
        prompt_id: The prompt that the answer names; empty if the message could not be read at all.
        choice: What it wants to play.
        at: When the message arrived, before anybody read it.
    """

    bot: BotNo
    prompt_id: str
    choice: Choice
    at: Instant


@dataclass(frozen=True, slots=True)
class Gone:
    """A bot's process ended or its stream was closed; `why` in a few words."""

    bot: BotNo
    why: str


@dataclass(frozen=True, slots=True)
class Tick:
    """The machine's deadline has passed and nothing else came before it."""


Event = Begin | Joined | Answered | Gone | Tick


# -- what bots are told -----------------------------------------------------------------------


class RejectionReason(Enum):
    """Why the default action was played for a seat."""

    TIMED_OUT = auto()
    ILLEGAL = auto()
    MALFORMED = auto()


@dataclass(frozen=True, slots=True)
class Welcome:
    """A game begins. Public but for `seat`."""

    seat: SeatNo
    seating: Seating
    rules: RuleSet
    time: TimeControl
    game: int
    games: int


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question to one seat, with everything that the seat may know.

    Attributes:
        prompt_id: Names the prompt; nobody can guess it.
        game: Number of the game in the match, from 0.
        hand: Number of the hand in the game, from 0.
        view: What the seat may know; its `legal` are the answers.
        default: What is played without an answer.
        free_time: What the answer may take at no cost; in a response window, at all.
        bank_left: What the bank holds.
    """

    prompt_id: str
    game: int
    hand: int
    view: View
    default: Action
    free_time: Nanos
    bank_left: Nanos


@dataclass(frozen=True, slots=True)
class Rejection:
    """The default action was played for a seat, and why."""

    prompt_id: str
    reason: RejectionReason
    detail: str
    played: Action


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand has ended. Public but for `seen`.

    Attributes:
        game, hand: Their numbers.
        result: What the hand brought.
        totals: Match points by team after it (hands won, where there are no points).
        game_over: Whether the game has ended too.
        game_winner: The team that won the game, else NOBODY.
        seen: The seat's last view, with the events since it was asked.
    """

    game: int
    hand: int
    result: HandResult
    totals: tuple[int, ...]
    game_over: bool
    game_winner: int
    seen: View


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match has ended; the counts are the receiver's."""

    games: int
    won: int
    drawn: int


Message = Welcome | Prompt | Rejection | HandOver | MatchOver


# -- what the machine wants done --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """Bring a bot to its place, again if it was there: it is to join."""

    bot: BotNo


@dataclass(frozen=True, slots=True)
class Stop:
    """Take a bot away, whatever it does: it has failed for this game."""

    bot: BotNo


@dataclass(frozen=True, slots=True)
class Tell:
    """Send a bot a message."""

    bot: BotNo
    message: Message


@dataclass(frozen=True, slots=True)
class Played:
    """An action was played; nothing has to be done.

    Attributes:
        game, hand: Their numbers.
        seat: Whose action.
        action: What was played.
        answered: The bot chose it; False: it is the default action.
    """

    game: int
    hand: int
    seat: SeatNo
    action: Action
    answered: bool


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended.

    Attributes:
        game: Its number in the match, from 0.
        bots: The bot at each seat.
        team_of: The team of each seat.
        hands: Hands played.
        totals: Match points by team; hands won, where there are no points.
        km: Kilometres by team, over all hands.
        winner: The team that won, else NOBODY.
    """

    game: int
    bots: tuple[BotNo, ...]
    team_of: tuple[int, ...]
    hands: int
    totals: tuple[int, ...]
    km: tuple[int, ...]
    winner: int

    def team(self, bot: BotNo) -> int:
        """The team that a bot played for."""
        return self.team_of[self.bots.index(bot)]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game is over; nothing has to be done."""

    result: GameResult


@dataclass(frozen=True, slots=True)
class Abandon:
    """The match cannot begin because a bot never joined; `why` in a few words."""

    bot: BotNo
    why: str


Effect = Start | Stop | Tell | Played | GameEnded | Abandon
