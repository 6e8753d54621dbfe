"""Who may have written which line of a journal: the arena itself, an owner, or an operator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from arena.errors import quoted
from arena.storage.facts import Moment
from arena.tournament.competition import events
from arena.tournament.competition.journal import ITSELF, Line
from arena.tournament.competition.state import Competition

__all__ = ["wrong_writer"]

_OWNER: Final = "owner "

_ARENA_ALONE: Final = (events.Frozen, events.StageBegun, events.Paired, events.Scored)
_BY_SCHEDULE: Final[Mapping[type[object], str]] = {
    events.Opened: "opens",
    events.Closed: "freeze",
    events.Started: "start",
    events.Released: "release",
}
"""What operators write and the arena too, at the moment that the schedule has by this name."""


def wrong_writer(here: Competition, line: Line) -> str:
    """Why a line cannot be by whom it says, given what there was before it; empty: it can."""
    if line.who == ITSELF:
        return _by_itself(here, line)
    if isinstance(line.event, _ARENA_ALONE):
        return f"was written by {quoted(line.who)}; the arena alone writes such lines"
    if line.who.startswith(_OWNER):
        return _by_owner(here, line)
    return ""


def _by_itself(here: Competition, line: Line) -> str:
    if isinstance(line.event, _ARENA_ALONE):
        return ""
    name = _BY_SCHEDULE.get(type(line.event))
    if name is None:
        return "was written by the arena itself; only people write such lines"
    moment: Moment | None = getattr(here.regulations.schedule, name)
    if moment is not None:
        return _at_its_moment(here, line, name, moment)
    if isinstance(line.event, events.Opened):
        return ""  # without a moment it opens at once
    return f"was written by the arena itself, though the schedule has no {name}"


def _at_its_moment(here: Competition, line: Line, name: str, moment: Moment) -> str:
    event, after = line.event, here.regulations.release.after
    if line.at < moment:
        return f"was written by the arena itself at {line.at}, before {name} at {moment}"
    if isinstance(event, events.Closed) and event.moment != moment:
        return f"its moment is {quoted(event.moment)}; the schedule has {moment}"
    if isinstance(event, events.Released) and event.level is not after:
        return f'its level is "{event.level}"; the schedule releases to "{after}"'
    return ""


def _by_owner(here: Competition, line: Line) -> str:
    event = line.event
    if isinstance(event, events.Entered | events.Left):
        title = event.title
    elif isinstance(event, events.Withdrawn):
        title = here.entries[event.entry].title
    else:
        return f"was written by {quoted(line.who)}; only operators write such lines"
    if title.partition("/")[0] == line.who.removeprefix(_OWNER):
        return ""
    return f"was written by {quoted(line.who)}, and is about {quoted(title)}"
