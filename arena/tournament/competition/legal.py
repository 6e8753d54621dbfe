"""Which events may happen in which phase of a competition, and which phase they lead to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from arena.tournament.competition import events
from arena.tournament.competition.events import Event
from arena.tournament.competition.parts import Phase

__all__ = ["AFTER", "LEGAL", "OVER"]

OVER: Final = frozenset({Phase.FINISHED, Phase.CANCELLED})
"""Nothing that matters happens any more."""

_PLAYING: Final = frozenset({Phase.RUNNING, Phase.PAUSED})
_BEFORE: Final = frozenset({Phase.ANNOUNCED, Phase.OPEN})
_KNOWN: Final = _PLAYING | {Phase.FROZEN}

LEGAL: Final[Mapping[type[Event], frozenset[Phase]]] = {
    events.Announced: frozenset(),  # as the first line, and never again
    events.Opened: frozenset({Phase.ANNOUNCED}),
    events.Entered: _BEFORE,
    events.Left: _BEFORE | {Phase.CLOSING},
    events.Closed: _BEFORE,
    events.Frozen: frozenset({Phase.CLOSING}),
    events.Mixed: frozenset({Phase.FROZEN}),
    events.Started: frozenset({Phase.FROZEN}),
    events.Paused: frozenset({Phase.RUNNING}),
    events.Resumed: frozenset({Phase.PAUSED}),
    events.StageBegun: frozenset({Phase.RUNNING}),
    events.Joined: _KNOWN,
    events.Paired: frozenset({Phase.RUNNING}),
    events.Scored: _PLAYING,
    events.Rerun: _PLAYING,
    events.Decided: _PLAYING,
    events.Withdrawn: _KNOWN,
    events.Disqualified: _KNOWN,
    events.Reinstated: _KNOWN,
    events.Released: frozenset(Phase),
    events.Finished: _PLAYING,
    events.Cancelled: frozenset(Phase) - OVER,
}
"""In which phases an event may happen."""

AFTER: Final[Mapping[type[Event], Phase]] = {
    events.Announced: Phase.ANNOUNCED,
    events.Opened: Phase.OPEN,
    events.Closed: Phase.CLOSING,
    events.Frozen: Phase.FROZEN,
    events.Started: Phase.RUNNING,
    events.Paused: Phase.PAUSED,
    events.Resumed: Phase.RUNNING,
    events.Finished: Phase.FINISHED,
    events.Cancelled: Phase.CANCELLED,
}
"""The phase that an event leads to; others leave it as it is."""
