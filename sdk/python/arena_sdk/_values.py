"""What a bot is told besides prompts, as frozen values. Times are seconds.

A word of the protocol that is newer than this SDK reads as UNKNOWN, or as None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from arena.engine import scoring
from arena.engine.actions import Action
from arena.engine.codes import Event
from arena.engine.rulesets import RuleSet
from arena.engine.scoring import Item
from arena.engine.seating import Seating
from arena.engine.state import NOBODY, Reason


class WindowMode(StrEnum):
    """How it is found out whether an attack is answered with a coup fourré."""

    PROMPT = "prompt"
    """The attacked team is asked; the window closes when all who are asked have answered."""
    SEALED = "sealed"
    """The same, but the window lasts its full time unless a coup fourré is played."""
    STANDING = "standing"
    """Nobody is asked: standing orders decide at once."""
    UNKNOWN = "unknown"


class RejectionReason(StrEnum):
    """Why the default action was played for a seat."""

    TIMED_OUT = "timed_out"
    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    UNKNOWN = "unknown"


class Outcome(StrEnum):
    """How it ended."""

    COMPLETED = "completed"
    """All games were played out."""
    FORFEIT = "forfeit"
    """A bot has forfeited."""
    VOID = "void"
    """The host has failed: the match does not count and is played again."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """How long answers may take, in seconds.

    Attributes:
        start_up: From the start of the bot's process until it has joined.
        turn: Free time for each prompt but those of a response window.
        bank: What prompts take beyond `turn` comes out of it; one for each game.
        response_window: For a response, never charged to the bank.
    """

    start_up: float = 20.0
    turn: float = 1.0
    bank: float = 30.0
    response_window: float = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultBudget:
    """What a bot may do wrong in a match before it forfeits.

    Attributes:
        max_strikes: Prompts that timed out or were answered with something illegal; so many of
            them are a forfeit. 1 in strict play.
        messages_per_prompt: Messages for each prompt, the answer and notes together.
        surplus_messages: Messages beyond that, and answers that are late, doubled or to no prompt;
            more of them are a forfeit.
        note_bytes: Bytes of a note that are kept.
    """

    max_strikes: int = 3
    messages_per_prompt: int = 4
    surplus_messages: int = 64
    note_bytes: int = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """Who knows what at the table.

    Attributes:
        discards_face_down: Only who discarded a card knows it.
        striped_draw: The draw pile is dealt into one stripe for each seat.
        frozen_between_prompts: A bot stands still while it has no open prompt.
    """

    discards_face_down: bool
    striped_draw: bool
    frozen_between_prompts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Welcome:
    """A game begins.

    Attributes:
        seat: Your seat in this game, from 0; it changes from leg to leg.
        seating: Who plays with whom: `seating.teams`, `seating.team_of[seat]`.
        rules: The rules, every option.
        time: How long answers may take.
        window_mode: How response windows are run.
        faults: What you may do wrong, and how often.
        knowledge: Who knows what.
        game: Number of this game, from 0.
        games: How many games will be played on this stream.
    """

    seat: int
    seating: Seating
    rules: RuleSet
    time: TimeControl
    window_mode: WindowMode
    faults: FaultBudget
    knowledge: Knowledge
    game: int
    games: int

    @property
    def team(self) -> int:
        """Your team in this game."""
        return self.seating.team_of[self.seat]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """The default action was played for you.

    Attributes:
        reason: Why.
        detail: The same in words, with limits and values.
        played: What was played.
        strikes: Your strikes so far. A missed response window is none.
    """

    reason: RejectionReason
    detail: str
    played: Action | None
    strikes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """A hand is over.

    Attributes:
        game, hand: Their numbers, as in prompts.
        reason: Why it ended.
        winner: The team that finished or, in a game without points, was ahead; else None.
        km: Kilometres by team, bonus included.
        points: Points of this hand by team; empty where the game has none.
        sheets: By team, where they come from; empty where the game has none.
        scores: Match points by team after this hand; hands won, where the game has no points.
        game_over: The game has ended with it.
        game_winner: The team that won the game; None while it goes on, and for a draw.
        events: What happened since you were last asked.
    """

    game: int
    hand: int
    reason: Reason | None
    winner: int | None
    km: tuple[int, ...]
    points: tuple[int, ...]
    sheets: tuple[Mapping[Item, int], ...]
    scores: tuple[int, ...]
    game_over: bool
    game_winner: int | None
    events: tuple[Event, ...] = ()

    @classmethod
    def of(  # noqa: PLR0913 - what a hand's own result does not say
        cls,
        result: scoring.HandResult,
        *,
        game: int,
        hand: int,
        scores: tuple[int, ...],
        game_over: bool,
        game_winner: int,
        events: tuple[Event, ...],
    ) -> Self:
        """The engine's result of a hand as a bot is told of it; nobody is NOBODY there."""
        return cls(
            game=game,
            hand=hand,
            reason=result.reason,
            winner=team_or_none(result.winner),
            km=result.km,
            points=result.points,
            sheets=result.sheets,
            scores=scores,
            game_over=game_over,
            game_winner=team_or_none(game_winner),
            events=events,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """It is over for this process.

    Attributes:
        games: Games played, of which
        won: your team won, and
        drawn: nobody won.
        outcome: How it ended.
        detail: What broke it off, with limits and values; empty if nothing did.
    """

    games: int
    won: int
    drawn: int
    outcome: Outcome
    detail: str = ""

    @property
    def lost(self) -> int:
        """Games that another team won."""
        return self.games - self.won - self.drawn


def team_or_none(team: int) -> int | None:
    """A team in the engine's numbers, where -1 is nobody, as a bot is told of it."""
    return None if team == NOBODY else team
