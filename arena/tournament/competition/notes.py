"""The journal for people: what each line says, in a sentence."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from arena.formats.story import Pairing
from arena.tournament.competition import events
from arena.tournament.competition.events import Event
from arena.tournament.competition.journal import Line
from arena.tournament.competition.state import Competition
from arena.tournament.competition.views import NoteLine

__all__ = ["countable", "note_of", "notes_of", "spoils"]

_SPOILERS: Final = (
    events.StageBegun,
    events.Joined,
    events.Paired,
    events.Scored,
    events.Rerun,
    events.Decided,
    events.Withdrawn,
    events.Disqualified,
    events.Reinstated,
)


def spoils(event: Event) -> bool:
    """Whether an event tells of results: who may not see those does not hear of it."""
    if isinstance(event, events.Joined) and not event.stage:
        return False  # before the first stage there are none
    return isinstance(event, _SPOILERS)


def countable(lines: Sequence[Line], *, is_visible: bool) -> Line:
    """The last line of a journal up to which somebody may count.

    Who knew how many lines there are would know how many matches are over.
    """
    if is_visible:
        return lines[-1]
    return list(itertools.takewhile(lambda line: not spoils(line.event), lines))[-1]


def notes_of(here: Competition, lines: Sequence[Line], *, is_visible: bool) -> tuple[NoteLine, ...]:
    """The lines of a journal that somebody may see.

    Those after the first that is left out have the number 0: their own would tell how many are.
    """
    if is_visible:
        return tuple(note_of(here, line) for line in lines)
    last = countable(lines, is_visible=False).number
    notes = (note_of(here, line) for line in lines if not spoils(line.event))
    return tuple(note if note.number <= last else replace(note, number=0) for note in notes)


def note_of(here: Competition, line: Line) -> NoteLine:
    """One line; `here` has taken it in."""
    text = _TEXTS[type(line.event)](here, line.event)
    return NoteLine(number=line.number, at=line.at, who=line.who, text=text)


def _entered(_: Competition, event: events.Entered) -> str:
    return f"{event.title} enters{f', group {event.group}' if event.group else ''}"


def _frozen(_: Competition, event: events.Frozen) -> str:
    lacking = f"; {len(event.absent)} had nothing that could play" if event.absent else ""
    return f"frozen with {len(event.entries)} entries{lacking}; the seed is committed to"


def _stage_begun(here: Competition, event: events.StageBegun) -> str:
    name = here.regulations.stages[event.stage - 1].name
    return f"stage {event.stage}, {name}, begins with {len(event.entries)} entries"


def _joined(_: Competition, event: events.Joined) -> str:
    return f"{event.entry.title} {'joins' if event.stage else 'is added to the entries'}"


def _paired(_: Competition, event: events.Paired) -> str:
    return f"stage {event.stage}: announced {_spoken(event.pairings)}"


def _scored(here: Competition, event: events.Scored) -> str:
    ranks = ", ".join(_sides(here, event.stage, event.key, event.score.ranks))
    return f"{_where(here, event)}: {ranks} (match {event.match})"


def _rerun(here: Competition, event: events.Rerun) -> str:
    return f"{_where(here, event)}: is played again: {event.why}"


def _decided(here: Competition, event: events.Decided) -> str:
    sides = ", ".join(_sides(here, event.stage, event.key, event.ranks))
    return f"{_where(here, event)}: decided: {sides}: {event.why}"


_TEXTS: Final[Mapping[type[Event], Callable[[Competition, Any], str]]] = {
    events.Announced: lambda here, event: "announced, with these regulations",
    events.Opened: lambda here, event: "open for entries",
    events.Entered: _entered,
    events.Left: lambda here, event: f"{event.title} takes its entry back",
    events.Closed: lambda here, event: (
        "no more entries; what is uploaded from now on does not count"
    ),
    events.Frozen: _frozen,
    events.Mixed: lambda here, event: f"the public value is {event.value}",
    events.Started: lambda here, event: "play begins",
    events.Paused: lambda here, event: f"paused: {event.why}",
    events.Resumed: lambda here, event: "goes on",
    events.StageBegun: _stage_begun,
    events.Joined: _joined,
    events.Paired: _paired,
    events.Scored: _scored,
    events.Rerun: _rerun,
    events.Decided: _decided,
    events.Withdrawn: lambda here, event: (
        f"{here.entries[event.entry].title} withdraws: {event.why}"
    ),
    events.Disqualified: lambda here, event: (
        f"{here.entries[event.entry].title} is disqualified: {event.why}"
    ),
    events.Reinstated: lambda here, event: (
        f"{here.entries[event.entry].title} plays on, as if it had never left: {event.why}"
    ),
    events.Released: lambda here, event: f"results are released to: {event.level}",
    events.Finished: lambda here, event: "finished: the result stands, and the seed is told",
    events.Cancelled: lambda here, event: f"cancelled: {event.why}",
}


def _where(here: Competition, event: events.Scored | events.Rerun | events.Decided) -> str:
    title = here.stages[event.stage - 1].pairings[event.key].title
    return f"stage {event.stage}, {title}"


def _spoken(pairings: Sequence[Pairing]) -> str:
    if len(pairings) == 1:
        return pairings[0].title
    return f"{len(pairings)} pairings, {pairings[0].title} to {pairings[-1].title}"


def _sides(here: Competition, number: int, key: str, ranks: Sequence[int]) -> list[str]:
    """Each team with its rank, the best first."""
    stage = here.stages[number - 1]
    teams = stage.pairings[key].teams
    found = []
    for rank, team in sorted(zip(ranks, teams, strict=True), key=lambda one: one[0]):
        titles = "+".join(here.entries[stage.entries[place]].title for place in team)
        found.append(f"{rank}. {titles}")
    return found
