"""Entrants and versions: who may play, and what holds one back."""

from __future__ import annotations

import pytest

from arena.errors import InputError
from arena.storage.facts import Entrant, EntryKind, MatchKind, VersionState
from arena.storage.store import Store
from arena.storage.versions import BUILD_GONE
from tests.storage.worlds import World

BAD_NUMBERS = (0, -1, 99, 2**31, 2**63, 2**70)


@pytest.fixture
def world(store: Store) -> World:
    return World(store)


def only(world: World) -> Entrant:
    (entrant,) = world.store.entrants.list().items
    return entrant


def test_an_entrant_is_found_by_name_and_number(world: World) -> None:
    world.upload("ada", name="Mille Miglia")
    entrant = only(world)
    assert entrant.rating == world.store.parameters.start
    assert world.store.entrants.find("ada", "Mille Miglia") == entrant
    assert world.store.entrants.by_number(entrant.number) == entrant
    assert world.store.entrants.by_numbers([entrant.number, 99, 2**70]) == {entrant.number: entrant}
    for owner, name in (("bob", "Mille Miglia"), ("ada", "?"), ("\0", "\ud800"), ("ada", "x" * 99)):
        assert world.store.entrants.find(owner, name) is None
    for number in BAD_NUMBERS:
        assert world.store.entrants.by_number(number) is None
        assert world.store.entrants.version(number) is None
        assert world.store.entrants.versions(number).items == ()


def test_names_that_cannot_be_stored_are_refused(world: World) -> None:
    for name in ("", "x" * 65, "a\0b", "\udfff"):
        with pytest.raises(InputError, match="bot "):
            world.upload("ada", name=name)
    assert world.store.entrants.list().items == ()


def test_lists_are_by_owner_and_in_pages(world: World) -> None:
    for owner, name in (("ada", "a"), ("bob", "b"), ("ada", "c"), ("ada", "d")):
        world.upload(owner, name)
    page = world.store.entrants.list("ada", page_size=2)
    assert [one.name for one in page.items] == ["a", "c"]
    assert [one.name for one in world.store.entrants.list("ada", 2, page.next).items] == ["d"]
    assert len(world.store.entrants.list().items) == 4
    for label in ("2", "3"):
        world.upload("bob", "b", label)
    number = page.items[0].number + 1
    versions = world.store.entrants.versions(number, page_size=2)
    assert [one.ordinal for one in versions.items] == [3, 2]
    rest = world.store.entrants.versions(number, 2, versions.next)
    assert [one.ordinal for one in rest.items] == [1]


def test_who_is_held_back_is_no_candidate(world: World) -> None:
    entrants = world.store.entrants
    ada, bob = world.bots("ada", "bob")
    everybody = {ada.entrant, bob.entrant}

    def playing() -> set[int]:
        return {one.entrant for one in entrants.candidates()}

    assert playing() == everybody
    entrants.pause(ada.entrant, "holidays")
    assert playing() == {bob.entrant}
    entrants.resume(ada.entrant)
    assert playing() == everybody
    for state in (VersionState.PROBATION, VersionState.QUARANTINED):
        held = entrants.set_version_state(ada.number, state, "it fails")
        assert (held.state, held.why) == (state, "it fails")
        assert playing() == {bob.entrant}
    entrants.set_version_state(ada.number, VersionState.ACTIVE)
    assert playing() == everybody
    world.store.owners.suspend("bob", "floods")
    assert playing() == {ada.entrant}


def test_present_versions_are_found_by_their_state(world: World) -> None:
    for owner in ("ada", "bob"):
        world.upload(owner, "a")
    entrants = world.store.entrants
    held = next(one.version for one in entrants.list("ada").items)
    assert held is not None
    assert [one.number for one in entrants.current(VersionState.PROBATION)] == []
    entrants.set_version_state(held, VersionState.PROBATION, "it crashes")
    assert [one.number for one in entrants.current(VersionState.PROBATION)] == [held]
    world.upload("ada", "a", "2")
    assert entrants.current(VersionState.PROBATION) == []


