"""Uploads on their way through a real store: accepted, refused, failed, and killed on the way."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import HostFault, SubmissionError
from arena.storage.entrants import Entrants
from arena.storage.facts import Upload, UploadState, VersionState
from arena.storage.owners import Owners
from arena.storage.store import open_store
from arena.storage.uploads import Uploads
from arena.submissions.bottoml import Manifest
from arena.submissions.limits import Rule
from arena.tournament.intake import Intake
from arena.tournament.ladder.health import Health
from arena.tournament.uploads import Desk, Reception, server_places
from tests.tournament.ladder.house import AtOnce, Hours
from tests.tournament.test_intake import Office


class Counter(Office):
    """An office whose versions are in a database."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        data = folder / "data"
        self.hours = Hours()
        self.store = open_store(data, self.hours.moment)
        self.places = server_places(data / "archives", data / "artefacts", data / "work")
        database = self.store.database
        self.uploads = Uploads(database, self.hours.moment)
        self.entrants = Entrants(database, self.hours.moment)
        for owner in ("ada", "bob"):
            Owners(database, self.hours.moment).create(owner)
        self.told: list[tuple[str, dict[str, object]]] = []
        self.why_not = ""
        self.unwanted: set[str] = set()
        self.engine = ""
        self.changes = 0
        self.requests = 0
        self.reception = self.make_reception()

    def make_reception(self) -> Reception:
        intake: Intake = self.intake
        return Reception(
            Desk(
                book=self.uploads,
                intake=intake,
                archives=self.places.archives,
                health=Health(self.probe, AtOnce(), self.hours.monotonic),
                why_not=lambda: self.why_not,
                tell=self.tell,
                monotonic=self.hours.monotonic,
                changed=self.change,
                admit=self.admit,
            )
        )

    def tell(self, event: str, /, **facts: object) -> None:
        self.told.append((event, facts))

    def admit(self, owner: str, bot: Manifest) -> None:
        if owner in self.unwanted:
            raise SubmissionError(Rule.MANIFEST, f"{bot.name} has no place here")

    def probe(self) -> None:
        if self.engine:
            raise HostFault(self.engine)

    def change(self) -> None:
        self.changes += 1

    def send(self, content: bytes, owner: str = "ada") -> int:
        digest = self.places.archives.add([content])
        self.requests += 1
        return self.uploads.add(owner, f"request {self.requests}", digest, len(content)).number

    def upload(self, number: int) -> Upload:
        found = self.uploads.find(number)
        assert found is not None
        return found


@pytest.fixture
def counter(tmp_path: Path) -> Iterator[Counter]:
    counter = Counter(tmp_path)
    try:
        yield counter
    finally:
        counter.store.close()


def test_an_upload_becomes_the_version_that_plays(counter: Counter) -> None:
    number = counter.send(counter.pack(build=True))
    assert counter.reception.step()
    upload = counter.upload(number)
    assert upload.state is UploadState.ACCEPTED
    assert upload.bot == "mine"
    assert [step for step, _ in upload.told] == ["check", "store", "build", "validate"]
    assert upload.report["passed"]
    entrant = counter.entrants.find("ada", "mine")
    assert entrant is not None
    assert entrant.version == upload.version
    version = counter.entrants.version(upload.version or 0)
    assert version is not None
    assert version.state is VersionState.ACTIVE
    assert version.artefact in counter.places.artefacts
    assert counter.changes == 1
    assert not counter.reception.step()


def test_the_same_archive_again_is_the_same_version(counter: Counter) -> None:
    content = counter.pack()
    numbers = [counter.send(content), counter.send(content)]
    assert counter.reception.step()
    assert counter.reception.step()
    one, other = [counter.upload(number).version for number in numbers]
    assert one == other


def test_a_refused_upload_says_why_and_the_version_before_plays_on(counter: Counter) -> None:
    first = counter.send(counter.pack("1"))
    assert counter.reception.step()
    counter.table.lost = "exited with code 1"
    second = counter.send(counter.pack("2"))
    counter.reception = counter.make_reception()
    assert counter.reception.step()
    upload = counter.upload(second)
    assert (upload.state, upload.step) == (UploadState.REFUSED, "validate")
    assert upload.why == ("express, 2 players: CRASH: exited with code 1",)
    assert not upload.report["passed"]
    entrant = counter.entrants.find("ada", "mine")
    assert entrant is not None
    assert entrant.version == counter.upload(first).version
    assert counter.changes == 1


