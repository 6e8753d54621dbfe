"""Gauntlet: heroes against all others, sides, rounds, and a table in two parts."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.formats.gauntlet import Gauntlet
from arena.formats.story import Story
from tests.formats.play import Chances, Leaving, field_of, leavings, play_out
from tests.formats.test_roundrobin import lean, meetings, pair_of


@pytest.mark.parametrize(
    ("entrants", "heroes"),
    [(2, 1), (3, 1), (3, 2), (5, 2), (9, 4), (10, 5), (11, 8), (16, 1), (300, 3), (300, 150)],
)
@pytest.mark.parametrize("times", [1, 2, 3])
def test_each_hero_meets_each_challenger(entrants: int, heroes: int, times: int) -> None:
    pairings = Gauntlet(heroes=heroes, times=times).due(Story(field=field_of(entrants)))
    expected = {
        frozenset((hero, other)) for hero in range(heroes) for other in range(heroes, entrants)
    }
    met = meetings(pairings)
    assert set(met) == expected
    assert set(met.values()) == {times}
    sides = lean(pairings)
    assert {abs(sides[entrant]) for entrant in range(entrants)} <= {0, 1}
    busy = Counter((one.round, entrant) for one in pairings for entrant in one.entrants)
    assert set(busy.values()) == {1}, "somebody plays twice in a round"
    assert max(one.round for one in pairings) == times * max(heroes, entrants - heroes)
    if times == 2:
        assert len(set(map(pair_of, pairings))) == len(pairings), "twice on the same sides"


@settings(max_examples=60)
@given(
    data=st.data(), entrants=st.integers(2, 30), times=st.integers(1, 2), seed=st.integers(0, 99)
)
def test_it_ends_whoever_leaves(data: st.DataObject, entrants: int, times: int, seed: int) -> None:
    heroes = data.draw(st.integers(1, entrants - 1))
    form = Gauntlet(heroes=heroes, times=times)
    matches = heroes * (entrants - heroes) * times
    gone = data.draw(leavings(entrants, matches))
    chances = Chances(reruns=0.1, at_once=5)

    story = play_out(form, field_of(entrants), seed=seed, chances=chances, withdrawals=gone)

    assert story == play_out(form, field_of(entrants), seed=seed, chances=chances, withdrawals=gone)
    assert len(story.scores) == matches
    rows = form.table(story)
    assert sorted(row.entrant for row in rows) == list(range(entrants))
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    there = [row.entrant < heroes for row in rows if row.entrant not in story.gone]
    assert there == sorted(there, reverse=True), "a challenger between heroes"


def test_heroes_and_challengers_are_two_parts_of_the_table() -> None:
    """Two heroes of three challengers; a hero is the weakest of all and stands above them."""
    form = Gauntlet(heroes=2)
    strengths = Chances(strengths=(1, 5, 2, 4, 3), draws=0)
    rows = form.table(play_out(form, field_of(5), chances=strengths))
    assert [(row.place, row.entrant, row.points, row.note) for row in rows[:2]] == [
        (1, 1, 3.0, "hero, 1st"),
        (2, 0, 0.0, "hero, 2nd"),
    ]
    assert {row.note.partition(",")[0] for row in rows[2:]} == {"challenger"}
    assert {row.points for row in rows[2:]} == {1.0}


def test_a_hero_that_leaves_is_last_and_the_note_says_so() -> None:
    form = Gauntlet(heroes=2)
    rows = form.table(play_out(form, field_of(5), withdrawals=[Leaving(0)]))
    assert rows[-1].entrant == 0
    assert rows[-1].place == 5
    assert rows[-1].note.startswith("hero, withdrawn")


@pytest.mark.parametrize("heroes", [0, -2])
def test_heroes_that_cannot_be(heroes: int) -> None:
    with pytest.raises(InputError, match=f"heroes {heroes}: must be 1 or more"):
        Gauntlet(heroes=heroes)


def test_times_that_cannot_be() -> None:
    with pytest.raises(InputError, match="times 0: must be from 1 to"):
        Gauntlet(times=0)


@pytest.mark.parametrize(
    ("entrants", "teams", "message"),
    [
        (3, (1, 1), "gauntlet with heroes 3: needs 4 entrants or more, not 3"),
        (8, (2, 2), "is played one against one"),
        (60_000, (1, 1), "gauntlet: 60000 entrants make 179,991 pairings"),
    ],
)
def test_fields_that_cannot_be(entrants: int, teams: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Gauntlet(heroes=3).check(field_of(entrants, teams))


def test_nobody_comes_late() -> None:
    assert not Gauntlet().takes_latecomers
