r"""What can happen in a match, and what the machine wants done: two closed sets of values.

    seats and time  --Event-->  match.Match.handle  --Effect-->  driver  --Message-->  seats
                                                            \--->  record, progress

Bots are numbered in the order in which they were named (`BotNo`) and keep their number for the
whole match; the seats (`SeatNo`) that they take at the table rotate from game to game.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import Final, Literal, NewType

from arena.engine.actions import Action
from arena.engine.cards import Card
from arena.engine.rulesets import RuleSet
from arena.engine.scoring import HandResult
from arena.engine.seating import Seating
from arena.engine.state import Stage
from arena.engine.view import View
from arena.referee.limits import Instant, Limits, Nanos

BotNo = NewType("BotNo", int)
"""A bot's number in the match."""

SeatNo = NewType("SeatNo", int)
"""A seat at the table, of one game."""


class ForfeitReason(StrEnum):
    """Why a bot has lost whatever the cards say."""

    STARTUP = "STARTUP"
    """It did not join in time, or ended before."""
    TIMEOUT = "TIMEOUT"
    """A time-out was its last strike."""
    ILLEGAL = "ILLEGAL"
    """An illegal answer was its last strike."""
    CRASH = "CRASH"
    """It ended or closed its stream before the end."""
    PROTOCOL = "PROTOCOL"
    """Bytes that are no message, a message or a budget exceeded."""
    RESOURCE = "RESOURCE"
    """It was killed for the memory that it took."""


# -- what can happen --------------------------------------------------------------------------


class Unreadable(Enum):
    """What stands for an action where an answer held none."""

    MALFORMED = auto()


MALFORMED: Final = Unreadable.MALFORMED

Choice = int | Action | Literal[Unreadable.MALFORMED]
"""An index into the prompt's legal actions, an action, or nothing that could be read."""


@dataclass(frozen=True, slots=True)
class Begin:
    """The driver is ready for the first leg, or for the next: nobody of the one before is left."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A bot took its place."""

    bot: BotNo


@dataclass(slots=True)
class Sent:
    """A prompt is just about to be written: its clock starts at `at`."""

    bot: BotNo
    prompt_id: str
    at: Instant


@dataclass(slots=True)
class Answered:
    """A bot answered a prompt.

    Attributes:
        bot: Who.
        prompt_id: The prompt that the answer names.
        choice: What it wants to play.
        at: When the message arrived, before anybody read it.
        orders: Hazards that it answers with a coup fourré until its next answer.
    """

    bot: BotNo
    prompt_id: str
    choice: Choice
    at: Instant
    orders: frozenset[Card] = frozenset()


@dataclass(frozen=True, slots=True)
class Noted:
    """A bot wrote a line for its author."""

    bot: BotNo


@dataclass(frozen=True, slots=True)
class Gone:
    """A bot is lost: its process ended, its stream was closed or had to be; `why` in few words."""

    bot: BotNo
    why: str
    reason: ForfeitReason = ForfeitReason.CRASH


@dataclass(frozen=True, slots=True)
class Lagged:
    """The referee itself stood still for so long, until now."""

    lag: Nanos


@dataclass(frozen=True, slots=True)
class HostFailed:
    """This machine failed: the match cannot be held against any bot."""

    why: str


@dataclass(frozen=True, slots=True)
class Tick:
    """The machine's deadline has passed and nothing else came before it."""


Event = Begin | Joined | Sent | Answered | Noted | Gone | Lagged | HostFailed | Tick


# -- what bots are told -----------------------------------------------------------------------


class RejectionReason(Enum):
    """Why the default action was played for a seat."""

    TIMED_OUT = auto()
    ILLEGAL = auto()
    MALFORMED = auto()


class OutcomeKind(StrEnum):
    """How an attempt at a match ended."""

    COMPLETED = "COMPLETED"
    FORFEIT = "FORFEIT"
    VOID = "VOID"


@dataclass(frozen=True, slots=True)
class Welcome:
    """A game begins. Public but for `seat`.

    `game` and `games` count within the leg: which leg it is, bots are not told. `striped` is how
    the draw pile is dealt.
    """

    seat: SeatNo
    seating: Seating
    rules: RuleSet
    limits: Limits
    game: int
    games: int
    striped: bool


@dataclass(slots=True)
class Prompt:
    """One question to one seat, with everything that the seat may know.

    Attributes:
        prompt_id: Names the prompt; nobody can guess it.
        number: It is the bot's so many-th prompt of the match, from 1.
        game: Number of the game in the leg, from 0.
        hand: Number of the hand in the game, from 0.
        view: What the seat may know; its `legal` are the answers.
        default: What is played without an answer.
        free_time: What the answer may take at no cost; in a response window, at all.
        bank_left: What the bank holds.
    """

    prompt_id: str
    number: int
    game: int
    hand: int
    view: View
    default: Action
    free_time: Nanos
    bank_left: Nanos


