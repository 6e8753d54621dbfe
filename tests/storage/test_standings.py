"""The ladder: its order, its places, and how each rating came about."""

from __future__ import annotations

import itertools
import random

import pytest
from sqlalchemy import Connection, insert

from arena.errors import InputError
from arena.storage.facts import EntryKind, Standing
from arena.storage.schema import ENTRANTS
from arena.storage.store import Store
from tests.storage.worlds import World

BOTS = 37


@pytest.fixture
def world(store: Store) -> World:
    """A ladder on which many are equal."""
    world = World(store)
    version = world.upload("ada")
    chance = random.Random(3)
    mus = [float(chance.randrange(20, 28)) for _ in range(BOTS - 1)]

    def fill(connection: Connection) -> None:
        for number, mu in enumerate(mus, start=2):
            kept = {"number": number, "owner": 1, "name": f"bot {number}", "created": 0}
            rating = {"mu": mu, "sigma": 2.0, "conservative": mu - 6.0}
            connection.execute(insert(ENTRANTS).values(version=version.number, **kept, **rating))

    store.database.write(fill)
    return world


def whole(world: World) -> tuple[Standing, ...]:
    return world.store.standings.page(1000).items


def test_places_are_equal_for_equal_ratings(world: World) -> None:
    lines = whole(world)
    assert len(lines) == BOTS
    values = [one.entrant.rating.conservative for one in lines]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) < BOTS
    assert [one.place for one in lines] == [1 + sum(other > own for other in values)
                                            for own in values]  # fmt: skip
    assert {one.label for one in lines} == {"1"}


def test_pages_of_every_size_make_the_same_ladder(world: World) -> None:
    lines = whole(world)
    for size in (1, 2, 5, BOTS - 1, BOTS, BOTS + 1):
        listed: list[Standing] = []
        token = ""
        while True:
            page = world.store.standings.page(size, token)
            listed += page.items
            token = page.next
            if not token:
                break
        assert tuple(listed) == lines


def test_an_entrant_is_found_in_the_middle_of_a_page(world: World) -> None:
    lines = whole(world)
    for index, line in enumerate(lines):
        number = line.entrant.number
        assert world.store.standings.of(number) == line
        assert world.store.standings.around(number, 1).items == (line,)
        page = world.store.standings.around(number, 6)
        first = max(0, index - 3)
        assert page.items == lines[first : first + 6]
        if page.next:
            assert world.store.standings.page(1, page.next).items == (lines[first + 6],)
    for number in (0, -1, 99, 2**63, 2**70):
        assert world.store.standings.of(number) is None
        assert world.store.standings.history(number).items == ()
        assert world.store.standings.explain(number) == ()
        with pytest.raises(InputError, match="there is none of this number"):
            world.store.standings.around(number)


def test_an_empty_ladder_is_an_empty_page(store: Store) -> None:
    page = store.standings.page()
    assert (page.items, page.next) == ((), "")


def test_every_change_can_be_explained(store: Store) -> None:
    world = World(store)
    ada, bob, carl = world.bots("ada", "bob", "carl")
    first = world.play(ada, bob)
    world.play(bob, carl)
    newer = world.upload("ada", label="2")
    last = world.play(newer, carl, ranks=(0, 0))
    events = store.standings.history(ada.entrant).items
    assert [one.kind for one in events] == [
        EntryKind.RESULT,
        EntryKind.VERSION,
        EntryKind.RESULT,
    ]
    assert [one.match for one in events] == [last, None, first]
    assert [one.version for one in events] == [newer.number, newer.number, ada.number]
    assert [(one.actual, one.rank) for one in events] == [(0.5, 0), (None, None), (1.0, 0)]
    assert events[2].before == store.parameters.start
    assert events[2].expected == 0.5
    for later, earlier in itertools.pairwise(events):
        assert later.before == earlier.after
    found = store.entrants.by_number(ada.entrant)
    assert found is not None
    assert (found.rating, found.last_entry) == (events[0].after, events[0].entry)
    page = store.standings.history(ada.entrant, 2)
    rest = store.standings.history(ada.entrant, 2, page.next)
    assert page.items + rest.items == events
    both = store.standings.explain(last)
    assert {one.entrant for one in both} == {ada.entrant, carl.entrant}
    assert events[0] in both
