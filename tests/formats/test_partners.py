"""Schedules of changing partners: what is claimed is counted here once more."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.formats.balance import Range, balance
from arena.formats.partners import Partners
from arena.formats.scoring import Scoring
from arena.formats.story import Field, Pairing, Story
from arena.formats.tables_plan import schedule
from tests.formats import play
from tests.formats.telling import SEED

PAIRS = (2, 2)
THREE_PAIRS = (2, 2, 2)

either = pytest.mark.parametrize("teams", [PAIRS, THREE_PAIRS], ids=["2-2", "2-2-2"])


def counted(pairings: Iterable[Pairing], entrants: int) -> tuple[Range, Range]:
    """How often two are partners, and how often opponents: fewest and most."""
    beside = Counter({frozenset(two): 0 for two in combinations(range(entrants), 2)})
    against = Counter(beside)
    for one in pairings:
        for team, other in combinations(one.teams, 2):
            against.update(frozenset({a, b}) for a in team for b in other)
        beside.update(frozenset(team) for team in one.teams)
    return (
        Range(min(beside.values()), max(beside.values())),
        Range(min(against.values()), max(against.values())),
    )


# -- what holds of every schedule -------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(data=st.data(), teams=st.sampled_from([PAIRS, THREE_PAIRS]))
def test_everybody_plays_equally_often(data: st.DataObject, teams: tuple[int, ...]) -> None:
    seats = sum(teams)
    entrants = data.draw(st.integers(seats, 18) | st.integers(19, 300))
    rounds = data.draw(st.integers(1, 9 if entrants <= 18 else 3))
    what = play.field_of(entrants, teams, seed=data.draw(st.integers(0, 9)))
    form = Partners(rounds=rounds)
    form.check(what)
    pairings = tuple(form.due(Story(field=what)))
    for number in range(1, rounds + 2):
        sitting = [one for two in pairings if two.round == number for one in two.entrants]
        assert len(set(sitting)) == len(sitting)
        assert number > rounds or len(sitting) == entrants - entrants % seats
    sat = Counter(one for two in pairings for one in two.entrants)
    fewer = [one for one in range(entrants) if sat[one] < max(sat.values())]
    assert len(fewer) < seats
    assert {max(sat.values()) - sat[one] for one in fewer} <= {1}
    claimed = form.balance(what)
    assert (claimed.partners, claimed.opponents) == counted(pairings, entrants)
    assert claimed.sittings == Range(max(sat.values()) - bool(fewer), max(sat.values()))


@pytest.mark.parametrize(
    ("entrants", "rounds"),
    [(4, 3), (5, 5), (8, 7), (9, 9), (12, 11), (13, 13), (16, 15), (17, 17), (20, 19), (21, 21),
     (24, 23), (25, 25), (28, 27), (29, 29), (37, 37), (49, 49)],
)  # fmt: skip
def test_whist_tournaments(entrants: int, rounds: int) -> None:
    """Everybody is once the partner of everybody, and twice the opponent."""
    pairings = schedule(play.field_of(entrants, PAIRS), rounds)
    assert counted(pairings, entrants) == (Range(1, 1), Range(2, 2))


@pytest.mark.parametrize(("entrants", "rounds"), [(6, 5), (7, 7), (12, 11), (13, 13), (19, 19)])
def test_three_pairs_where_a_design_is_known(entrants: int, rounds: int) -> None:
    """Everybody is once the partner of everybody, and four times the opponent."""
    pairings = schedule(play.field_of(entrants, THREE_PAIRS), rounds)
    assert counted(pairings, entrants) == (Range(1, 1), Range(4, 4))


def test_a_design_twice_is_twice_as_much() -> None:
    found = counted(schedule(play.field_of(8, PAIRS), 14), 8)
    assert found == (Range(2, 2), Range(4, 4))


@either
def test_large_fields_meet_nobody_twice(teams: tuple[int, ...]) -> None:
    found = counted(schedule(play.field_of(300, teams), 12), 300)
    assert found == (Range(0, 1), Range(0, 1))


@pytest.mark.parametrize(
    ("entrants", "teams", "rounds", "opponents"),
    [(60, PAIRS, 12, 2), (60, THREE_PAIRS, 12, 3), (10, PAIRS, 9, 3), (22, PAIRS, 7, 2)],
)
def test_what_the_search_reaches(
    entrants: int, teams: tuple[int, ...], rounds: int, opponents: int
) -> None:
    """Nobody has a partner twice while it could have another one."""
    partners, against = counted(schedule(play.field_of(entrants, teams), rounds), entrants)
    assert partners == Range(0, 1)
    assert against.most <= opponents


@either
@pytest.mark.parametrize("entrants", [13, 24])
def test_everybody_has_all_seats(entrants: int, teams: tuple[int, ...]) -> None:
    rounds = 12
    what = play.field_of(entrants, teams)
    had = Counter(
        (one, seat) for two in schedule(what, rounds) for seat, one in enumerate(two.entrants)
    )
    least = min(had[one, seat] for one in range(entrants) for seat in range(sum(teams)))
    assert Partners(rounds=rounds).balance(what).seats == Range(least, max(had.values()))
    assert least >= 1
    assert max(had.values()) - least <= 2


def test_a_balance_says_partners_and_opponents() -> None:
    pairings = [
        Pairing(key="1.1", round=1, title="", teams=((0, 1), (2, 3))),
        Pairing(key="2.1", round=2, title="", teams=((1, 0), (3, 2))),
    ]
    assert str(balance(pairings, 4)) == (
        "matches of an entrant: 2; two entrants are partners: 0 to 2, opponents: 0 to 2; "
        "times in a seat: 0 to 1"
    )


# -- the format -------------------------------------------------------------------------------


@settings(max_examples=10, deadline=None)
@given(data=st.data(), teams=st.sampled_from([PAIRS, THREE_PAIRS]))
def test_played_out_with_entrants_who_leave(data: st.DataObject, teams: tuple[int, ...]) -> None:
    entrants = data.draw(st.integers(sum(teams), 11))
    form = Partners(rounds=data.draw(st.integers(0, 4)))
    story = play.play_out(
        form,
        play.field_of(entrants, teams),
        seed=data.draw(st.integers(0, 99)),
        chances=play.Chances(reruns=0.1, at_once=5),
        withdrawals=data.draw(play.leavings(entrants, 20)),
    )
    assert len(form.table(story)) == entrants
    assert not story.waits
    assert not form.takes_latecomers


def test_points_are_an_entrants_own() -> None:
    """Four entrants, three rounds: whoever is with 0 wins, so 0 wins all, the others once."""
    form = Partners(rounds=3, scoring=Scoring(breaks=()))
    what = play.field_of(4, PAIRS)
    pairings = tuple(form.due(Story(field=what)))
    scores = {one.key: play.won_by(one, one.team_of(0)) for one in pairings}
    rows = form.table(Story(field=what, pairings=pairings, scores=scores))
    assert [(row.place, row.entrant, row.points) for row in rows] == [
        (1, 0, 3), (2, 1, 1), (2, 2, 1), (2, 3, 1),
    ]  # fmt: skip


def test_rounds_out_of_range_are_refused() -> None:
    with pytest.raises(InputError, match="rounds 201: from 1 to 200, or 0"):
        Partners(rounds=201)


@pytest.mark.parametrize(
    ("entrants", "teams", "message"),
    [
        (3, PAIRS, "partners: from 4 to 512 entrants can play, not 3"),
        (5, THREE_PAIRS, "partners: from 6 to 512 entrants can play, not 5"),
        (8, (1, 1), r"partners: tables of teams \(1, 1\); must be \(2, 2\) or \(2, 2, 2\)"),
        (8, (3, 3), "tables of teams"),
    ],
)
def test_fields_that_cannot_be_are_refused(
    entrants: int, teams: tuple[int, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Partners(rounds=3).check(Field(entrants=entrants, seed=SEED, teams=teams))


@pytest.mark.parametrize(("entrants", "seconds"), [(59, 2), (299, 5)])
def test_a_schedule_is_found_soon(entrants: int, seconds: int) -> None:
    """In so many seconds of processor time; twice as many are allowed, for a slow machine."""
    what = play.field_of(entrants, THREE_PAIRS, seed=100)
    began = time.process_time()
    found = schedule(what, 12)
    assert time.process_time() - began < 2 * seconds
    assert balance(found, entrants).partners == Range(0, 1)
