"""What is said of a competition, as values: the same on both ends of the wire and in an archive.

Bots are named `OWNER/NAME`; times are `storage.facts.Moment`. Who may see results gets all of it,
others get what was known before anything was played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.formats.story import Way
from arena.storage.facts import Match, MatchState, Moment
from arena.tournament.competition.events import Decided, Level, Scored
from arena.tournament.competition.journal import Journal
from arena.tournament.competition.state import Competition, Phase, Stage

__all__ = [
    "CompetitionInfo",
    "EntryLine",
    "EntryState",
    "NoteLine",
    "PairingLine",
    "PairingState",
    "StageInfo",
    "TableLine",
    "entries_of",
    "info_of",
    "pairings_of",
    "stage_info",
    "stages_of",
    "table_of",
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
        length, head: How many lines its journal has, and their chain.
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
    """A line of the journal for people: what has happened, when, by whom."""

    number: int
    at: Moment
    who: str
    text: str


# -- made ---------------------------------------------------------------------------------------


def info_of(here: Competition, journal: Journal, *, is_visible: bool) -> CompetitionInfo:
    """A competition as somebody may see it who may or may not see its results."""
    rules = here.regulations
    return CompetitionInfo(
        name=rules.name,
        title=rules.title,
        phase=here.phase,
        level=here.level,
        is_visible=is_visible,
        is_played=is_visible and here.is_played,
        entries=len(here.entries) or len(here.applicants),
        stages=len(rules.stages),
        text=rules.text,
        commitment=here.commitment,
        secret=here.secret,
        public_value=rules.seed.public,
        mixed=here.mixed,
        opens=rules.schedule.opens,
        freeze=rules.schedule.freeze,
        start=rules.schedule.start,
        release=rules.schedule.release,
        why=here.why,
        length=journal.length,
        head=journal.head,
    )


def entries_of(here: Competition, *, is_visible: bool) -> tuple[EntryLine, ...]:
    """Who takes part, in the order of the freeze."""
    if here.applicants:
        return tuple(
            EntryLine(title=title, state=EntryState.ENTERED, group=group)
            for title, group in sorted(here.applicants.items())
        )
    found = []
    for number, entry in enumerate(here.entries):
        absence = here.out.get(number) if is_visible else None
        state = EntryState.PLAYS
        if absence is not None:
            out = absence.is_disqualified
            state = EntryState.DISQUALIFIED if out else EntryState.WITHDRAWN
        found.append(
            EntryLine(
                title=entry.title,
                state=state,
                group=entry.group,
                ordinal=entry.ordinal,
                digest=entry.digest,
                why="" if absence is None else absence.why,
            )
        )
    absent = (
        EntryLine(title=title, state=EntryState.ABSENT, why=why) for title, why in here.absent
    )
    return (*found, *absent)


def stages_of(here: Competition) -> tuple[StageInfo, ...]:
    """All stages, those that have not begun included."""
    begun = tuple(map(stage_info, here.stages))
    rest = tuple(
        StageInfo(number=number, name=rules.name, format=rules.kind, is_begun=False, is_over=False)
        for number, rules in enumerate(here.regulations.stages, 1)
        if number > len(begun)
    )
    return begun + rest


def stage_info(stage: Stage) -> StageInfo:
    """A stage that has begun."""
    story = stage.story()
    return StageInfo(
        number=stage.number,
        name=stage.rules.name,
        format=stage.rules.kind,
        is_begun=True,
        is_over=stage.rules.format.is_over(story),
        entries=len(stage.entries),
        pairings=len(story.pairings),
        decided=len(story.scores),
    )


def table_of(here: Competition, stage: Stage) -> tuple[TableLine, ...]:
    """The table of a stage, from the first place to the last."""
    lines = []
    for row in stage.rules.format.table(stage.story()):
        entry = here.entries[stage.entries[row.entrant]]
        lines.append(
            TableLine(
                place=row.place,
                title=entry.title,
                group=entry.group,
                played=row.played,
                points=row.points,
                breaks=row.breaks,
                note=row.note,
            )
        )
    return tuple(lines)


def pairings_of(
    here: Competition, stage: Stage, matches: Mapping[str, Match]
) -> tuple[PairingLine, ...]:
    """The pairings of a stage; `matches` are those of the store, by what they are played for."""
    story = stage.story()
    found = []
    for pairing in story.pairings:
        score = story.scores.get(pairing.key)
        result = stage.results.get(pairing.key)
        match = matches.get(stage.name_of(pairing.key))
        by = None if result is None else result.by
        found.append(
            PairingLine(
                key=pairing.key,
                round=pairing.round,
                title=pairing.title,
                teams=tuple(
                    tuple(here.entries[stage.entries[place]].title for place in team)
                    for team in pairing.teams
                ),
                state=PairingState.DONE if score is not None else _state(match),
                run=stage.runs[pairing.key],
                match=_number(by, match),
                ranks=() if score is None else score.ranks,
                boards=() if score is None else score.boards,
                faults=() if score is None else score.faults,
                way=None if score is None else score.way,
                why=by.why if isinstance(by, Decided) else "",
            )
        )
    return tuple(found)


def _number(by: Scored | Decided | None, match: Match | None) -> int | None:
    if isinstance(by, Scored):
        return by.match
    return None if match is None else match.number


_STATES: Final = {
    MatchState.LEASED: PairingState.PLAYING,
    MatchState.SET_ASIDE: PairingState.SET_ASIDE,
    MatchState.CANCELLED: PairingState.CANCELLED,
}


def _state(match: Match | None) -> PairingState:
    return PairingState.WAITING if match is None else _STATES.get(match.state, PairingState.WAITING)
