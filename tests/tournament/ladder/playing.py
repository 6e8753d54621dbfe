"""A ladder that plays for real: bots as processes, in a pool; also as a program to be killed.

    python -m tests.tournament.ladder.playing DATA MATCHES

plays so many matches of two example bots and ends; started again after a kill it goes on.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from arena.app.rated import calendar, run_and_report
from arena.referee.limits import limits_from
from arena.referee.runner import monotonic
from arena.storage.entrants import Entrants
from arena.storage.facts import Lease, MatchKind, MatchState, NewMatch, NewVersion, Report, Seat
from arena.storage.matches import Matches
from arena.storage.owners import Owners
from arena.storage.store import Store, open_store
from arena.storage.uploads import Uploads
from arena.submissions.limits import ArchiveLimits
from arena.submissions.manifest import example_bots, read_manifest
from arena.submissions.packing import pack_folder
from arena.submissions.shelf import Version
from arena.tournament.ladder.attempt import Done, RatedSpec
from arena.tournament.ladder.company import Company, Pace
from arena.tournament.ladder.crew import PlayRated, PoolCrew
from arena.tournament.ladder.director import Director
from arena.tournament.ladder.liveview import Live
from arena.tournament.ladder.pantry import Pantry
from arena.tournament.ladder.recording import Recorder
from arena.tournament.ladder.specs import Preparation, Sources
from arena.tournament.ladder.spool import Spool
from arena.tournament.ladder.terms import RATED_LIMITS, Terms
from arena.tournament.matches import Venue
from arena.tournament.uploads import server_places
from arena.workers.pool import MatchPool

SHORT = Terms(
    preset="express",
    boards=1,
    hands=1,
    limits=limits_from({"response_window": 0.02}, RATED_LIMITS),
)
PACE = Pace(worker="here", at_once=1, lease=60_000, renewal=0.1, look=0.2, drain=30.0, floor=1)


def seconds() -> float:
    return monotonic() / 1e9


def pid_file(rated: RatedSpec) -> Path:
    """Where `play_and_tell` says who it is."""
    return rated.spool.parent / "work" / f"pid-{rated.match}-{rated.attempt}"


def play_and_tell(report: Callable[[object], None], rated: RatedSpec) -> Done:
    """Play an attempt, after having written down the number of this process."""
    aside = pid_file(rated).with_suffix(".new")
    aside.write_text(str(os.getpid()))
    aside.rename(pid_file(rated))
    return run_and_report(report, rated)


class NoPlan:
    def next(self, playing: object) -> None:
        return None


class Bell:
    """A judge that rings at every result."""

    def __init__(self) -> None:
        self.heard = threading.Event()

    def recorded(self, lease: Lease, report: Report) -> None:
        self.heard.set()

    def failed(self, lease: Lease) -> None:
        self.heard.set()


class Grounds:
    """A store with two example bots of two owners, and what is needed to have them play."""

    def __init__(self, data: Path) -> None:
        self.store: Store = open_store(data, calendar)
        database = self.store.database
        self.book = Matches(database, calendar)
        self.entrants = Entrants(database, calendar)
        self.places = server_places(data / "archives", data / "artefacts", data / "work" / "intake")
        self.spool = Spool(self.store.folder.spool)
        self.live = Live(seconds, delay=0.0)
        self.judge = Bell()
        self.told: list[tuple[str, dict[str, object]]] = []
        self.seats = [
            self.enter(owner, name) for owner, name in (("ada", "random"), ("bob", "cautious"))
        ]
        self.preparation = Preparation(
            Sources(
                find_version=self.entrants.version,
                pantry=Pantry(self.places.artefacts, data / "work" / "pantry"),
                venue=Venue(records=self.spool.folder),
                missing_images=lambda images: (),
                probe=lambda: None,
                heartbeat=0.2,
            )
        )

    def enter(self, owner: str, name: str) -> Seat:
        """What an accepted upload of an example bot leaves."""
        database = self.store.database
        owners, uploads = Owners(database, calendar), Uploads(database, calendar)
        if owners.find(owner) is None:
            owners.create(owner)
        if (entrant := self.entrants.find(owner, name)) is not None and entrant.version:
            return Seat(entrant.number, entrant.version)
        folder = example_bots()[name]
        content = pack_folder(folder, ArchiveLimits()).content
        digest = self.places.artefacts.add([content])
        manifest = replace(read_manifest(folder), folder=Path())
        version = Version(archive=digest, artefact=digest, image="", manifest=manifest)
        upload = uploads.add(owner, name, digest, len(content))
        uploads.requeue_interrupted()
        uploads.begin()
        stored = uploads.finish_accepted(
            upload.number,
            NewVersion(
                digest=version.digest,
                archive=digest,
                artefact=digest,
                image="",
                name=name,
                label=manifest.version,
                content=version.as_bytes(),
                players=manifest.players,
                rulesets=manifest.rulesets,
            ),
        )
        return Seat(stored.entrant, stored.number)

    def new_match(self, terms: Terms = SHORT) -> NewMatch:
        return NewMatch(
            kind=MatchKind.RATED,
            table="express-2",
            seats=tuple(self.seats),
            teams=((0,), (1,)),
            terms=terms.as_json(),
        )

    def queue(self, count: int = 1, terms: Terms = SHORT) -> list[int]:
        return [self.book.create(self.new_match(terms)) for _ in range(count)]

    def tell(self, event: str, /, **facts: object) -> None:
        self.told.append((event, facts))

    def prepare(self, lease: Lease) -> RatedSpec:
        return self.preparation.prepare(lease)

    @contextlib.contextmanager
    def directed(
        self, pace: Pace = PACE, play: PlayRated = run_and_report
    ) -> Iterator[tuple[Director, MatchPool]]:
        """A director in a thread of its own; it has drained when this is left."""
        with (
            MatchPool(pace.at_once + pace.ahead, preload=("arena.app.rated",), grace=0.5) as pool,
            ThreadPoolExecutor(1) as helpers,
        ):
            recorder = Recorder(
                self.book, self.store.records, self.store.logs, self.spool, self.tell
            )
            director = Director(
                Company(
                    book=self.book,
                    planner=NoPlan(),
                    recorder=recorder,
                    spool=self.spool,
                    live=self.live,
                    crew=PoolCrew(pool, play),
                    prepare=self.prepare,
                    release=self.preparation.release,
                    helpers=helpers,
                    probe=self.preparation.probe,
                    judge=self.judge,
                    why_paused=lambda: "",
                    free_space=lambda: 10**9,
                    tell=self.tell,
                    monotonic=seconds,
                ),
                pace,
            )
            thread = threading.Thread(target=director.run, name="director")
            thread.start()
            try:
                yield director, pool
            finally:
                director.stop()
                thread.join()

    def close(self) -> None:
        self.store.close()


def main(data: Path, count: int) -> None:
    grounds = Grounds(data)
    try:
        missing = count - len(grounds.book.list().items)
        grounds.queue(max(0, missing))
        with grounds.directed() as (director, _):
            over = (MatchState.DONE, MatchState.SET_ASIDE)
            while any(match.state not in over for match in grounds.book.list().items):
                grounds.judge.heard.wait(0.2)
                grounds.judge.heard.clear()
            assert not director.is_over
    finally:
        grounds.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
