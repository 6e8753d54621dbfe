"""Uploads: who waits for whom, what is told, and what a failure leads to."""

from __future__ import annotations

import random

import pytest

from arena.errors import InputError
from arena.storage.facts import Moment, Upload, UploadState, VersionState
from arena.storage.store import Store
from arena.storage.uploads import LATELY, MOST_ATTEMPTS, MOST_BEGUN
from tests.storage.conftest import FakeClock
from tests.storage.worlds import World, digest, new_version

ARCHIVE = digest("archive")


@pytest.fixture
def world(store: Store) -> World:
    world = World(store)
    world.owners("ada", "bob", "carl", "dora", "eve")
    return world


def add(world: World, owner: str, request: str) -> Upload:
    return world.store.uploads.add(owner, request, ARCHIVE, 1000)


def begun(world: World) -> Upload:
    upload = world.store.uploads.begin()
    assert upload is not None
    return upload


def test_the_same_request_is_the_same_upload(world: World) -> None:
    uploads = world.store.uploads
    first = add(world, "ada", "r")
    assert (first.state, first.position, first.owner) == (UploadState.QUEUED, 1, "ada")
    assert add(world, "ada", "r") == first
    assert add(world, "bob", "r").number != first.number
    with pytest.raises(InputError, match="request 'r': was made for another archive before"):
        uploads.add("ada", "r", digest("another"), 1000)
    assert len(uploads.list("ada").items) == 1


def test_what_cannot_be_added(world: World) -> None:
    uploads = world.store.uploads
    for owner, request, archive, length, problem in (
        ("nobody", "r", ARCHIVE, 1, "owner 'nobody'"),
        ("ada", "", ARCHIVE, 1, "request"),
        ("ada", "x" * 65, ARCHIVE, 1, "request"),
        ("ada", "a\0b", ARCHIVE, 1, "request"),
        ("ada", "r", ARCHIVE.upper(), 1, "archive"),
        ("ada", "r", ARCHIVE, -1, "length"),
        ("ada", "r", ARCHIVE, 2**64, "length"),
    ):
        with pytest.raises(InputError, match=problem):
            uploads.add(owner, request, archive, length)
    assert uploads.list().items == ()
    assert uploads.begin() is None


def test_a_flood_delays_its_sender_alone(world: World) -> None:
    """100 uploads of one owner, and then one each of four others."""
    for number in range(100):
        add(world, "ada", f"flood {number}")
    for owner in ("bob", "carl", "dora", "eve"):
        add(world, owner, "mine")
    order = [begun(world) for _ in range(8)]
    assert [one.owner for one in order] == [
        "ada", "bob", "carl", "dora", "eve", "ada", "ada", "ada",
    ]  # fmt: skip
    late = add(world, "bob", "another")
    assert late.position == 1  # bob has had one, ada four


def test_what_was_begun_long_ago_is_not_held_against_anybody(
    world: World, clock: FakeClock
) -> None:
    for number in range(3):
        add(world, "ada", f"{number}")
        world.store.uploads.finish_refused(begun(world).number, "check", ["it is empty"])
    first, second = add(world, "ada", "new"), add(world, "bob", "new")
    assert (first.position, second.position) == (1, 1)  # each as it came
    assert begun(world) == world.store.uploads.find(second.number)
    clock.advance(LATELY)
    assert add(world, "ada", "new").position == 1


def test_the_places_that_are_shown_are_the_order_in_which_they_are_begun(world: World) -> None:
    chance = random.Random(5)
    for number in range(40):
        add(world, chance.choice(["ada", "ada", "ada", "bob", "carl"]), f"request {number}")
        if chance.random() < 0.3:
            begun(world)
    waiting = world.store.uploads.list(page_size=100, state=UploadState.QUEUED).items
    promised = [one.number for one in sorted(waiting, key=lambda one: one.position)]
    assert sorted(one.position for one in waiting) == list(range(1, len(waiting) + 1))
    assert [begun(world).number for _ in waiting] == promised
    assert world.store.uploads.begin() is None


def test_an_upload_tells_how_it_goes(world: World, clock: FakeClock) -> None:
    uploads = world.store.uploads
    number = add(world, "ada", "r").number
    with pytest.raises(InputError, match="upload 1: is not at work but queued"):
        uploads.told(number, "check", "fine")
    clock.advance(5)
    begun(world)
    uploads.told(number, "check", "12 files\0")
    uploads.at(number, "build", bot="Rusher")
    upload = uploads.told(number, "build", "built in 3 s")
    assert upload.told == (("check", "12 files\ufffd"), ("build", "built in 3 s"))
    assert (upload.bot, upload.step, upload.started) == ("Rusher", "build", clock.now)
    log, report = ("compiling", "done"), {"tables": [1, 2]}
    version = uploads.finish_accepted(number, new_version("Rusher"), log, report)
    done = uploads.find(number)
    assert done is not None
    assert (done.state, done.version, done.log) == (UploadState.ACCEPTED, version.number, log)
    assert (done.report, done.ended, done.position) == (report, clock.now, 0)


