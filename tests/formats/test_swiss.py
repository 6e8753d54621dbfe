"""Whole Swisses: by hand, with entrants who leave and join, and the same on every machine."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.formats.scoring import Points, Scoring
from arena.formats.story import Departure, Field, Pairing, Story
from arena.formats.swiss import LatePoints, Swiss
from tests.formats.play import Chances, Leaving, field_of, play_out
from tests.formats.telling import SEED, bye, draw, duel, loss, told, win

PLAIN = Scoring(breaks=())


def met(pairings: tuple[Pairing, ...], number: int) -> set[frozenset[int]]:
    """Who meets in a round; a bye is a set of one."""
    return {frozenset(one.entrants) for one in pairings if one.round == number}


def pairs(*ends: tuple[int, ...]) -> set[frozenset[int]]:
    return {frozenset(one) for one in ends}


def due(story: Story, form: Swiss | None = None) -> set[frozenset[int]]:
    return {frozenset(one.entrants) for one in (form or Swiss(rounds=9)).due(story)}


# -- by hand ----------------------------------------------------------------------------------


def test_eight_of_whom_the_better_always_wins() -> None:
    """The chart that every handbook of Swiss tournaments begins with."""
    by_seed = Chances(strengths=[100.0 - 2 * one for one in range(8)], draws=0)
    story = play_out(Swiss(rounds=3, scoring=PLAIN), field_of(8), chances=by_seed)
    assert met(story.pairings, 1) == pairs((0, 4), (1, 5), (2, 6), (3, 7))
    assert met(story.pairings, 2) == pairs((0, 2), (1, 3), (4, 6), (5, 7))
    assert met(story.pairings, 3) == pairs((0, 1), (2, 4), (3, 5), (6, 7))
    table = Swiss(rounds=3, scoring=PLAIN).table(story)
    assert [(row.place, row.entrant, row.points) for row in table] == [
        (1, 0, 3), (2, 1, 2), (2, 2, 2), (2, 3, 2), (5, 4, 1), (5, 5, 1), (5, 6, 1), (8, 7, 0),
    ]  # fmt: skip


def test_five_with_draws_and_byes() -> None:
    first = [duel(0, 2, win()), duel(1, 3, draw()), bye(4)]
    assert due(told(5, [])) == pairs((0, 2), (1, 3), (4,))
    # 0 and 4 have 1, 1 and 3 a half, 2 nothing. 1 and 3 have met, so each meets one of the best;
    # and 0 meets 3, as both 0 and 1 were team 0.
    assert due(told(5, [first])) == pairs((0, 3), (1, 4), (2,))
    second = [duel(3, 0, loss()), duel(4, 1, draw()), bye(2)]
    # 0 has 2, 4 has 1.5, 1 and 2 have 1; 3 has a half and rests.
    assert due(told(5, [first, second])) == pairs((0, 4), (1, 2), (3,))


def test_one_who_meets_nobody_new_in_its_group_meets_the_next_one() -> None:
    """Six after three rounds: two ways are left without a repeat, and one has larger gaps."""
    rounds = [
        [duel(0, 1, win()), duel(2, 3, win()), duel(4, 5, draw())],
        [duel(1, 2, win()), duel(0, 4, loss()), duel(3, 5, draw())],
        [duel(1, 4, win()), duel(0, 3, win()), duel(2, 5, loss())],
    ]
    story = told(6, rounds)
    points = {row.entrant: row.points for row in Swiss(scoring=PLAIN).table(story)}
    assert points == {0: 2, 1: 2, 2: 1, 3: 0.5, 4: 1.5, 5: 2}
    # The other way is 0-5, 1-3, 2-4, with gaps of 0, 1.5 and a half: 2.5 in squares against 2.
    assert due(story) == pairs((1, 5), (0, 2), (3, 4))


def test_titles_and_keys() -> None:
    names = [(one.key, one.title) for one in Swiss(rounds=3).due(told(3, []))]
    assert names == [("1.1", "round 1, table 1"), ("1.bye", "round 1, bye")]


@pytest.mark.parametrize(
    ("entrants", "rounds"), [(2, 1), (3, 3), (4, 3), (5, 5), (8, 5), (9, 6), (64, 8), (300, 11)]
)
def test_how_many_rounds_suit_a_field(entrants: int, rounds: int) -> None:
    """Two more than a knockout, but so few that nobody has to be met twice."""
    assert Swiss().rounds_of(field_of(entrants)) == rounds
    story = play_out(Swiss(), field_of(min(entrants, 64)))
    assert not [one for one in story.pairings if "met before" in one.title]


# -- what holds of every Swiss ----------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_whoever_leaves_and_joins(data: st.DataObject) -> None:
    """Everybody who can play is in every round once, and nobody else is."""
    entrants = data.draw(st.integers(2, 14))
    form = Swiss(
        rounds=data.draw(st.integers(0, 12)),
        late_points=data.draw(st.sampled_from(LatePoints)),
    )
    leaving = [
        Leaving(one, played, is_disqualified=one % 2 == 0)
        for one, played in data.draw(
            st.dictionaries(st.integers(0, entrants + 2), st.integers(0, 60), max_size=6)
        ).items()
    ]
    story = play_out(
        form,
        field_of(entrants, seed=entrants),
        seed=data.draw(st.integers(0, 1000)),
        chances=Chances(reruns=0.1, at_once=3),
        withdrawals=leaving,
        joins=data.draw(st.lists(st.integers(0, 40), max_size=3)),
    )
    for number in range(1, story.rounds + 1):
        playing = Counter(
            entrant for one in story.pairings if one.round == number for entrant in one.entrants
        )
        assert set(playing.values()) == {1}
        able = {
            one
            for one in story.entrants
            if story.joined.get(one, 0) <= number
            and (one not in story.gone or story.gone[one].after >= number)
        }
        assert set(playing) == able
    assert sorted(row.entrant for row in form.table(story)) == list(story.entrants)


@pytest.mark.parametrize("entrants", [3, 5, 7])
def test_byes_are_even_over_many_rounds(entrants: int) -> None:
    story = play_out(Swiss(rounds=3 * entrants), field_of(entrants))
    byes = Counter(one.entrants[0] for one in story.pairings if one.is_bye)
    assert byes == dict.fromkeys(range(entrants), 3)
    for number in range(1, 3 * entrants + 1):
        so_far = Counter(
            one.entrants[0] for one in story.pairings if one.is_bye and one.round <= number
        )
        assert max(so_far.values()) - min(so_far[one] for one in range(entrants)) <= 1


@pytest.mark.parametrize(("entrants", "rounds"), [(12, 8), (31, 20), (40, 12)])
def test_nobody_is_met_twice_while_it_can_be_avoided(entrants: int, rounds: int) -> None:
    """Also where rounds come near to all opponents that there are."""
    story = play_out(Swiss(rounds=rounds), field_of(entrants))
    often = Counter(frozenset(one.entrants) for one in story.pairings if not one.is_bye)
    assert set(often.values()) == {1}
    assert not [one for one in story.pairings if "met before" in one.title]


def test_a_title_says_who_met_before() -> None:
    """In a field of five with eleven rounds, which has to repeat itself."""
    story = play_out(Swiss(rounds=11), field_of(5))
    before: set[frozenset[int]] = set()
    for one in story.pairings:
        is_repeat = not one.is_bye and frozenset(one.entrants) in before
        assert ("(met before)" in one.title) is is_repeat
        before.add(frozenset(one.entrants))


def test_with_more_rounds_than_opponents_all_are_met_as_often() -> None:
    story = play_out(Swiss(rounds=6), field_of(4))
    often = Counter(frozenset(one.entrants) for one in story.pairings)
    assert often == {frozenset(two): 2 for two in combinations(range(4), 2)}
    again = [one for one in story.pairings if "met before" in one.title]
    assert {one.round for one in again} == {4, 5, 6}


@pytest.mark.parametrize(("entrants", "rounds"), [(16, 7), (60, 8), (61, 9)])
def test_nobody_is_on_one_side_much_more_often(entrants: int, rounds: int) -> None:
    story = play_out(Swiss(rounds=rounds), field_of(entrants))
    sides = Counter[int]()
    for one in story.pairings:
        if not one.is_bye:
            sides.update({one.entrants[0]: 1, one.entrants[1]: -1})
    assert max(map(abs, sides.values())) <= 2
    assert sum(abs(sides[one]) == 2 for one in range(entrants)) <= entrants // 5


# -- leaving and joining ----------------------------------------------------------------------


def test_who_is_gone_is_paired_no_more_and_keeps_its_results() -> None:
    story = told(
        4, [[duel(0, 2, win()), duel(1, 3, win())]], gone={0: Departure(1, is_disqualified=True)}
    )
    assert due(story) == pairs((1, 2), (3,))
    rows = {row.entrant: row for row in Swiss(scoring=PLAIN).table(story)}
    assert rows[0].points == 1
    assert (rows[0].place, rows[0].note) == (4, "disqualified")
    assert rows[2].points == 0, "the lost match counts, although its winner was put out"


@pytest.mark.parametrize(("late", "points"), [(LatePoints.ZERO, 0.0), (LatePoints.HALF, 1.0)])
def test_a_latecomer_has_points_for_rounds_missed_if_the_rules_say_so(
    late: LatePoints, points: float
) -> None:
    form = Swiss(rounds=5, late_points=late, scoring=PLAIN)
    rounds = [[duel(0, 1, win()), bye(2)], [duel(0, 2, win()), bye(1)]]
    before = told(3, rounds)
    story = Story(field=before.field, pairings=before.pairings, scores=before.scores, joined={3: 3})
    assert {row.entrant: row.points for row in form.table(story)}[3] == points
    assert {3} < {entrant for one in form.due(story) for entrant in one.entrants}


def test_a_latecomer_waits_for_its_round() -> None:
    before = told(3, [])
    story = Story(field=before.field, joined={3: 2})
    assert due(story) == pairs((0, 1), (2,))


@pytest.mark.parametrize("gone", [[0, 1, 2], [0, 1, 2, 3]], ids=["one is left", "nobody is left"])
def test_it_is_over_when_nobody_is_left_to_be_paired(gone: list[int]) -> None:
    departures = {one: Departure(1) for one in gone}
    story = told(4, [[duel(0, 2, win()), duel(1, 3, None)]], gone=departures)
    form = Swiss(rounds=5)
    assert form.due(story) == ()
    assert form.is_over(story)
    assert len(form.table(story)) == 4


def test_the_next_round_waits_for_the_last_match() -> None:
    story = told(4, [[duel(0, 2, win()), duel(1, 3, None)]])
    assert Swiss(rounds=2).due(story) == ()
    assert not Swiss(rounds=2).is_over(story)


def test_board_points_pair_where_they_order_the_table() -> None:
    """0 has the fewest board points of those who won, and meets who lost by little."""
    first = [duel(0, 2, win((6, 4))), duel(1, 3, win((9, 1)))]
    boards = Swiss(rounds=3, scoring=Scoring(points=Points.BOARD))
    assert due(told(4, [first]), boards) == pairs((0, 1), (2, 3))
    close = [duel(0, 2, win((5.5, 4.5))), duel(1, 3, win((6, 4)))]
    wide = [duel(0, 1, win((9, 1))), duel(2, 3, win((5.5, 4.5)))]
    assert due(told(4, [close]), boards) == pairs((0, 1), (2, 3))
    assert due(told(4, [wide]), boards) == pairs((0, 2), (1, 3))


# -- refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [-1, 201])
def test_rounds_out_of_range_are_refused(rounds: int) -> None:
    with pytest.raises(InputError, match=rf"rounds {rounds}: from 1 to 200, or 0"):
        Swiss(rounds=rounds)


def test_half_points_and_board_points_do_not_go_together() -> None:
    with pytest.raises(InputError, match="late_points 'half'"):
        Swiss(late_points=LatePoints.HALF, scoring=Scoring(points=Points.BOARD))


@pytest.mark.parametrize(
    ("entrants", "teams", "message"),
    [
        (1, (1, 1), "from 2 to 512 entrants can play, not 1"),
        (513, (1, 1), "not 513"),
        (9, (1, 1, 1), "one against one, not at tables of 3"),
        (8, (2, 2), "one against one, not at tables of 4"),
    ],
)
def test_fields_that_cannot_be_are_refused(
    entrants: int, teams: tuple[int, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Swiss().check(Field(entrants=entrants, seed=SEED, teams=teams))


# -- everywhere the same, and soon ------------------------------------------------------------

_PRINTS = """
from tests.formats.play import field_of, play_out
from arena.formats.swiss import Swiss
print([(one.key, one.teams) for one in play_out(Swiss(rounds=6), field_of(41)).pairings])
"""


def test_every_process_pairs_alike() -> None:
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
    assert "6.bye" in told_by.pop()


def test_three_hundred_are_paired_soon() -> None:
    """In about two seconds of processor time; here twice that is allowed, for a slow machine."""
    first = [duel(one, one + 150, draw() if one % 3 else win()) for one in range(150)]
    story = told(300, [first])
    began = time.process_time()
    found = Swiss(rounds=2).due(story)
    assert time.process_time() - began < 4
    assert len(found) == 150
