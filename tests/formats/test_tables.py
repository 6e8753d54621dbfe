"""Schedules of individual tables: what is claimed is counted here once more."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.formats.balance import Balance, Range, balance
from arena.formats.scoring import Scoring
from arena.formats.story import Field, Pairing, Story
from arena.formats.tables import Tables
from arena.formats.tables_designs import designs, field_of
from arena.formats.tables_plan import schedule
from arena.formats.tables_search import Shape, cost, improved, least_cost
from arena.formats.tables_seats import seated
from arena.formats.tables_starters import STARTERS
from tests.formats import play
from tests.formats.telling import SEED, placed


def field(entrants: int, seats: int, seed: int = 0) -> Field:
    return play.field_of(entrants, (1,) * seats, seed=seed)


def met(pairings: Iterable[Pairing], entrants: int) -> Counter[frozenset[int]]:
    """How often each two are at one table, of all two that there are."""
    result = Counter({frozenset(two): 0 for two in combinations(range(entrants), 2)})
    for one in pairings:
        result.update(frozenset(two) for two in combinations(one.entrants, 2))
    return result


# -- what holds of every schedule -------------------------------------------------------------


def require_sound(pairings: tuple[Pairing, ...], what: Field, rounds: int) -> None:
    """Full tables, nobody twice in a round, nobody plays or sits anywhere oftener than others."""
    tables, over = divmod(what.entrants, what.seats)
    for number in range(1, rounds + 1):
        sitting = [one for two in pairings if two.round == number for one in two.entrants]
        assert len(set(sitting)) == len(sitting) == tables * what.seats
    late = [one for two in pairings if two.round > rounds for one in two.entrants]
    assert len(set(late)) == len(late)
    assert {one.round for one in pairings} <= set(range(1, rounds + 2))
    sat = Counter(one for two in pairings for one in two.entrants)
    fewer = [one for one in range(what.entrants) if sat[one] < max(sat.values())]
    assert len(fewer) < what.seats, "they would fill one more table"
    assert {max(sat.values()) - sat[one] for one in fewer} <= {1}
    assert over or not fewer


@settings(max_examples=12, deadline=None)
@given(data=st.data(), seats=st.integers(3, 6))
def test_everybody_plays_and_sits_equally_often(data: st.DataObject, seats: int) -> None:
    entrants = data.draw(st.integers(seats, 20) | st.integers(21, 300))
    rounds = data.draw(st.integers(1, 9 if entrants <= 20 else 3))
    what = field(entrants, seats, seed=data.draw(st.integers(0, 9)))
    form = Tables(rounds=rounds)
    form.check(what)
    pairings = tuple(form.due(Story(field=what)))
    require_sound(pairings, what, rounds)
    seats_had = Counter((one, seat) for two in pairings for seat, one in enumerate(two.entrants))
    for one in range(entrants):
        had = [seats_had[one, seat] for seat in range(seats)]
        assert max(had) - min(had) <= 1
    claimed = form.balance(what)
    counts = met(pairings, entrants).values()
    assert claimed.meetings == Range(min(counts), max(counts))
    assert claimed.seats.spread <= 1


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"),
    [(300, 3, 12), (299, 4, 9), (256, 5, 12), (512, 6, 6)],
)
def test_large_fields_meet_nobody_twice(entrants: int, seats: int, rounds: int) -> None:
    what = field(entrants, seats)
    require_sound(schedule(what, rounds), what, rounds)
    assert Tables(rounds=rounds).balance(what).meetings == Range(0, 1)


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds", "meetings"),
    [
        (9, 3, 4, Range(1, 1)),
        (9, 3, 6, Range(1, 2)),
        (9, 3, 8, Range(2, 2)),
        (16, 4, 5, Range(1, 1)),
        (25, 5, 6, Range(1, 1)),
        (15, 3, 7, Range(1, 1)),
        (27, 3, 13, Range(1, 1)),
        (28, 4, 9, Range(1, 1)),
        (7, 3, 7, Range(2, 2)),
        (13, 4, 13, Range(3, 3)),
        (11, 5, 11, Range(4, 4)),
        (13, 6, 13, Range(5, 5)),
        (8, 4, 7, Range(3, 3)),
        (12, 6, 11, Range(5, 5)),
        (20, 5, 19, Range(4, 4)),
        (4, 3, 4, Range(2, 2)),
    ],
)
def test_where_a_design_is_known_all_meet_equally_often(
    entrants: int, seats: int, rounds: int, meetings: Range
) -> None:
    what = field(entrants, seats, seed=3)
    found = met(schedule(what, rounds), entrants)
    assert Range(min(found.values()), max(found.values())) == meetings
    assert Tables(rounds=rounds).balance(what).is_even


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds", "most"),
    [(60, 3, 12, 1), (60, 6, 12, 3), (24, 4, 7, 2), (10, 4, 10, 3)],
)
def test_what_the_search_reaches(entrants: int, seats: int, rounds: int, most: int) -> None:
    found = met(schedule(field(entrants, seats), rounds), entrants)
    assert max(found.values()) <= most


# -- parts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8, 9, 16, 25, 27])
def test_a_field_is_one(order: int) -> None:
    known = field_of(order)
    assert known is not None
    everything = range(order)
    assert sorted(known.powers) == list(range(1, order))
    for a in everything:
        assert sorted(known.add(a, b) for b in everything) == list(everything)
        assert not a or sorted(known.multiply(a, b) for b in everything) == list(everything)
        for b in everything:
            assert known.add(a, b) == known.add(b, a)
            assert known.multiply(a, b) == known.multiply(b, a)
            for c in (1, order // 2, order - 1):
                both = known.add(known.multiply(a, b), known.multiply(a, c))
                assert known.multiply(a, known.add(b, c)) == both


@pytest.mark.parametrize("order", [1, 6, 12, 100, 299])
def test_there_is_no_field_of_other_orders(order: int) -> None:
    assert field_of(order) is None


def test_fields_up_to_the_largest_are_found() -> None:
    orders = [one for one in range(2, 513) if field_of(one)]
    assert len(orders) == 117  # 97 primes, and 20 of their higher powers
    assert {243, 256, 289, 343, 361, 512} <= set(orders)


@pytest.mark.parametrize("key", list(STARTERS), ids=str)
def test_every_starter_is_even(key: tuple[tuple[int, ...], int]) -> None:
    teams, entrants = key
    shape = Shape(teams)
    period, base = STARTERS[key]
    plan = next(one for one in designs(entrants, shape, period) if sorted(one[0]) == sorted(base))
    tables = sum(map(len, plan)) // shape.seats
    assert tables * shape.seats * (shape.seats - 1) % (entrants * (entrants - 1)) == 0
    assert cost(plan, shape, entrants) == least_cost(tables, shape, entrants)


@settings(max_examples=10, deadline=None)
@given(
    teams=st.sampled_from([(1, 1, 1), (1, 1, 1, 1), (2, 2), (2, 2, 2)]),
    entrants=st.integers(6, 12),
    rounds=st.integers(1, 4),
    seed=st.integers(0, 2**64 - 1),
)
def test_a_search_makes_nothing_worse_and_moves_nobodys_rests(
    teams: tuple[int, ...], entrants: int, rounds: int, seed: int
) -> None:
    shape = Shape(teams)
    for plan in designs(entrants, shape, rounds):
        found = improved(plan, shape, entrants, seed)
        least = least_cost(sum(map(len, plan)) // shape.seats, shape, entrants)
        assert least <= cost(found, shape, entrants) <= cost(plan, shape, entrants)
        assert list(map(len, found)) == list(map(len, plan))
        assert all(len(set(row)) == len(row) for row in found)
        assert Counter(chain(*found)) == Counter(chain(*plan))


def test_seats_change_and_tables_stay() -> None:
    plan = [[0, 1, 2, 3, 4, 5]] * 3
    found = seated(plan, Shape((1, 1, 1)))
    assert [sorted(row[:3]) for row in found] == [[0, 1, 2]] * 3
    assert all({row[seat] for row in found} == {0, 1, 2} for seat in range(3))


def test_a_balance_by_hand() -> None:
    pairings = [
        Pairing(key="1.1", round=1, title="", teams=((0,), (1,), (2,))),
        Pairing(key="2.1", round=2, title="", teams=((0,), (2,), (1,))),
        Pairing(key="2.bye", round=2, title="", teams=((3,),)),
    ]
    found = balance(pairings, 4)
    assert found == Balance(
        sittings=Range(0, 2),
        meetings=Range(0, 2),
        partners=Range(0, 0),
        opponents=Range(0, 2),
        seats=Range(0, 2),
        teams_of_one=True,
    )
    assert not found.is_even
    assert str(found) == (
        "matches of an entrant: 0 to 2; two entrants meet: 0 to 2; times in a seat: 0 to 2"
    )


# -- the format -------------------------------------------------------------------------------


@settings(max_examples=10, deadline=None)
@given(data=st.data(), seats=st.integers(3, 6))
def test_played_out_with_entrants_who_leave(data: st.DataObject, seats: int) -> None:
    entrants = data.draw(st.integers(seats, 12))
    form = Tables(rounds=data.draw(st.integers(0, 5)))
    story = play.play_out(
        form,
        field(entrants, seats),
        seed=data.draw(st.integers(0, 99)),
        chances=play.Chances(reruns=0.1, at_once=5),
        withdrawals=data.draw(play.leavings(entrants, 20)),
    )
    assert len(form.table(story)) == entrants
    assert not story.waits
    assert not form.takes_latecomers


def test_the_table_adds_up_shares() -> None:
    form = Tables(rounds=2, scoring=Scoring(breaks=()))
    story = Story(field=field(3, 3))
    pairings = tuple(form.due(story))
    ranks = {one.key: placed(*(1 + entrant for entrant in one.entrants)) for one in pairings}
    rows = form.table(Story(field=story.field, pairings=pairings, scores=ranks))
    assert [(row.place, row.entrant, row.points) for row in rows] == [
        (1, 0, 2),
        (2, 1, 1),
        (3, 2, 0),
    ]


def test_rounds_tables_and_who_catches_up_are_named() -> None:
    """Ten at tables of three, five rounds: five rested twice, and three of them play once more."""
    pairings = schedule(field(10, 3), 5)
    assert pairings[0].key == "1.1"
    assert pairings[0].title == "round 1, table 1"
    assert (pairings[-1].key, pairings[-1].title) == ("6.1", "round 6 (catching up), table 1")
    sat = Counter(one for two in pairings for one in two.entrants)
    assert sorted(sat.values()) == [4, 4] + [5] * 8


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"), [(3, 3, 1), (9, 3, 4), (16, 4, 5), (10, 4, 3), (300, 3, 150)]
)
def test_without_a_number_everybody_could_meet_everybody(
    entrants: int, seats: int, rounds: int
) -> None:
    assert Tables().rounds_of(field(entrants, seats)) == rounds


def test_other_seeds_seat_others_together() -> None:
    assert schedule(field(12, 3, seed=1), 4) != schedule(field(12, 3, seed=2), 4)


@pytest.mark.parametrize("rounds", [-1, 201])
def test_rounds_out_of_range_are_refused(rounds: int) -> None:
    with pytest.raises(InputError, match=rf"rounds {rounds}: from 1 to 200, or 0"):
        Tables(rounds=rounds)


@pytest.mark.parametrize(
    ("entrants", "teams", "message"),
    [
        (2, (1, 1, 1), "from 3 to 512 entrants can play, not 2"),
        (513, (1, 1, 1), "not 513"),
        (8, (1, 1), r"tables of teams \(1, 1\)"),
        (8, (2, 2), r"tables of teams \(2, 2\)"),
        (8, (1,) * 7, "tables of teams"),
    ],
)
def test_fields_that_cannot_be_are_refused(
    entrants: int, teams: tuple[int, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Tables(rounds=3).check(Field(entrants=entrants, seed=SEED, teams=teams))


# -- everywhere the same, and soon ------------------------------------------------------------

_PRINTS = """
from arena.formats.tables_plan import schedule
from tests.formats.play import field_of
for teams in ((1, 1, 1), (2, 2), (2, 2, 2)):
    print([one.teams for one in schedule(field_of(10, teams), 3)])
"""


def test_every_process_makes_the_same_schedule() -> None:
    told_by = {
        subprocess.run(
            [sys.executable, "-c", _PRINTS],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(told_by) == 1
    assert told_by.pop().count("\n") == 3


@pytest.mark.parametrize(("entrants", "seconds"), [(59, 2), (299, 5)])
def test_a_schedule_is_found_soon(entrants: int, seconds: int) -> None:
    """In so many seconds of processor time; twice as many are allowed, for a slow machine."""
    what = field(entrants, 6, seed=100)
    began = time.process_time()
    found = schedule(what, 12)
    assert time.process_time() - began < 2 * seconds
    assert balance(found, entrants).meetings.most <= 2
