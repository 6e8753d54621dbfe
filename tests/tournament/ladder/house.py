"""A ladder's house for tests: a real store, a clock that is set by hand, and a scripted crew."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from arena.errors import HostFault
from arena.storage.entrants import Entrants
from arena.storage.facts import (
    Lease,
    Match,
    MatchKind,
    Moment,
    NewMatch,
    NewVersion,
    Report,
    Seat,
    SeatReport,
)
from arena.storage.matches import Matches
from arena.storage.owners import Owners
from arena.storage.store import open_store
from arena.storage.uploads import Uploads
from arena.submissions.shelf import Version as ShelfVersion
from arena.tournament.ladder.attempt import Done, News, RatedSpec
from arena.tournament.ladder.company import Company, Pace
from arena.tournament.ladder.director import Director
from arena.tournament.ladder.liveview import Live
from arena.tournament.ladder.recording import Recorder
from arena.tournament.ladder.specs import spec_of
from arena.tournament.ladder.spool import Spool, Spooled
from arena.tournament.ladder.terms import Terms
from arena.tournament.matches import Venue
from arena.workers.pool import WorkerLost
from tests.tournament.trials import bot

T = TypeVar("T")

PACE = Pace(worker="here", at_once=1, lease=60_000, renewal=10.0, look=5.0, drain=30.0, floor=1000)
EXPRESS = Terms(preset="express", boards=1)


class Hours:
    """A clock that stands still until it is moved; `moment` and `monotonic` go together."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def moment(self) -> Moment:
        return Moment(int(self.now * 1000))

    def monotonic(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


class AtOnce(Executor):
    """Runs what is submitted at once."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@dataclass
class Job:
    """An attempt that the crew has been given."""

    rated: RatedSpec
    hear: Callable[[News], None]
    future: Future[Done]
    is_ended: bool = False

    @property
    def key(self) -> tuple[int, int]:
        return self.rated.match, self.rated.attempt


class ScriptedCrew:
    """A crew whose attempts end as a test says."""

    def __init__(self, spool: Spool) -> None:
        self.jobs: list[Job] = []
        self._spool = spool

    def begin(self, rated: RatedSpec, hear: Callable[[News], None]) -> Future[Done]:
        future: Future[Done] = Future()
        future.set_running_or_notify_cancel()
        self.jobs.append(Job(rated, hear, future))
        self._spool.record_path(rated.match, rated.attempt).write_bytes(b"begun\n")
        return future

    def end(self, future: Future[Done]) -> None:
        for job in self.jobs:
            if job.future is future:
                job.is_ended = True

    @property
    def open(self) -> list[Job]:
        return [job for job in self.jobs if not job.future.done()]

    @property
    def job(self) -> Job:
        """The only one that is being played."""
        (job,) = self.open
        return job

    def write(self, job: Job, verdict: str = "COMPLETED", **more: Any) -> None:
        """Leave what a process leaves that has come to its end."""
        match, attempt = job.key
        path = self._spool.record_path(match, attempt)
        path.write_bytes(f"record of {match}-{attempt}\n".encode())
        self._spool.write(spooled(job.rated, path.read_bytes(), verdict, **more))

    def finish(self, job: Job | None = None, verdict: str = "COMPLETED", **more: Any) -> None:
        job = job or self.job
        self.write(job, verdict, **more)
        job.future.set_result(Done(*job.key, verdict))

    def lose(self, job: Job | None = None, why: str = "a worker was killed by SIGKILL") -> None:
        (job or self.job).future.set_exception(WorkerLost(why))


def spooled(
    rated: RatedSpec, record: bytes, verdict: str, forfeit: int | None = None, why: str = ""
) -> Spooled:
    logs = tuple(f"bot {seat}\n" for seat in range(len(rated.spec.bots)))
    teams = len(rated.spec.seating.teams)
    seats = tuple(
        SeatReport(
            points=0,
            wins=float(seat == 0),
            forfeit="CRASH" if seat == forfeit else "",
            log=hashlib.sha256(log.encode()).hexdigest(),
        )
        for seat, log in enumerate(logs)
    )
    report = Report(
        match=rated.match,
        attempt=rated.attempt,
        token=rated.token,
        verdict=verdict,
        why=why or verdict,
        ranks=() if verdict == "VOID" else tuple(range(teams)),
        seats=seats,
        games=2,
        record=hashlib.sha256(record).hexdigest(),
        head="0" * 64,
        started=Moment(1000),
        ended=Moment(2000),
        machine_time=1000,
    )
    return Spooled(report, logs)


@dataclass
class Wishes:
    """A planner that wants what it is told."""

    wanted: list[NewMatch] = field(default_factory=list)
    asked: int = 0

    def next(self, playing: Collection[NewMatch]) -> NewMatch | None:
        self.asked += 1
        return self.wanted.pop(0) if self.wanted else None


@dataclass
class Verdicts:
    """A judge that writes down what it hears."""

    heard: list[Report] = field(default_factory=list)
    failures: list[tuple[int, int]] = field(default_factory=list)

    def recorded(self, lease: Lease, report: Report) -> None:
        assert (lease.match, lease.attempt) == (report.match, report.attempt)
        self.heard.append(report)

    def failed(self, lease: Lease) -> None:
        self.failures.append((lease.match, lease.attempt))


class House:
    """A store with two owners' entrants, and a director over it."""

    def __init__(self, folder: Path, pace: Pace = PACE) -> None:
        self.hours = Hours()
        self.store = open_store(folder / "data", self.hours.moment)
        self.book = Matches(self.store.database, self.hours.moment)
        self.entrants = Entrants(self.store.database, self.hours.moment)
        self.uploads = Uploads(self.store.database, self.hours.moment)
        self.owners = Owners(self.store.database, self.hours.moment)
        self.spool = Spool(self.store.folder.spool)
        self.crew = ScriptedCrew(self.spool)
        self.planner = Wishes()
        self.judge = Verdicts()
        self.live = Live(self.hours.monotonic)
        self.told: list[tuple[str, dict[str, object]]] = []
        self.released: list[Lease] = []
        self.fault = ""  # of the engine
        self.paused = ""
        self.free = 10_000
        self.seats = [self.enter(owner) for owner in ("ada", "bob")]
        self.director = self.make_director(pace)

    def enter(self, owner: str, name: str = "mine") -> Seat:
        if self.owners.find(owner) is None:
            self.owners.create(owner)
        upload = self.uploads.add(owner, f"{owner}-{name}", "0" * 64, 1)
        assert self.uploads.begin() is not None
        version = self.uploads.finish_accepted(upload.number, new_version(name))
        return Seat(version.entrant, version.number)

    def make_director(self, pace: Pace = PACE, **other: Any) -> Director:
        recorder = Recorder(self.book, self.store.records, self.store.logs, self.spool, self.tell)
        company = Company(
            book=self.book,
            planner=self.planner,
            recorder=recorder,
            spool=self.spool,
            live=self.live,
            crew=self.crew,
            prepare=self.prepare,
            release=self.released.append,
            helpers=AtOnce(),
            probe=self.probe,
            judge=self.judge,
            why_paused=lambda: self.paused,
            free_space=lambda: self.free,
            tell=self.tell,
            monotonic=self.hours.monotonic,
        )
        return Director(replace(company, **other), pace)

    def tell(self, event: str, /, **facts: object) -> None:
        self.told.append((event, facts))

    @property
    def alerts(self) -> list[str]:
        return [event for event, facts in self.told if facts.get("alert")]

    def probe(self) -> None:
        if self.fault:
            raise HostFault(self.fault)

    def prepare(self, lease: Lease) -> RatedSpec:
        versions = []
        for seat in lease.new.seats:
            version = self.entrants.version(seat.version)
            assert version is not None
            versions.append(version)
        bots = [bot(f"bot{seat}") for seat in range(len(versions))]
        return spec_of(lease, versions, bots, Venue(records=self.spool.folder))

    def new_match(self, kind: MatchKind = MatchKind.RATED) -> NewMatch:
        return NewMatch(
            kind=kind,
            table="express-2",
            seats=tuple(self.seats),
            teams=((0,), (1,)),
            terms=EXPRESS.as_json(),
            cause="a test",
        )

    def queue(self, count: int = 1) -> list[int]:
        return [self.book.create(self.new_match()) for _ in range(count)]

    def match(self, number: int) -> Match:
        found = self.book.find(number)
        assert found is not None
        return found

    def steps(self, count: int = 3) -> None:
        for _ in range(count):
            self.director.step()

    def wait(self, seconds: float, *, beating: bool = False) -> None:
        """Let time pass, in steps of a second."""
        for _ in range(int(seconds)):
            self.hours.wait(1)
            for job in self.crew.open if beating else ():
                job.hear(News())
            self.director.step()

    def close(self) -> None:
        self.store.close()


def new_version(name: str) -> NewVersion:
    manifest = replace(bot(name), folder=Path())
    version = ShelfVersion(archive="0" * 64, artefact="1" * 64, image="", manifest=manifest)
    return NewVersion(
        digest=version.digest,
        archive=version.archive,
        artefact=version.artefact,
        image=version.image,
        name=name,
        label="1",
        content=version.as_bytes(),
        players=manifest.players,
        rulesets=manifest.rulesets,
    )
