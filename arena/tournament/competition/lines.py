"""What is said of a competition, as values: the same on both ends of the wire and in an archive.

Bots are named `OWNER/NAME`; times are `storage.facts.Moment`. Nothing is needed to have these but
what a bot author has installed; `views` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arena.formats.story import Way
from arena.storage.facts import Level, Moment
from arena.tournament.competition.phase import Phase

__all__ = [
    "CompetitionInfo",
    "EntryLine",
    "EntryState",
    "NoteLine",
    "PairingLine",
    "PairingState",
    "StageInfo",
    "TableLine",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionInfo:
    """A competition.

    Attributes:
        phase: Where it is; `is_played`: all of it is played, and it may be finished.
        level: Who may see results; `is_visible`: whether the asker may.
        entries: How many play or want to.
        text: Its file, whole.
        commitment: What was published of the secret seed at the freeze; `secret`: the seed itself
            in hexadecimal digits, when it is finished.
        public_value: Which public value was named in advance; `mixed`: the value, once it is known.
        opens, freeze, start, release: What its schedule says.
        why: Why it is paused or cancelled.
        length, head: How many lines its journal has, and their chain; for who may not see results
            those before the first line that tells of some.
    """

    name: str
    title: str
    phase: Phase
    level: Level
    is_visible: bool
    is_played: bool
    entries: int
    stages: int
    text: str
    commitment: str = ""
    secret: str = ""
    public_value: str = ""
    mixed: str = ""
    opens: Moment | None = None
    freeze: Moment | None = None
    start: Moment | None = None
    release: Moment | None = None
    why: str = ""
    length: int = 0
    head: str = ""


class EntryState(StrEnum):
    """How an entry stands."""

    ENTERED = "entered"
    """It wants to play; which version that will be is decided at the freeze."""
    PLAYS = "plays"
    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"
    ABSENT = "absent"
    """It was meant to play, and had nothing that could."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """Who takes part; `ordinal` and `digest` are of the version that plays."""

    title: str
    state: EntryState
    group: str = ""
    ordinal: int = 0
    digest: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageInfo:
    """A stage; `decided` of its `pairings` have a score."""

    number: int
    name: str
    format: str
    is_begun: bool
    is_over: bool
    entries: int = 0
    pairings: int = 0
    decided: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """One line of a table; see `formats.story.Row`."""

    place: int
    title: str
    group: str
    played: int
    points: float
    breaks: tuple[tuple[str, str], ...]
    note: str


class PairingState(StrEnum):
    """How a pairing stands."""

    WAITING = "waiting"
    PLAYING = "playing"
    SET_ASIDE = "set_aside"
    """Every attempt was void or lost: the organiser decides it or has it run again."""
    CANCELLED = "cancelled"
    """An operator has cancelled its match: the organiser decides it or has it run again."""
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingLine:
    """A pairing.

    Attributes:
        teams: The titles of each team, in the order of seats.
        run: How often it was given to be played.
        match: The number of the match that counts or is to count; None: there is none.
        ranks, boards, faults: By team, see `formats.story.Score`; empty without a score.
        way: How the score has come about; None: there is none.
        why: The reason of a decision.
    """

    key: str
    round: int
    title: str
    teams: tuple[tuple[str, ...], ...]
    state: PairingState
    run: int
    match: int | None = None
    ranks: tuple[int, ...] = ()
    boards: tuple[float, ...] = ()
    faults: tuple[int, ...] = ()
    way: Way | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteLine:
    """A line of the journal for people: what has happened, when, by whom.

    `number` is 0 if it would tell how many lines there are before that the asker may not see.
    """

    number: int
    at: Moment
    who: str
    text: str
