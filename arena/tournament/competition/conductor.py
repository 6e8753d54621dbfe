"""The conductor: has competitions go on by themselves.

    its schedule   it opens, closes, starts and is released at the moments that its file names
    freeze         as soon as no upload that counts is under way, or the grace is over
    results        matches that are done become scores
    what is due    stages begin, pairings are announced, and their matches are made

All of it follows from the store and the clock, in steps that each are one transaction. So it goes
on where it was, whatever has ended the server in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from arena.errors import InputError
from arena.storage.facts import Clock, Moment
from arena.tournament.competition import events
from arena.tournament.competition.due import due
from arena.tournament.competition.events import Event
from arena.tournament.competition.freezing import Freezer
from arena.tournament.competition.journal import ITSELF
from arena.tournament.competition.keeping import Keeping, Kept
from arena.tournament.competition.results import results_of
from arena.tournament.competition.state import Competition, Phase
from arena.tournament.ladder.ports import Tell

__all__ = ["Conductor", "plays_alone"]


class Conductor:
    """Has the competitions of a server go on; `on_match` is called when there are new matches."""

    def __init__(
        self,
        keeping: Keeping,
        freezer: Freezer,
        clock: Clock,
        tell: Tell,
        on_match: Callable[[], object],
    ) -> None:
        self._keeping = keeping
        self._freezer = freezer
        self._clock = clock
        self._tell = tell
        self._on_match = on_match
        self._told: dict[str, str] = {}

    def step(self) -> None:
        """Do all that there is to do now.

        Raises:
            HostFault: the store cannot be read or written; nothing is half done.
        """
        for name in self._keeping.running_names():
            try:
                self._conduct(name)
            except InputError as error:
                # What cannot go on needs a person, and must not keep the others from going on.
                self._stuck(name, str(error))
            else:
                self._told.pop(name, None)

    def _stuck(self, name: str, why: str) -> None:
        if self._told.get(name) != why:
            self._told[name] = why
            self._tell("competition stuck", alert=True, competition=name, why=why)

    def _conduct(self, name: str) -> None:
        length = self._keeping.find(name).competition.length
        while True:
            now = self._clock()
            kept = self._keeping.act(name, ITSELF, partial(self._next, name, now), at=now)
            if kept.competition.length == length:
                return
            length = kept.competition.length
            self._on_match()

    def _next(self, name: str, now: Moment, here: Competition) -> Sequence[Event]:
        """What happens now; nothing, if there is nothing."""
        return (
            self._scheduled(now, here)
            or self._frozen(name, now, here)
            or results_of(self._keeping, name, here)
            or self._due(name, here)
        )

    # -- what the schedule says -----------------------------------------------------------------

    def _scheduled(self, now: Moment, here: Competition) -> Sequence[Event]:
        schedule = here.regulations.schedule

        def is_past(moment: int | None) -> bool:
            return moment is not None and moment <= now

        if here.phase is Phase.ANNOUNCED and (schedule.opens is None or is_past(schedule.opens)):
            return [events.Opened()]
        if here.phase is Phase.OPEN and is_past(schedule.freeze):
            assert schedule.freeze is not None
            return [self._freezer.closed(here, schedule.freeze)]
        if here.phase is Phase.FROZEN and is_past(schedule.start) and not _lacks_value(here):
            return [events.Started()]
        after = here.regulations.release.after
        if here.phase is Phase.FINISHED and is_past(schedule.release) and here.level is not after:
            return [events.Released(after)]
        return []

    def _frozen(self, name: str, now: Moment, here: Competition) -> Sequence[Event]:
        if here.phase is not Phase.CLOSING or here.closed is None:
            return []
        grace = here.regulations.schedule.grace * 1000
        if now < here.closed + grace and self._freezer.waits(here):
            return []
        commitment = self._keeping.commitment(self._keeping.find(name))
        return [self._freezer.frozen(here, commitment)]

    # -- what is due ----------------------------------------------------------------------------

    def _due(self, name: str, here: Competition) -> Sequence[Event]:
        if here.phase is not Phase.RUNNING:
            return []
        event = due(here, self._keeping.seed_of(self._keeping.find(name)))
        return [] if event is None else [event]


def plays_alone(running: Sequence[Kept]) -> bool:
    """Whether a competition is played, or paused, beside which the ladder stands still."""
    return any(
        kept.competition.phase in (Phase.RUNNING, Phase.PAUSED)
        and not kept.competition.is_played
        and not kept.competition.regulations.ladder.beside
        for kept in running
    )


def _lacks_value(here: Competition) -> bool:
    return bool(here.regulations.seed.public) and not here.mixed
