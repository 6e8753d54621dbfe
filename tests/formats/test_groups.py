"""Groups: the snake, round robins inside, and a table that compares equal places of groups."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.formats.groups import Groups
from arena.formats.roundrobin import RoundRobin
from arena.formats.story import Story
from tests.formats.play import Chances, Leaving, field_of, leavings, play_out
from tests.formats.test_roundrobin import lean, meetings, pair_of


def test_the_snake() -> None:
    field = field_of(11)
    form = Groups(groups=3)
    letters = "".join("abc"[form.group_of(field, entrant)] for entrant in range(11))
    assert letters == "abccbaabccb"
    assert form.members(field) == ((0, 5, 6), (1, 4, 7, 10), (2, 3, 8, 9))


@pytest.mark.parametrize("entrant", [-1, 11])
def test_nobody_else_has_a_group(entrant: int) -> None:
    with pytest.raises(ValueError, match=f"entrant {entrant} of a field of 11"):
        Groups(groups=3).group_of(field_of(11), entrant)


@pytest.mark.parametrize(
    ("entrants", "groups"), [(4, 2), (7, 2), (9, 4), (16, 4), (53, 26), (300, 6), (300, 25)]
)
@pytest.mark.parametrize("times", [1, 2])
def test_inside_a_group_everybody_meets_everybody(entrants: int, groups: int, times: int) -> None:
    form = Groups(groups=groups, times=times)
    field = field_of(entrants)
    members = form.members(field)
    sizes = {len(group) for group in members}
    assert max(sizes) - min(sizes) <= 1
    assert sorted(entrant for group in members for entrant in group) == list(range(entrants))

    pairings = form.due(Story(field=field))
    met = meetings(pairings)
    assert set(met) == {
        frozenset((one, other))
        for group in members
        for one in group
        for other in group
        if one < other
    }
    assert set(met.values()) == {times}
    sides = lean(pairings)
    assert {abs(sides[entrant]) for entrant in range(entrants)} <= {0, 1}
    assert [one.round for one in pairings] == sorted(one.round for one in pairings)
    busy = Counter((one.round, entrant) for one in pairings for entrant in one.entrants)
    assert set(busy.values()) == {1}, "somebody plays twice in a round"


def test_a_group_is_a_round_robin_of_its_members() -> None:
    field = field_of(8)
    form = Groups(groups=2)
    members = form.members(field)[1]
    own = [one for one in form.due(Story(field=field)) if one.key.startswith("b.")]
    alone = RoundRobin().due(Story(field=field_of(4)))
    assert [pair_of(one) for one in own] == [
        (members[one], members[other]) for one, other in map(pair_of, alone)
    ]
    assert own[-1].key == "b.3.2"
    assert own[-1].title == "group B, round 3, table 2"


@settings(max_examples=60)
@given(data=st.data(), entrants=st.integers(4, 40), seed=st.integers(0, 99))
def test_it_ends_whoever_leaves(data: st.DataObject, entrants: int, seed: int) -> None:
    form = Groups(groups=data.draw(st.integers(2, min(26, entrants // 2))))
    gone = data.draw(leavings(entrants, 4 * entrants))
    chances = Chances(reruns=0.1, at_once=9)
    field = field_of(entrants)

    story = play_out(form, field, seed=seed, chances=chances, withdrawals=gone)

    assert story == play_out(form, field, seed=seed, chances=chances, withdrawals=gone)
    assert not story.waits
    rows = form.table(story)
    assert sorted(row.entrant for row in rows) == list(range(entrants))
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    absent = [row.entrant in story.gone for row in rows]
    assert absent == sorted(absent), "a gone one above others"
    inside = [int(row.note.split()[2][:-2]) for row in rows if row.entrant not in story.gone]
    assert inside == sorted(inside), "a second of a group above a first"


def test_all_winners_stand_before_all_seconds() -> None:
    """The better always wins: groups 0 3 4 7 and 1 2 5 6, all with 3, 2, 1, 0 points."""
    form = Groups(groups=2)
    strengths = Chances(strengths=range(8, 0, -1), draws=0)
    rows = form.table(play_out(form, field_of(8), chances=strengths))
    assert [{row.entrant for row in rows[at : at + 2]} for at in range(0, 8, 2)] == [
        {0, 1},
        {2, 3},
        {4, 5},
        {6, 7},
    ]
    assert [row.points for row in rows] == [3, 3, 2, 2, 1, 1, 0, 0]
    notes = {row.entrant: row.note for row in rows}
    assert (notes[0], notes[2], notes[5], notes[7]) == (
        "group A, 1st",
        "group B, 2nd",
        "group B, 3rd",
        "group A, 4th",
    )


def test_winners_are_compared_by_points_for_each_match() -> None:
    """Group A is 0 3 4, group B 1 2: who wins both matches is not ahead of who wins the only one
    by having had more of them, and who lost one of two is behind."""
    form = Groups(groups=2)
    field = field_of(5)
    won_all = play_out(form, field, chances=Chances(strengths=(5, 4, 3, 2, 1), draws=0))
    assert [row.entrant for row in form.table(won_all)] == [0, 1, 3, 2, 4]
    drawn = play_out(form, field, chances=Chances(strengths=(5, 4, 3, 2, 1), draws=1))
    means = [row.points / row.played for row in form.table(drawn)]
    assert means == [0.5] * 5


def test_who_left_stands_below_all_groups() -> None:
    form = Groups(groups=2)
    leaving = [Leaving(0), Leaving(1, is_disqualified=True)]
    rows = form.table(play_out(form, field_of(8), withdrawals=leaving))
    assert [row.entrant for row in rows[-2:]] == [0, 1]
    assert [row.place for row in rows[-2:]] == [7, 8]
    assert rows[-2].note.startswith("group A, withdrawn")
    assert rows[-1].note.startswith("group B, disqualified")


@pytest.mark.parametrize("groups", [0, 1, 27])
def test_groups_that_cannot_be(groups: int) -> None:
    with pytest.raises(InputError, match=f"groups {groups}: must be from 2 to 26"):
        Groups(groups=groups)


def test_times_that_cannot_be() -> None:
    with pytest.raises(InputError, match="times 21: must be from 1 to 20"):
        Groups(groups=2, times=21)


@pytest.mark.parametrize(
    ("entrants", "teams", "message"),
    [
        (7, (1, 1), "groups: 4 of them: needs 8 entrants or more, not 7"),
        (8, (1, 1, 1), "is played one against one"),
        (1_000, (1, 1), "groups: 1000 entrants make 124,500 pairings"),
    ],
)
def test_fields_that_cannot_be(entrants: int, teams: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Groups(groups=4).check(field_of(entrants, teams))


def test_nobody_comes_late() -> None:
    assert not Groups(groups=2).takes_latecomers