@dataclass(frozen=True, slots=True)
class Rejection:
    """The default action was played for a seat, and why; `strikes` are its strikes so far."""

    prompt_id: str
    reason: RejectionReason
    detail: str
    played: Action
    strikes: int


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand has ended. Public but for `seen`.

    Attributes:
        game, hand: Their numbers, the game's in the leg.
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
    """The leg has ended; the counts are the receiver's, `detail` says what broke it off."""

    games: int
    won: int
    drawn: int
    outcome: OutcomeKind
    detail: str


Message = Welcome | Prompt | Rejection | HandOver | MatchOver


# -- what the machine wants done --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """Bring a bot to its place for a leg: it is to join."""

    bot: BotNo
    leg: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Take a bot away, whatever it does: it has forfeited."""

    bot: BotNo


@dataclass(frozen=True, slots=True)
class Tell:
    """Send a bot a message."""

    bot: BotNo
    message: Message


@dataclass(frozen=True, slots=True)
class EndLeg:
    """Let all bots leave, and say `Begin` when nobody is left."""


@dataclass(frozen=True, slots=True)
class GameBegan:
    """A game begins; nothing has to be done. `bots` by seat."""

    game: int
    board: int
    rotation: int
    bots: tuple[BotNo, ...]


@dataclass(frozen=True, slots=True)
class WindowOpened:
    """A response window opens; nothing has to be done, and nobody has been asked yet.

    Attributes:
        number: The window's number in the match, from 1.
        attack: The hazard.
        team: Under attack.
        seats: Who may answer.
        lasts: How long it stays open at most; 0 for standing orders.
    """

    number: int
    game: int
    hand: int
    attack: Card
    team: int
    seats: tuple[SeatNo, ...]
    lasts: Nanos


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """It closes; `answered_by` declared a coup fourré, None: nobody did."""

    number: int
    answered_by: SeatNo | None


@dataclass(slots=True)
class Played:
    """An action was played; nothing has to be done.

    Attributes:
        game, hand: Their numbers, the game's in the match.
        seat, bot: Whose action.
        stage: What was asked.
        action: What was played.
        answered: The bot chose it; False: it is the default action.
        prompt: The bot's prompt that it answers, by number; 0 where the bot was not asked.
        spent: What the bot took, from just before the prompt was written until its answer came or
            its time was up; without `lag`.
        lag: What was given back to it because this machine stood still.
        bank_left: What its bank holds after it.
        fault: Why the default action was played, None if it was not or nobody was there.
        events: What happened, in the engine's codes: everything, so for the record alone.
    """

    game: int
    hand: int
    seat: SeatNo
    bot: BotNo
    stage: Stage
    action: Action
    answered: bool
    prompt: int
    spent: Nanos
    lag: Nanos
    bank_left: Nanos
    fault: str | None
    events: bytes


@dataclass(frozen=True, slots=True)
class Surplus:
    """A message of a bot changed nothing and was counted; nothing has to be done.

    `late_by` is for an answer whose prompt's time was up.
    """

    bot: BotNo
    fault: str
    late_by: Nanos | None = None


@dataclass(frozen=True, slots=True)
class HandEnded:
    """A hand is over; nothing has to be done. Totals by team after it."""

    game: int
    hand: int
    result: HandResult
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended.

    Attributes:
        game: Its number in the match, from 0.
        board, rotation: What was dealt, and how far the bots had moved on.
        bots: The bot at each seat.
        team_of: The team of each seat.
        hands: Hands played.
        totals: Match points by team; hands won, where there are no points.
        km: Kilometres by team, over all hands.
        winner: The team that won, else NOBODY.
        ranks: By team, 0 for the best; equal ones share. Who forfeited ranks last.
        forfeited: Teams with a bot that has forfeited, in this game or before it.
        finished: Whether it was played to its end.
    """

    game: int
    board: int
    rotation: int
    bots: tuple[BotNo, ...]
    team_of: tuple[int, ...]
    hands: int
    totals: tuple[int, ...]
    km: tuple[int, ...]
    winner: int
    ranks: tuple[int, ...]
    forfeited: tuple[int, ...]
    finished: bool

    def team(self, bot: BotNo) -> int:
        """The team that a bot played for."""
        return self.team_of[self.bots.index(bot)]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game is over; nothing has to be done."""

    result: GameResult


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A bot has lost the match.

    Attributes:
        bot: Who.
        reason: The kind of fault.
        detail: The same in words, with limit, value and moment.
        game: The game in which it happened, by number.
    """

    bot: BotNo
    reason: ForfeitReason
    detail: str
    game: int


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A bot forfeits; nothing has to be done that `Stop` does not say."""

    forfeit: Forfeit


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an attempt at a match ended: the forfeits in their order, or what the host did wrong."""

    kind: OutcomeKind
    forfeits: tuple[Forfeit, ...] = ()
    void: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over; nothing has to be done."""

    verdict: Verdict


Effect = (
    Start
    | Stop
    | Tell
    | EndLeg
    | GameBegan
    | WindowOpened
    | WindowClosed
    | Played
    | Surplus
    | HandEnded
    | GameEnded
    | Forfeited
    | Ended
)
