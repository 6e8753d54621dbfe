"""The ledger: ratings follow from it bit for bit, and what was altered is found."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping

import pytest
from sqlalchemy import Column, Executable, Table, Update, delete, select, update

from arena.errors import InputError
from arena.ladder.changes import new_version
from arena.ladder.rating import Parameters, Ranking, Rating, rate
from arena.storage import recording
from arena.storage.facts import EntryKind, MatchState
from arena.storage.schema import ENTRANTS, LEDGER, RATING_EVENTS, RESULTS
from arena.storage.store import Store
from tests.storage.conftest import FakeClock, OpenStore
from tests.storage.worlds import World, digest, report_on

OTHER = Parameters(mu=1500.0, sigma=350.0, beta=170.0, tau=1.5, draw_probability=0.1)


@pytest.fixture
def world(store: Store) -> World:
    return World(store)


def played(world: World, matches: int, seed: int = 1) -> list[int]:
    """The numbers of some matches between five bots, new versions between them."""
    chance = random.Random(seed)
    versions = world.bots("ada", "bob", "carl", "dora", "eve")
    numbers: list[int] = []
    for turn in range(matches):
        some = chance.sample(versions, chance.choice([2, 2, 2, 3, 4]))
        ranks = [chance.randrange(2) for _ in some]
        numbers.append(world.play(*some, ranks=ranks))
        if turn % 5 == 4:
            place = chance.randrange(len(versions))
            owner = ("ada", "bob", "carl", "dora", "eve")[place]
            versions[place] = world.upload(owner, label=f"turn {turn}")
    return numbers


def ratings(store: Store) -> Mapping[int, Rating]:
    return {one.number: one.rating for one in store.entrants.list().items}


def by_hand(store: Store, parameters: Parameters) -> Mapping[int, Rating]:
    """All ratings, by nothing but the entries, the matches and the formulas."""
    current = {str(number): parameters.start for number in ratings(store)}
    entries = store.ledger.entries(1000).items
    annulled = {one.match for one in entries if one.kind is EntryKind.ANNULMENT}
    for entry in entries:
        if entry.kind is EntryKind.VERSION:
            name = str(entry.entrant)
            current[name] = new_version(parameters, current[name])
        if entry.kind is EntryKind.RESULT and entry.match not in annulled:
            match = store.matches.find(entry.match or 0)
            assert match is not None
            assert match.result is not None
            teams = tuple(
                tuple(str(match.seats[seat].entrant) for seat in team) for team in match.teams
            )
            current |= rate(parameters, current, Ranking(teams, match.result.ranks))
    return {int(name): rating for name, rating in current.items()}


def test_ratings_follow_from_the_ledger_bit_for_bit(world: World, reopen: OpenStore) -> None:
    played(world, 20)
    stored = ratings(world.store)
    assert len(set(stored.values())) == len(stored)
    assert stored == by_hand(world.store, world.store.parameters)
    rebuilt = world.store.ledger.rebuild(write=False)
    assert (rebuilt.different, rebuilt.examples) == (0, ())
    entries = world.store.ledger.entries(1000).items
    assert rebuilt.entries == len(entries) == entries[-1].number
    assert sum(one.kind is EntryKind.VERSION for one in entries) == 4
    world.store.close()
    again = reopen()
    assert ratings(again) == stored
    assert again.ledger.rebuild().different == 0
    assert ratings(again) == stored


def test_the_chain_is_what_is_documented(world: World, clock: FakeClock) -> None:
    ada, bob = world.bots("ada", "bob")
    number = world.play(ada, bob)
    clock.advance(7)
    newer = world.upload("ada", label="2")
    world.store.ledger.annul(number, "it was played on a broken engine \u00fc")
    with world.store.database.reading() as connection:
        payload = connection.scalar(select(RESULTS.c.payload_sha256))
    said = [
        (EntryKind.RESULT, clock.now - 7, number, None, None, payload),
        (EntryKind.VERSION, clock.now, None, ada.entrant, newer.number, newer.digest),
        (
            EntryKind.ANNULMENT, clock.now, number, None, None,
            digest("it was played on a broken engine \u00fc"),
        ),
    ]  # fmt: skip
    chain = bytes(32)
    for place, (kind, at, match, entrant, version, content) in enumerate(said, start=1):
        text = (
            f'{{"at":{at},"entrant":{json.dumps(entrant)},"kind":"{kind}",'
            f'"match":{json.dumps(match)},"number":{place},"payload":"{content}",'
            f'"version":{json.dumps(version)}}}'
        )
        chain = hashlib.sha256(chain + text.encode("ascii")).digest()
        entry = world.store.ledger.entries().items[place - 1]
        assert (entry.number, entry.kind, entry.chain) == (place, kind, chain.hex())


def test_an_annulled_result_has_never_been(world: World) -> None:
    numbers = played(world, 20)
    store = world.store
    for count, number in enumerate((numbers[12], numbers[-1], numbers[0]), start=1):
        before = ratings(store)
        entry = store.ledger.annul(number, f"unfair {count}")
        assert store.ledger.entries(1000).items[-1].number == entry
        assert ratings(store) != before
        assert ratings(store) == by_hand(store, store.parameters)
        assert store.ledger.rebuild(write=False).different == 0
        assert store.standings.explain(number) == ()
        match = store.matches.find(number)
        assert match is not None
        assert match.result is not None
        assert (match.state, match.result.annulled) == (MatchState.DONE, f"unfair {count}")
        with pytest.raises(InputError, match=f"match {number}: is annulled already: unfair"):
            store.ledger.annul(number, "again")
    counted = sum(one.matches for one in store.entrants.list().items)
    seats = [len(one.seats) for one in store.matches.list(page_size=100).items
             if one.result is not None and not one.result.annulled]  # fmt: skip
    assert (len(seats), counted) == (17, sum(seats))


def test_an_annulment_leaves_nothing_of_an_only_match(world: World) -> None:
    ada, bob = world.bots("ada", "bob")
    number = world.play(ada, bob)
    world.store.ledger.annul(number, "a test")
    for entrant in world.store.entrants.list().items:
        assert entrant.rating == world.store.parameters.start
        assert (entrant.matches, entrant.last_entry) == (0, 0)
    world.play(ada, bob)
    assert world.store.ledger.rebuild(write=False).different == 0


def test_what_cannot_be_annulled(world: World) -> None:
    ada, bob = world.bots("ada", "bob")
    waiting = world.lease(ada, bob).match
    for number in (waiting, 0, -1, 99, 2**63, 2**70):
        with pytest.raises(InputError, match="has no result that could be annulled"):
            world.store.ledger.annul(number, "why not")
    number = world.play(ada, bob)
    for why in ("", "a\0b", "x" * 501):
        with pytest.raises(InputError, match="reason"):
            world.store.ledger.annul(number, why)
    assert len(world.store.ledger.entries().items) == 1


def _set(table: Table, where: Column[int], number: int, **change: object) -> Update:
    return update(table).where(where == number).values(**change)


def _alter(world: World, change: Executable) -> None:
    with world.store.database.writing() as connection:
        connection.execute(change)


MENDED: tuple[tuple[Executable, str], ...] = (
    (_set(ENTRANTS, ENTRANTS.c.number, 2, mu=26.0), "entrant 2"),
    (_set(ENTRANTS, ENTRANTS.c.number, 2, conservative=99.0), "entrant 2"),
    (_set(ENTRANTS, ENTRANTS.c.number, 3, matches=999), "entrant 3"),
    (_set(RATING_EVENTS, RATING_EVENTS.c.entry, 4, after_mu=26.0), "by entry 4"),
    (_set(RATING_EVENTS, RATING_EVENTS.c.entry, 4, expected=None), "by entry 4"),
    (delete(RATING_EVENTS).where(RATING_EVENTS.c.entry == 5), "by entry 5"),
)

BROKEN: tuple[tuple[Executable, str], ...] = (
    (_set(LEDGER, LEDGER.c.number, 6, at=5), "chain of entry 6"),
    (_set(LEDGER, LEDGER.c.number, 7, chain="0" * 64), "chain of entry 7"),
    (_set(RESULTS, RESULTS.c.entry, 3, payload_sha256="0" * 64), "chain of entry 3"),
)


def test_what_was_altered_is_found_and_mended(world: World) -> None:
    played(world, 12)
    ledger, stored = world.store.ledger, ratings(world.store)
    for change, found in MENDED:
        _alter(world, change)
        told = ledger.rebuild(write=False)
        assert any(found in one.what and one.stored != one.right for one in told.examples)
        assert ledger.rebuild().different == told.different
        assert ledger.rebuild(write=False).different == 0
        assert ratings(world.store) == stored


def test_a_chain_that_was_broken_stays_so(world: World) -> None:
    played(world, 12)
    stored = ratings(world.store)
    for change, found in BROKEN:
        _alter(world, change)
        assert world.store.ledger.rebuild().different > 0
        told = world.store.ledger.rebuild(write=False)
        assert any(found in one.what for one in told.examples)
        assert ratings(world.store) == stored


def test_other_parameters_hold_from_a_rebuild_on(world: World, reopen: OpenStore) -> None:
    played(world, 10)
    before = ratings(world.store)
    assert world.store.ledger.rebuild(write=False, parameters=OTHER).different > 0
    assert ratings(world.store) == before
    world.store.ledger.rebuild(parameters=OTHER)
    assert ratings(world.store) == by_hand(world.store, OTHER)
    # What comes after it goes by the same ones, without a restart.
    ada, bob = (world.upload(owner, "new one") for owner in ("ada", "bob"))
    world.play(ada, bob)
    assert ratings(world.store) == by_hand(world.store, OTHER)
    assert world.store.ledger.rebuild(write=False).different == 0
    world.store.close()
    assert reopen().parameters == OTHER


def test_entries_come_in_pages(world: World) -> None:
    played(world, 7)
    whole = world.store.ledger.entries(100).items
    first = world.store.ledger.entries(3)
    second = world.store.ledger.entries(100, first.next)
    assert first.items + second.items == whole
    assert [one.number for one in whole] == list(range(1, 9))


def test_nothing_of_a_result_is_left_when_it_cannot_be_rated(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One transaction: a fault in the middle of it leaves the match as it was."""
    ada, bob = world.bots("ada", "bob")
    lease = world.lease(ada, bob)
    before = world.store.matches.find(lease.match)

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(recording, "store_events", broken)
        with pytest.raises(ZeroDivisionError):
            world.store.matches.record(report_on(lease))
    assert world.store.matches.find(lease.match) == before
    assert world.store.ledger.entries().items == ()
    world.store.matches.record(report_on(lease))
    assert world.store.ledger.rebuild(write=False).different == 0
