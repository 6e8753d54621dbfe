"""Complete: every possible table once, everybody equally often with everybody, seats shared out."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.formats.complete import Complete, splits
from arena.formats.story import Pairing, Story
from tests.formats.play import Chances, Leaving, field_of, leavings, play_out

FIELDS = [
    (2, (1, 1), 1),
    (7, (1, 1), 21),
    (100, (1, 1), 4950),
    (3, (1, 1, 1), 1),
    (8, (1, 1, 1), 56),
    (31, (1, 1, 1), 4495),
    (6, (1, 1, 1, 1), 15),
    (8, (1, 1, 1, 1, 1), 56),
    (9, (1, 1, 1, 1, 1, 1), 84),
    (4, (2, 2), 3),
    (8, (2, 2), 210),
    (15, (2, 2), 4095),
    (6, (2, 2, 2), 15),
    (9, (2, 2, 2), 1260),
]


def announced(entrants: int, teams: tuple[int, ...]) -> tuple[Pairing, ...]:
    return tuple(Complete().due(Story(field=field_of(entrants, teams))))


def seats(pairings: tuple[Pairing, ...]) -> Counter[tuple[int, int]]:
    """How often an entrant sat in a seat; seat s is of team s modulo the teams."""
    return Counter(
        (entrant, number * len(pairing.teams) + team)
        for pairing in pairings
        for team, members in enumerate(pairing.teams)
        for number, entrant in enumerate(members)
    )


def test_splits_into_partners() -> None:
    assert list(splits((0, 1, 2, 3), 2)) == [
        ((0, 1), (2, 3)),
        ((0, 2), (1, 3)),
        ((0, 3), (1, 2)),
    ]
    assert len(set(splits((0, 1, 2, 3, 4, 5), 2))) == 15
    assert list(splits((0, 1, 2), 1)) == [((0,), (1,), (2,))]


@pytest.mark.parametrize(("entrants", "teams", "tables"), FIELDS)
def test_every_table_once_in_rounds(entrants: int, teams: tuple[int, ...], tables: int) -> None:
    pairings = announced(entrants, teams)
    assert len(pairings) == tables
    assert len({frozenset(map(frozenset, one.teams)) for one in pairings}) == tables
    assert len({one.key for one in pairings}) == tables
    busy = Counter((one.round, entrant) for one in pairings for entrant in one.entrants)
    assert set(busy.values()) == {1}, "somebody plays twice in a round"
    assert {one.round for one in pairings} == set(range(1, pairings[-1].round + 1))
    partners: Counter[tuple[int, int]] = Counter()
    opponents: Counter[tuple[int, int]] = Counter()
    for one in pairings:
        own = [pair for team in one.teams for pair in combinations(sorted(team), 2)]
        partners.update(own)
        opponents.update(set(combinations(sorted(one.entrants), 2)) - set(own))
    assert len(opponents) == comb(entrants, 2)
    assert len(set(opponents.values())) == 1
    if teams[0] > 1:
        assert len(partners) == comb(entrants, 2)
        assert len(set(partners.values())) == 1


@pytest.mark.parametrize(("entrants", "teams", "tables"), FIELDS)
def test_seats_are_shared_out(entrants: int, teams: tuple[int, ...], tables: int) -> None:
    """Nobody sits in one seat more than three times oftener than in another, of up to 5,000."""
    counted = seats(announced(entrants, teams))
    for entrant in range(entrants):
        often = [counted[entrant, seat] for seat in range(sum(teams))]
        assert max(often) - min(often) <= (1 if teams == (1, 1) else 3), (entrant, often)


@settings(max_examples=40)
@given(data=st.data(), seed=st.integers(0, 99))
def test_it_ends_whoever_leaves(data: st.DataObject, seed: int) -> None:
    teams = data.draw(st.sampled_from([(1, 1), (1, 1, 1), (1, 1, 1, 1), (2, 2), (2, 2, 2)]))
    entrants = data.draw(st.integers(sum(teams), sum(teams) + 2))
    field = field_of(entrants, teams)
    form = Complete()
    gone = data.draw(leavings(entrants, 100))
    chances = Chances(reruns=0.1, at_once=9)

    story = play_out(form, field, seed=seed, chances=chances, withdrawals=gone)

    assert story == play_out(form, field, seed=seed, chances=chances, withdrawals=gone)
    assert story.pairings == announced(entrants, teams)
    assert not story.waits
    rows = form.table(story)
    assert sorted(row.entrant for row in rows) == list(range(entrants))
    absent = [row.entrant in story.gone for row in rows]
    assert absent == sorted(absent), "a gone one above others"


def test_the_strongest_is_first_and_who_left_is_last() -> None:
    form = Complete()
    strengths = Chances(strengths=(3, 9, 5, 1, 7), draws=0)
    story = play_out(form, field_of(5, (1, 1, 1)), chances=strengths, withdrawals=[Leaving(2, 9)])
    assert [row.entrant for row in form.table(story)] == [1, 4, 0, 3, 2]


def test_what_was_announced_in_part_is_completed() -> None:
    whole = announced(5, (1, 1, 1))
    half = Story(field=field_of(5, (1, 1, 1)), pairings=whole[:3])
    assert tuple(Complete().due(half)) == whole[3:]
    assert not Complete().is_over(half)


@pytest.mark.parametrize(
    ("entrants", "teams", "message"),
    [
        (3, (2, 2), "complete: a table has 4 seats, and there are 3 entrants"),
        (16, (2, 2), "complete: 16 entrants make 5,460 pairings; at most 5,000 can be"),
        (101, (1, 1), "complete: 101 entrants make 5,050 pairings"),
        (33, (1, 1, 1), "complete: 33 entrants make 5,456 pairings"),
    ],
)
def test_fields_that_cannot_be(entrants: int, teams: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Complete().check(field_of(entrants, teams))


def test_nobody_comes_late() -> None:
    assert not Complete().takes_latecomers
