"""What cannot happen in a competition, although its phase would allow it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from arena.errors import InputError, quoted
from arena.formats.story import Pairing
from arena.formats.swiss import Swiss
from arena.tournament.competition import events
from arena.tournament.competition.events import Event, FrozenEntry
from arena.tournament.competition.happenings import field_of, plain_field
from arena.tournament.competition.regulations import Source

if TYPE_CHECKING:
    from arena.tournament.competition.parts import Absence, Stage
    from arena.tournament.competition.state import Competition

__all__ = ["check", "check_stages"]


def check(here: Competition, event: Event) -> None:
    """Refuse what does not fit to what there is.

    Raises:
        InputError: the message says what is not so.
    """
    checking = _CHECKS.get(type(event))
    if checking is not None:
        checking(here, event)


def _entered(here: Competition, event: events.Entered) -> None:
    rules, title = here.regulations.entrants, event.title
    if title in here.applicants:
        raise InputError(f"{quoted(title)}: is entered already")
    owner = title.partition("/")[0]
    own = [one for one in here.applicants if one.partition("/")[0] == owner]
    if len(own) >= rules.per_owner:
        raise InputError(
            f"{quoted(title)}: {owner} has {len(own)} of {rules.per_owner} entries: "
            f"{', '.join(own)}; take one back first"
        )
    if len(here.applicants) >= rules.most:
        raise InputError(f"{quoted(title)}: all {rules.most} places are taken")
    if event.group != here.regulations.group_of(owner):
        raise InputError(f"{quoted(title)}: is not of the group {quoted(event.group)}")
    _require_eligible(here, title)


def _require_eligible(here: Competition, title: str) -> None:
    owner = title.partition("/")[0]
    if not here.regulations.may_enter(owner):
        raise InputError(f"{quoted(title)}: {owner} is in none of its groups")


def _left(here: Competition, event: events.Left) -> None:
    if event.title not in here.applicants:
        raise InputError(f"{quoted(event.title)}: is not entered")


def _frozen(_: Competition, event: events.Frozen) -> None:
    titles = [one.title for one in event.entries]
    if len(set(titles)) < len(titles):
        raise InputError("frozen: an entry is there twice")


def _mixed(here: Competition, _: events.Mixed) -> None:
    if not here.regulations.seed.public:
        raise InputError("the regulations name no public value that could be mixed in")
    if here.mixed:
        raise InputError("the public value is mixed in already")


def _started(here: Competition, _: events.Started) -> None:
    if here.regulations.seed.public and not here.mixed:
        raise InputError(f"the public value is not mixed in yet: {here.regulations.seed.public}")
    check_stages(here, len(here.entries) - len(here.out))


def check_stages(here: Competition, entrants: int) -> None:
    """Refuse so many entrants if one of the stages could not be played with those who come to it.

    Raises:
        InputError: the message names the stage.
    """
    coming = entrants
    for number, rules in enumerate(here.regulations.stages, 1):
        try:
            rules.format.check(plain_field(here, coming))
        except InputError as error:
            raise InputError(
                f"stage {number}, {rules.name}, cannot be played with the {coming} that would come "
                f"to it: {error}"
            ) from None
        coming = min(rules.advance or coming, coming)


def _stage_begun(here: Competition, event: events.StageBegun) -> None:
    if event.stage != len(here.stages) + 1 or event.stage > len(here.regulations.stages):
        raise InputError(f"stage {event.stage}: does not follow {len(here.stages)}")
    if len(set(event.entries)) < len(event.entries):
        raise InputError(f"stage {event.stage}: an entry is there twice")
    for entry in event.entries:
        if not 0 <= entry < len(here.entries) or entry in here.out:
            raise InputError(f"stage {event.stage}: entry {entry} does not play")
    here.regulations.stages[event.stage - 1].format.check(field_of(here, event))


def _joined(here: Competition, event: events.Joined) -> None:
    title = event.entry.title
    if any(one.title == title for one in here.entries):
        raise InputError(f"{title}: plays already, or has played")
    if event.entry.group != here.regulations.group_of(event.entry.owner):
        raise InputError(f"{title}: is not of the group {quoted(event.entry.group)}")
    _require_eligible(here, title)
    if here.regulations.entrants.source is Source.OPEN:
        _require_room(here, event.entry)
    if event.stage != len(here.stages):
        raise InputError(f"stage {event.stage}: {_begun(here)}, and only that one can be joined")
    if here.stages:
        _require_round_left(here.stages[-1])


def _require_room(here: Competition, entry: FrozenEntry) -> None:
    """Refuse a late entry beyond what entries are limited to; who is out takes no place."""
    rules = here.regulations.entrants
    playing = [one for number, one in enumerate(here.entries) if number not in here.out]
    own = [one.title for one in playing if one.owner == entry.owner]
    if len(own) >= rules.per_owner:
        raise InputError(
            f"{entry.title}: {entry.owner} has {len(own)} of {rules.per_owner} entries: "
            f"{', '.join(own)}"
        )
    if len(playing) >= rules.most:
        raise InputError(f"{entry.title}: all {rules.most} places are taken")


def _begun(here: Competition) -> str:
    return f"the last that has begun is {len(here.stages)}" if here.stages else "none has begun"


def _require_round_left(stage: Stage) -> None:
    """Refuse latecomers of a stage that has begun, if nothing is left for them."""
    if not stage.rules.format.takes_latecomers:
        raise InputError(f"stage {stage.number}: nobody can join it any more")
    form = stage.rules.format
    if stage.is_over or (isinstance(form, Swiss) and stage.rounds >= form.rounds_of(stage.field)):
        raise InputError(f"stage {stage.number}: has no round left that could be joined")


def _paired(here: Competition, event: events.Paired) -> None:
    stage = here.stage_of(event.stage)
    for pairing in event.pairings:
        if pairing.key in stage.pairings:
            raise InputError(f"pairing {pairing.key} of stage {event.stage}: is there already")
        for place in pairing.entrants:
            if not 0 <= place < len(stage.entries):
                raise InputError(f"pairing {pairing.key}: nobody has the place {place}")


def _scored(here: Competition, event: events.Scored) -> None:
    _check_ranks(here, event.stage, event.key, event.score.ranks)
    stage = here.stages[event.stage - 1]
    what = f"pairing {event.key} of stage {event.stage}"
    if event.run != stage.runs[event.key]:
        raise InputError(f"{what}: run {event.run} does not count, but {stage.runs[event.key]}")
    if event.key in stage.results:
        raise InputError(f"{what}: has a result already")


def _decided(here: Competition, event: events.Decided) -> None:
    _check_ranks(here, event.stage, event.key, event.ranks)


def _rerun(here: Competition, event: events.Rerun) -> None:
    pairing = _played_pairing(here, event.stage, event.key)
    stage = here.stages[event.stage - 1]
    for place in pairing.entrants:
        if place in stage.gone:
            title = here.entries[stage.entries[place]].title
            raise InputError(
                f"pairing {event.key} of stage {event.stage}: {title} plays no more, so it cannot "
                "be played again; decide it instead"
            )


def _out(here: Competition, event: events.Withdrawn | events.Disqualified) -> None:
    _require_entry(here, event.entry)
    absence = here.out.get(event.entry)
    # Leaving is no way out of being disqualified.
    is_put_out = isinstance(event, events.Disqualified)
    if absence is not None and (absence.is_disqualified or not is_put_out):
        raise InputError(f"{here.entries[event.entry].title}: plays no more already")


def _reinstated(here: Competition, event: events.Reinstated) -> None:
    _require_entry(here, event.entry)
    title = here.entries[event.entry].title
    absence = here.out.get(event.entry)
    if absence is None:
        raise InputError(f"{title}: plays; there is nothing to take back")
    if here.announced != absence.since:
        raise InputError(
            f"{title}: it is too late to take that back: {_announced_since(here, absence)}, and "
            "others were paired without it"
        )


def _announced_since(here: Competition, absence: Absence) -> str:
    """What was announced since somebody left."""
    stage = here.stages[-1]
    begun, announced = absence.since
    if stage.number > begun:
        return f"stage {stage.number}, {stage.rules.name}, has begun since it left"
    titles = [one.title for one in stage.pairings.values()][announced:]
    what = titles[0] if len(titles) == 1 else f"{len(titles)} pairings from {titles[0]} on"
    return f"{what} of stage {stage.number} {'was' if len(titles) == 1 else 'were'} announced since"


def _require_entry(here: Competition, entry: int) -> None:
    if not 0 <= entry < len(here.entries):
        raise InputError(f"entry {entry}: there are {len(here.entries)}, from 0")


def _finished(here: Competition, _: events.Finished) -> None:
    for stage in here.stages:
        scores = stage.story().scores
        waiting = [one.title for one in stage.pairings.values() if one.key not in scores]
        if waiting:
            raise InputError(f"stage {stage.number}, {waiting[0]}: is not played yet")
    if not here.is_played:
        raise InputError("not all of it is played yet")


def _played_pairing(here: Competition, number: int, key: str) -> Pairing:
    """A pairing for which a match is played."""
    stage = here.stage_of(number)
    if key not in stage.pairings:
        raise InputError(f"pairing {quoted(key)}: stage {number} has none of this name")
    if stage.pairings[key].is_bye:
        raise InputError(f"pairing {key} of stage {number}: is a bye")
    return stage.pairings[key]


def _check_ranks(here: Competition, number: int, key: str, ranks: tuple[int, ...]) -> None:
    pairing = _played_pairing(here, number, key)
    if len(ranks) != len(pairing.teams) or min(ranks) != 1 or max(ranks) > len(ranks):
        raise InputError(
            f"pairing {key} of stage {number}: has {len(pairing.teams)} teams, so many ranks, "
            f"from 1; {', '.join(map(str, ranks))} are not that"
        )


_CHECKS: Final[Mapping[type[Event], Callable[[Any, Any], None]]] = {
    events.Entered: _entered,
    events.Left: _left,
    events.Frozen: _frozen,
    events.Mixed: _mixed,
    events.Started: _started,
    events.StageBegun: _stage_begun,
    events.Joined: _joined,
    events.Paired: _paired,
    events.Scored: _scored,
    events.Decided: _decided,
    events.Rerun: _rerun,
    events.Withdrawn: _out,
    events.Disqualified: _out,
    events.Reinstated: _reinstated,
    events.Finished: _finished,
}