def test_candidates_say_what_the_matchmaker_asks(world: World) -> None:
    ada, bob = world.bots("ada", "bob")
    world.play(ada, bob)
    world.lease(ada, bob)
    world.lease(ada, bob, kind=MatchKind.CHALLENGE)  # keeps nobody from being rated
    newer = world.upload("ada", label="2")
    first, second = world.store.entrants.candidates()
    assert (first.entrant, first.owner, first.version) == (ada.entrant, "ada", newer.number)
    assert (first.matches, first.version_matches) == (1, 0)
    assert (second.matches, second.version_matches) == (1, 1)
    assert (first.in_play, second.in_play) == (1, 1)
    assert first.machine_time + second.machine_time == 1001
    assert (first.players, first.rulesets) == ((2,), ("classic",))
    found = world.store.entrants.by_number(ada.entrant)
    assert found is not None
    assert first.rating == found.rating


def test_a_version_widens_the_rating_once_however_often_it_returns(world: World) -> None:
    ada, bob = world.bots("ada", "bob")
    world.play(ada, bob)
    newer = world.upload("ada", label="2")
    before = world.store.entrants.by_number(ada.entrant)
    entries = world.store.ledger.entries().items
    for ordinal in (1, 2) * 5:
        world.store.entrants.activate(ada.entrant, ordinal)
    assert world.store.ledger.entries().items == entries
    after = world.store.entrants.by_number(ada.entrant)
    assert before is not None
    assert after is not None
    assert (after.rating, after.version) == (before.rating, newer.number)
    assert world.store.ledger.rebuild().different == 0


def test_an_older_version_that_is_not_known_can_play_at_a_price(world: World) -> None:
    ada, bob = world.bots("ada", "bob")
    newer = world.upload("ada", label="2")
    world.play(newer, bob)
    before = world.store.entrants.by_number(ada.entrant)
    assert world.store.entrants.activate(ada.entrant, 1).state is VersionState.ACTIVE
    after = world.store.entrants.by_number(ada.entrant)
    assert before is not None
    assert after is not None
    assert after.version == ada.number
    assert after.rating.mu == before.rating.mu
    assert after.rating.sigma > before.rating.sigma
    entry = world.store.ledger.entries().items[-1]
    assert (entry.kind, entry.entrant, entry.version) == (
        EntryKind.VERSION, ada.entrant, ada.number,
    )  # fmt: skip
    # Again is nothing new.
    world.store.entrants.activate(ada.entrant, 1)
    assert world.store.ledger.entries().items[-1] == entry
    superseded = world.store.entrants.version(newer.number)
    assert superseded is not None
    assert superseded.state is VersionState.SUPERSEDED


def test_what_cannot_be_activated(world: World) -> None:
    entrants = world.store.entrants
    ada = world.upload("ada")
    world.upload("ada", label="2")
    for ordinal in BAD_NUMBERS:
        with pytest.raises(InputError, match="the entrant has none of this number"):
            entrants.activate(ada.entrant, ordinal)
    for number in BAD_NUMBERS:
        for ask in (
            lambda number=number: entrants.activate(number, 1),
            lambda number=number: entrants.pause(number, "why not"),
            lambda number=number: entrants.set_version_state(number, VersionState.ACTIVE),
        ):
            with pytest.raises(InputError, match="there is none of this number"):
                ask()
    entrants.set_version_state(ada.number, VersionState.QUARANTINED, "it cheats")
    with pytest.raises(InputError, match="version 1: is quarantined: it cheats"):
        entrants.activate(ada.entrant, 1)


def test_what_was_gone_plays_again_when_it_is_uploaded_again(world: World) -> None:
    entrants = world.store.entrants
    first = world.upload("ada")
    for why, state in (
        ("it cheats", VersionState.QUARANTINED),
        (BUILD_GONE, VersionState.ACTIVE),
    ):
        entrants.set_version_state(first.number, VersionState.QUARANTINED, why)
        again = world.upload("ada")
        assert (again.number, again.state) == (first.number, state)


def test_only_the_version_that_plays_is_active(world: World) -> None:
    entrants = world.store.entrants
    first = world.upload("ada")
    second = world.upload("ada", label="2")
    assert entrants.set_version_state(first.number, VersionState.ACTIVE).state is (
        VersionState.SUPERSEDED
    )
    with pytest.raises(InputError, match="is the one that plays, so nothing supersedes it"):
        entrants.set_version_state(second.number, VersionState.SUPERSEDED)


def test_the_totals_are_of_all_versions(world: World) -> None:
    assert world.store.entrants.totals().versions == 0
    ada, bob = world.bots("ada", "bob")
    world.play(ada, bob)
    totals = world.store.entrants.totals()
    assert (totals.versions, totals.matches, totals.forfeits, totals.voids) == (2, 2, 0, 0)
