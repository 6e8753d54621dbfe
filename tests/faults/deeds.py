"""What a ladder does from uploads to results, in a process that is soon there and may be killed.

Store, intake, director, spool and recorder are the real ones; who builds, validates and plays
answers at once. So a kill at any commit of a whole ladder costs less than one real match.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from arena.storage.backup import restore
from arena.storage.facts import MatchState, Seat
from arena.storage.failpoints import VARIABLE
from arena.storage.store import open_store
from arena.tournament.ladder.health import Health
from arena.tournament.ladder.liveview import Live
from arena.tournament.ladder.spool import Spool
from arena.tournament.uploads import Desk, Reception, server_places
from tests.tournament.ladder.house import (
    PACE,
    AtOnce,
    Hours,
    House,
    ScriptedCrew,
    Verdicts,
    Wishes,
)
from tests.tournament.test_intake import Office

__all__ = ["MATCHES", "OWNERS", "Deeds", "put_back", "run", "whole"]

OWNERS: Final = ("ada", "bob")
MATCHES: Final = 2
_PATIENCE: Final = 60.0


class Deeds(House):
    """A ladder on a data folder that may be there already, as a server finds it at its start."""

    def __init__(self, root: Path) -> None:
        self.hours = Hours()
        self.store = open_store(root / "data", self.hours.moment)
        self.store.remove_leftovers()
        self.book, self.entrants = self.store.matches, self.store.entrants
        self.uploads, self.owners = self.store.uploads, self.store.owners
        self.spool = Spool(self.store.folder.spool)
        self.crew = ScriptedCrew(self.spool)
        self.planner, self.judge = Wishes(), Verdicts()
        self.live = Live(self.hours.monotonic)
        self.told, self.released, self.seats = [], [], []
        self.fault = self.paused = ""
        self.free = 10_000
        self.director = self.make_director(replace(PACE, at_once=2))
        self.reception = self._reception(root)

    def _reception(self, root: Path) -> Reception:
        data = root / "data"
        office = Office(root / "office")
        self.pack = office.pack
        office.places = server_places(data / "archives", data / "artefacts", data / "work")
        office.places.remove_leftovers()
        self.archives = office.places.archives
        return Reception(
            Desk(
                book=self.uploads,
                intake=office.intake,
                archives=self.archives,
                health=Health(lambda: None, AtOnce(), self.hours.monotonic),
                why_not=lambda: "",
                tell=self.tell,
                monotonic=self.hours.monotonic,
            )
        )

    def take_in(self) -> None:
        """Have everybody upload one bot that is built, and take all in."""
        content = self.pack(build=True)
        for owner in OWNERS:
            if self.owners.find(owner) is None:
                self.owners.create(owner)
            digest = self.archives.add([content])
            self.uploads.add(owner, f"the request of {owner}", digest, len(content))
        while self.reception.step():
            pass
        for owner in OWNERS:
            entrant = self.entrants.find(owner, "mine")
            assert entrant is not None, self.told
            assert entrant.version is not None
            self.seats.append(Seat(entrant.number, entrant.version))

    def play(self) -> None:
        """Have all matches played and recorded."""
        self.queue(MATCHES - len(self.book.list().items))
        while self.spool.all() or any(
            one.state is not MatchState.DONE for one in self.book.list().items
        ):
            self.steps(1)
            for job in self.crew.open:
                self.crew.finish(job)
            self.hours.wait(1)


def whole(root: Path) -> None:
    """From uploads to results; again, it goes on where it was."""
    (root / "office").mkdir(exist_ok=True)
    deeds = Deeds(root)
    with contextlib.closing(deeds):
        deeds.take_in()
        deeds.play()


def put_back(root: Path) -> None:
    """Make a data folder of a backup."""
    restore(root / "backup", root / "data")


@contextlib.contextmanager
def _asking(point: str) -> Iterator[None]:
    """A fail point in the environment, or none."""
    os.environ.pop(VARIABLE, None)
    if point:
        os.environ[VARIABLE] = point
    yield


def _do(deed: Callable[[Path], None], root: Path, point: str) -> None:
    with _asking(point):
        deed(root)


def run(deed: Callable[[Path], None], root: Path, point: str = "") -> int:
    """Do it in a process that is killed at a fail point; its exit code, negative for a signal."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([__name__])
    process = processes.Process(target=_do, args=(deed, root, point))
    process.start()
    process.join(_PATIENCE)
    if process.exitcode is None:
        process.kill()
        process.join()
        raise TimeoutError(f"{deed.__name__} at {point or 'no fail point'}: not over in time")
    return process.exitcode