def test_a_bot_that_has_no_place_is_refused_before_it_costs_anything(counter: Counter) -> None:
    counter.unwanted.add("bob")
    number = counter.send(counter.pack(build=True), "bob")
    counter.reception.step()
    found = counter.upload(number)
    assert found.state is UploadState.REFUSED
    assert found.step == "check"
    assert "has no place here" in found.why[0]
    assert counter.entrants.find("bob", "hasty") is None


def test_what_this_machine_fails_at_is_tried_three_times_and_set_aside(counter: Counter) -> None:
    counter.bench.fault = "disk full"
    number = counter.send(counter.pack(build=True))
    for attempt in (1, 2, 3):
        counter.hours.wait(120)
        assert counter.reception.step()
        assert counter.upload(number).attempts == attempt
    assert counter.upload(number).state is UploadState.SET_ASIDE
    counter.hours.wait(120)
    assert not counter.reception.step()


def test_without_an_engine_uploads_wait_and_go_on_by_themselves(counter: Counter) -> None:
    counter.bench.fault = counter.engine = "the Docker engine cannot answer"
    number = counter.send(counter.pack(build=True))
    assert counter.reception.step()
    for _ in range(100):
        counter.hours.wait(10)
        assert not counter.reception.step()
    assert counter.upload(number).state is UploadState.QUEUED
    assert counter.upload(number).attempts == 1
    counter.bench.fault = counter.engine = ""
    counter.hours.wait(61)
    assert counter.reception.step()
    assert counter.upload(number).state is UploadState.ACCEPTED


def test_a_full_disk_lets_uploads_wait(counter: Counter) -> None:
    counter.why_not = "the disk is full"
    number = counter.send(counter.pack())
    assert not counter.reception.step()
    assert counter.upload(number).state is UploadState.QUEUED
    counter.why_not = ""
    assert counter.reception.step()


def test_an_archive_that_is_gone_is_this_machines_fault(counter: Counter) -> None:
    number = counter.uploads.add("ada", "x", "0" * 64, 1).number
    assert counter.reception.step()
    assert counter.upload(number).state is UploadState.QUEUED
    assert counter.upload(number).why == (
        f"attempt 1: no archive {'0' * 64} is stored (rule: digest)",
    )


@pytest.mark.parametrize("at", ["at", "told", "finish_accepted"])
def test_killed_at_any_moment_it_comes_to_the_same_version(
    counter: Counter, at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = counter.send(counter.pack(build=True))

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(counter.uploads, at, killed)
        with pytest.raises(KeyboardInterrupt):
            counter.reception.step()
    assert counter.upload(number).state is UploadState.AT_WORK
    counter.reception = counter.make_reception()  # as at the next start
    assert counter.reception.step()
    upload = counter.upload(number)
    assert (upload.state, upload.attempts) == (UploadState.ACCEPTED, 2)
    entrant = counter.entrants.find("ada", "mine")
    assert entrant is not None
    assert len(counter.entrants.versions(entrant.number).items) == 1


def test_a_store_that_fails_at_the_end_costs_no_upload(
    counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = counter.send(counter.pack())

    def gone(*_: object) -> None:
        raise HostFault("database: is gone")

    with monkeypatch.context() as patch:
        for name in ("finish_accepted", "failed"):
            patch.setattr(counter.uploads, name, gone)
        assert counter.reception.step()
    counter.hours.wait(60)
    assert counter.reception.step()  # what was left at work has been put back before
    assert counter.upload(number).state is UploadState.ACCEPTED


def test_its_thread_takes_in_what_comes_and_ends_when_it_is_stopped(counter: Counter) -> None:
    accepted = threading.Event()
    counter.change = accepted.set  # type: ignore[method-assign]
    counter.reception = counter.make_reception()
    thread = threading.Thread(target=counter.reception.run)
    thread.start()
    try:
        number = counter.send(counter.pack())
        counter.reception.wake()
        assert accepted.wait(30)
    finally:
        counter.reception.stop()
        thread.join(30)
    assert not thread.is_alive()
    assert counter.upload(number).state is UploadState.ACCEPTED
