"""What has competitions go on: their keeping, and a thread that conducts them."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from arena.errors import HostFault
from arena.storage.facts import Clock
from arena.storage.store import Store
from arena.tournament.competition.conductor import Conductor, plays_alone
from arena.tournament.competition.freezing import Freezer, Roster
from arena.tournament.competition.keeping import Keeping
from arena.tournament.ladder.ports import Tell
from arena.tournament.verbs_competitions import Desk

__all__ = ["Conducting", "desk_of", "make_conducting"]

_LOOK: Final = 1.0
"""Seconds between two looks at what the clock has brought about."""

_REST: Final = 10.0
"""Seconds before the next try when the store could not be used."""


class Conducting:
    """The thread's body and what it needs.

    Attributes:
        desk: What the verbs stand on.
    """

    def __init__(
        self, desk: Desk, conductor: Conductor, tell: Tell, on_match: Callable[[], object]
    ) -> None:
        self._keeping = desk.keeping
        self._conductor = conductor
        self._tell = tell
        self._on_match = on_match
        self._is_alone = False
        self._wanted = threading.Event()
        self._is_stopped = False
        self.desk = replace(desk, wake=self.wake)

    @property
    def ladder_stands_still(self) -> bool:
        """Whether a competition is played beside which the ladder is not."""
        return self._is_alone

    def wake(self) -> None:
        """There may be something to do."""
        self._wanted.set()

    def stop(self) -> None:
        """End the thread."""
        self._is_stopped = True
        self.wake()

    def look(self) -> None:
        """Do what there is to do now; raises HostFault."""
        self._conductor.step()
        was_alone, self._is_alone = self._is_alone, plays_alone(self._keeping.running())
        if was_alone and not self._is_alone:
            self._on_match()  # there are places again for others

    def run(self) -> None:
        """Conduct until it is stopped."""
        has_failed = False
        while not self._is_stopped:
            self._wanted.clear()
            try:
                self.look()
            except HostFault as fault:
                if not has_failed:
                    self._tell("trouble", alert=True, part="competitions", why=str(fault))
                has_failed = True
                self._wanted.wait(_REST)
            except Exception as error:
                # A mistake of ours must not end all competitions: it is told, with where it was.
                where = "".join(traceback.format_exception(error))
                self._tell("mistake", alert=True, part="competitions", why=repr(error), trace=where)
                self._wanted.wait(_REST)
            else:
                has_failed = False
                self._wanted.wait(_LOOK)


def make_conducting(
    store: Store, clock: Clock, tell: Tell, on_match: Callable[[], object]
) -> Conducting:
    """Everything for a store; `on_match` is called when there are new matches."""
    desk = desk_of(store, clock)
    conductor = Conductor(desk.keeping, desk.freezer, clock, tell, on_match)
    return Conducting(desk, conductor, tell, on_match)


def desk_of(store: Store, clock: Clock) -> Desk:
    """What the verbs of competitions stand on."""
    return Desk(
        keeping=Keeping(store.competitions, clock),
        freezer=Freezer(Roster(store.entrants, store.standings, store.uploads)),
        clock=clock,
        records=store.records,
    )
