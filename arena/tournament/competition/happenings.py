"""What each event changes in a competition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from arena.formats.story import Departure, Field, Score, Way
from arena.tournament.competition import events
from arena.tournament.competition.events import Event
from arena.tournament.competition.matching import games_of
from arena.tournament.competition.parts import Absence, PlayedPairing, Stage

if TYPE_CHECKING:
    from arena.tournament.competition.state import Competition

__all__ = ["CHANGES", "field_of", "happen", "plain_field"]


def happen(here: Competition, event: Event) -> None:
    """Change what an event changes, but for the phase."""
    CHANGES[type(event)](here, event)


def field_of(here: Competition, event: events.StageBegun) -> Field:
    """The field of a stage that begins."""
    return Field(
        entrants=len(event.entries),
        seed=bytes.fromhex(event.seed),
        teams=here.regulations.field_teams,
        groups=event.groups,
    )


def plain_field(here: Competition, entrants: int) -> Field:
    """A field of so many, to see whether a stage can be played with it."""
    return Field(entrants=entrants, seed=bytes(32), teams=here.regulations.field_teams)


def _nothing(here: Competition, event: Event) -> None:
    """All that it changes is the phase."""


def _stopped(here: Competition, event: events.Paused | events.Cancelled) -> None:
    here.why = event.why


def _resumed(here: Competition, _: events.Resumed) -> None:
    here.why = ""


def _entered(here: Competition, event: events.Entered) -> None:
    here.applicants[event.title] = event.group


def _left(here: Competition, event: events.Left) -> None:
    del here.applicants[event.title]


def _closed(here: Competition, event: events.Closed) -> None:
    here.closed, here.active = event.moment, dict(event.active)


def _frozen(here: Competition, event: events.Frozen) -> None:
    here.entries, here.absent = list(event.entries), event.absent
    here.commitment = event.commitment
    here.applicants = {}


def _mixed(here: Competition, event: events.Mixed) -> None:
    here.mixed = event.value


def _stage_begun(here: Competition, event: events.StageBegun) -> None:
    here.stages.append(
        Stage(
            number=event.stage,
            rules=here.regulations.stages[event.stage - 1],
            entries=list(event.entries),
            field=field_of(here, event),
        )
    )


def _joined(here: Competition, event: events.Joined) -> None:
    here.entries.append(event.entry)
    # Who had nothing that could play at the freeze may have it by now.
    here.absent = tuple(one for one in here.absent if one[0] != event.entry.title)
    if not here.stages:
        return  # it begins with all others
    stage = here.stages[-1]
    stage.joined[len(stage.entries)] = stage.rounds + 1
    stage.entries.append(len(here.entries) - 1)


def _paired(here: Competition, event: events.Paired) -> None:
    stage = here.stages[event.stage - 1]
    stage.pairings.update({one.key: one for one in event.pairings})
    stage.runs.update({one.key: 1 for one in event.pairings})


def _scored(here: Competition, event: events.Scored) -> None:
    here.stages[event.stage - 1].results[event.key] = PlayedPairing(event.score, event)


def _decided(here: Competition, event: events.Decided) -> None:
    stage = here.stages[event.stage - 1]
    nothing = (0,) * len(event.ranks)
    plain = Score(ranks=event.ranks, boards=nothing, faults=nothing, way=Way.DECISION)
    # A table that counts boards has to be worth as much as one that was played.
    games = games_of(here, stage, stage.pairings[event.key])
    shares = tuple(plain.share(team) * games for team in range(len(event.ranks)))
    score = replace(plain, boards=shares)
    if event.key in stage.results:
        stage.earlier.append(stage.results[event.key])
    stage.results[event.key] = PlayedPairing(score, event)


def _rerun(here: Competition, event: events.Rerun) -> None:
    stage = here.stages[event.stage - 1]
    if event.key in stage.results:
        stage.earlier.append(stage.results.pop(event.key))
    stage.runs[event.key] += 1


def _withdrawn(here: Competition, event: events.Withdrawn) -> None:
    _leave(here, event, is_disqualified=False)


def _disqualified(here: Competition, event: events.Disqualified) -> None:
    _leave(here, event, is_disqualified=True)


def _leave(
    here: Competition, event: events.Withdrawn | events.Disqualified, *, is_disqualified: bool
) -> None:
    # Who has left before and is put out afterwards has been gone since then.
    before = here.out.get(event.entry)
    since = here.announced if before is None else before.since
    here.out[event.entry] = Absence(event.why, is_disqualified, since)
    for stage in here.stages:
        if event.entry in stage.entries:
            place = stage.entries.index(event.entry)
            after = stage.gone[place].after if place in stage.gone else stage.rounds
            stage.gone[place] = Departure(after, is_disqualified=is_disqualified)


def _reinstated(here: Competition, event: events.Reinstated) -> None:
    del here.out[event.entry]
    for stage in here.stages:
        if event.entry not in stage.entries:
            continue
        place = stage.entries.index(event.entry)
        del stage.gone[place]
        for pairing in stage.to_play():
            if place in pairing.entrants:
                # Its match was cancelled when the entry left, and a match is never taken up again.
                stage.runs[pairing.key] += 1


def _released(here: Competition, event: events.Released) -> None:
    here.level = event.level


def _finished(here: Competition, event: events.Finished) -> None:
    here.secret = event.secret
    if here.regulations.schedule.release is None:
        here.level = here.regulations.release.after


CHANGES: Final[Mapping[type[Event], Callable[[Any, Any], None]]] = {
    events.Announced: _nothing,
    events.Opened: _nothing,
    events.Entered: _entered,
    events.Left: _left,
    events.Closed: _closed,
    events.Frozen: _frozen,
    events.Mixed: _mixed,
    events.Started: _nothing,
    events.Paused: _stopped,
    events.Resumed: _resumed,
    events.StageBegun: _stage_begun,
    events.Joined: _joined,
    events.Paired: _paired,
    events.Scored: _scored,
    events.Rerun: _rerun,
    events.Decided: _decided,
    events.Withdrawn: _withdrawn,
    events.Disqualified: _disqualified,
    events.Reinstated: _reinstated,
    events.Released: _released,
    events.Finished: _finished,
    events.Cancelled: _stopped,
}
"""By event, what it does; every event is here."""
