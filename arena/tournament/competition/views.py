"""What is said of a competition, made from its state; see `lines` for the values.

Who may see results gets all of it, others get what was known before anything was played.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from arena.formats.story import Pairing, Score
from arena.storage.facts import Match, MatchState, OpenRun
from arena.tournament.competition.events import Decided, Scored
from arena.tournament.competition.journal import Line
from arena.tournament.competition.lines import (
    CompetitionInfo,
    EntryLine,
    EntryState,
    NoteLine,
    PairingLine,
    PairingState,
    StageInfo,
    TableLine,
)
from arena.tournament.competition.state import Competition, Stage

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


# -- made ---------------------------------------------------------------------------------------


_ALL: Final = slice(None)


def info_of(here: Competition, last: Line, *, is_visible: bool) -> CompetitionInfo:
    """A competition as somebody may see it who may or may not see its results.

    `last` is the last line of its journal up to which that person may count.
    """
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
        why=here.why or (here.why_no_next if is_visible and not here.is_over else ""),
        length=last.number,
        head=last.chain,
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
    here: Competition,
    stage: Stage,
    matches: Mapping[str, Match | OpenRun],
    wanted: slice = _ALL,
) -> tuple[PairingLine, ...]:
    """The pairings of a stage, or some of them.

    `matches` are those of the store, by what they are played for; of those that are over, what the
    journal says is enough.
    """
    story = stage.story()
    return tuple(
        _pairing_line(here, stage, pairing, story.scores.get(pairing.key), matches)
        for pairing in story.pairings[wanted]
    )


def _pairing_line(
    here: Competition,
    stage: Stage,
    pairing: Pairing,
    score: Score | None,
    matches: Mapping[str, Match | OpenRun],
) -> PairingLine:
    result = stage.results.get(pairing.key)
    match = matches.get(stage.name_of(pairing.key))
    by = None if result is None else result.by
    return PairingLine(
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


def _number(by: Scored | Decided | None, match: Match | OpenRun | None) -> int | None:
    if isinstance(by, Scored):
        return by.match
    if isinstance(match, OpenRun):
        return match.match
    return None if match is None else match.number


_STATES: Final = {
    MatchState.LEASED: PairingState.PLAYING,
    MatchState.SET_ASIDE: PairingState.SET_ASIDE,
    MatchState.CANCELLED: PairingState.CANCELLED,
}


def _state(match: Match | OpenRun | None) -> PairingState:
    return PairingState.WAITING if match is None else _STATES.get(match.state, PairingState.WAITING)