def test_a_refusal_is_told_and_final(world: World) -> None:
    uploads = world.store.uploads
    number = add(world, "ada", "r").number
    begun(world)
    refused = uploads.finish_refused(number, "build", ["it does not compile", "line 3"], ["error"])
    assert (refused.state, refused.step) == (UploadState.REFUSED, "build")
    assert refused.why == ("it does not compile", "line 3")
    assert world.store.entrants.list().items == ()
    for ask in (
        lambda: uploads.finish_accepted(number, new_version()),
        lambda: uploads.failed(number, "?"),
        lambda: uploads.rerun(number),
    ):
        with pytest.raises(InputError, match=r"upload 1: .* but refused"):
            ask()


def test_after_three_failures_of_the_machine_a_person_has_to_look(world: World) -> None:
    uploads = world.store.uploads
    number = add(world, "ada", "r").number
    for attempt in range(1, MOST_ATTEMPTS + 1):
        assert begun(world).attempts == attempt
        upload = uploads.failed(number, f"no space {attempt}")
        assert upload.why[-1] == f"attempt {attempt}: no space {attempt}"
    assert upload.state is UploadState.SET_ASIDE
    assert len(upload.why) == MOST_ATTEMPTS
    assert uploads.begin() is None
    again = uploads.rerun(number)
    assert (again.state, again.attempts, again.why) == (UploadState.QUEUED, 0, ())
    assert begun(world).number == number


def test_what_a_dead_server_was_at_waits_again(world: World) -> None:
    uploads = world.store.uploads
    first, second = add(world, "ada", "1"), add(world, "bob", "2")
    begun(world)
    uploads.at(first.number, "build")
    (back,) = uploads.requeue_interrupted()
    assert (back.number, back.state, back.step) == (first.number, UploadState.QUEUED, "")
    assert uploads.requeue_interrupted() == ()
    # The machine is to blame, so its sender has not lost its turn.
    assert [begun(world).number, begun(world).number] == [first.number, second.number]
    for _ in range(MOST_BEGUN - 2):
        assert {one.state for one in uploads.requeue_interrupted()} == {UploadState.QUEUED}
        uploads.begin()
        uploads.begin()
    states = {one.number: one.state for one in uploads.requeue_interrupted()}
    # Begun once more than the other one, it may be what the server dies of.
    assert states == {first.number: UploadState.SET_ASIDE, second.number: UploadState.QUEUED}


def test_deaths_of_the_server_are_not_counted_among_failures(world: World) -> None:
    uploads = world.store.uploads
    number = add(world, "ada", "r").number
    for failure in range(1, MOST_ATTEMPTS + 1):
        for _ in range(2):
            begun(world)
            uploads.requeue_interrupted()
        begun(world)
        state = uploads.failed(number, "no engine").state
        assert (state is UploadState.SET_ASIDE) == (failure == MOST_ATTEMPTS)


def test_recent_uploads_are_counted(world: World, clock: FakeClock) -> None:
    start = clock.now
    for number in range(4):
        add(world, "ada", f"{number}")
        clock.advance(10)
    count = world.store.uploads.count_recent
    assert count("ada", Moment(start)) == 4
    assert count("ada", Moment(start + 1)) == 3
    assert count("ada", Moment(clock.now)) == 0
    assert count("bob", Moment(0)) == 0


def test_the_first_version_plays_and_the_next_takes_over(world: World, clock: FakeClock) -> None:
    entrants = world.store.entrants
    first = world.upload("ada", label="1")
    second = world.upload("ada", label="2")
    assert (first.ordinal, second.ordinal, first.entrant) == (1, 2, second.entrant)
    entrant = entrants.find("ada", "bot")
    assert entrant is not None
    assert (entrant.version, entrant.title, entrant.last_entry) == (second.number, "ada/bot", 0)
    assert [one.state for one in entrants.versions(entrant.number).items] == [
        VersionState.ACTIVE,
        VersionState.SUPERSEDED,
    ]
    assert world.store.ledger.entries().items == ()  # nothing to widen: it has not played
    assert world.upload("bob").entrant != entrant.number
    assert world.upload("ada", name="other").ordinal == 1


def test_the_same_content_again_is_the_same_version(world: World) -> None:
    first = world.upload("ada", label="1")
    second = world.upload("ada", label="2")
    world.store.entrants.set_version_state(second.number, VersionState.QUARANTINED, "it cheats")
    again = world.upload("ada", label="2")
    assert (again.number, again.state) == (second.number, VersionState.QUARANTINED)
    back = world.upload("ada", label="1")
    assert (back.number, back.state) == (first.number, VersionState.ACTIVE)
    # Nobody gets out of a quarantine by going back and forth.
    assert world.upload("ada", label="2").state is VersionState.QUARANTINED


def test_numbers_from_outside_do_no_harm(world: World) -> None:
    uploads = world.store.uploads
    for number in (0, -1, 7, 2**63, 2**70):
        assert uploads.find(number) is None
        with pytest.raises(InputError, match="there is none of this number"):
            uploads.failed(number, "?")
