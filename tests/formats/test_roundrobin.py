"""Round robin: the published tables, everybody against everybody, sides, who rests, who leaves."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.formats.roundrobin import MOST_TIMES, RoundRobin, berger
from arena.formats.story import Pairing, Story, Way
from tests.formats.play import Chances, Leaving, field_of, leavings, play_out

PUBLISHED = {
    4: """
        1-4 2-3
        4-3 1-2
        2-4 3-1
    """,
    6: """
        1-6 2-5 3-4
        6-4 5-3 1-2
        2-6 3-1 4-5
        6-5 1-4 2-3
        3-6 4-2 5-1
    """,
    8: """
        1-8 2-7 3-6 4-5
        8-5 6-4 7-3 1-2
        2-8 3-1 4-7 5-6
        8-6 7-5 1-4 2-3
        3-8 4-2 5-1 6-7
        8-7 1-6 2-5 3-4
        4-8 5-3 6-2 7-1
    """,
}
"""The tables of the FIDE Handbook (C.05, annex 1): by round who meets whom, white first."""


def pair_of(pairing: Pairing) -> tuple[int, int]:
    (one,), (other,) = pairing.teams
    return one, other


def meetings(pairings: Iterable[Pairing]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pairing.entrants) for pairing in pairings)


def lean(pairings: Iterable[Pairing]) -> Counter[int]:
    """By entrant, how much oftener it was team 0 than team 1."""
    found: Counter[int] = Counter()
    for pairing in pairings:
        one, other = pair_of(pairing)
        found[one] += 1
        found[other] -= 1
    return found


def announced(entrants: int, times: int = 1) -> tuple[Pairing, ...]:
    return tuple(RoundRobin(times=times).due(Story(field=field_of(entrants))))


@pytest.mark.parametrize("entrants", PUBLISHED)
def test_rounds_are_those_of_the_published_tables(entrants: int) -> None:
    rounds = [
        " ".join(f"{one + 1}-{other + 1}" for one, other in pairs) for pairs in berger(entrants)
    ]
    assert rounds == [line.strip() for line in PUBLISHED[entrants].strip().splitlines()]


@pytest.mark.parametrize("entrants", [3, 5, 7])
def test_of_an_odd_number_who_would_meet_the_last_rests(entrants: int) -> None:
    last = str(entrants + 1)
    table = PUBLISHED[entrants + 1].strip().splitlines()
    expected = [[pair for pair in line.split() if last not in pair] for line in table]
    assert [[f"{a + 1}-{b + 1}" for a, b in pairs] for pairs in berger(entrants)] == expected


@pytest.mark.parametrize(
    ("entrants", "times"),
    [(entrants, times) for entrants in (*range(2, 25), 63, 64) for times in (1, 2, 3)]
    + [(299, 2), (300, 1)],
)
def test_everybody_meets_everybody_and_changes_sides(entrants: int, times: int) -> None:
    pairings = announced(entrants, times)
    met = meetings(pairings)
    assert len(met) == entrants * (entrants - 1) // 2
    assert set(met.values()) == {times}
    sides = lean(pairings)
    assert {abs(sides[entrant]) for entrant in range(entrants)} <= {0, 1}
    if times == 2:
        assert len(set(map(pair_of, pairings))) == len(pairings), "twice on the same sides"
        assert not any(sides.values())
    for number in {pairing.round for pairing in pairings}:
        busy = Counter(
            entrant for one in pairings if one.round == number for entrant in one.entrants
        )
        assert set(busy.values()) == {1}
        assert len(busy) == entrants - entrants % 2
        if entrants > 64:
            break  # the first round is enough of so many


def test_what_is_announced() -> None:
    """Keys and titles of a small field, in two legs."""
    pairings = announced(3, 2)
    assert [one.key for one in pairings] == ["1.1", "2.1", "3.1", "4.1", "5.1", "6.1"]
    assert [pair_of(one) for one in pairings] == [
        *[(1, 2), (0, 1), (2, 0)],
        *[(2, 1), (1, 0), (0, 2)],
    ]
    assert pairings[4].title == "round 5, table 1"
    assert pairings[4].round == 5


def test_the_note_says_who_rests_until_it_is_over() -> None:
    form = RoundRobin(times=2)
    begun = Story(field=field_of(3), pairings=announced(3, 2))
    notes = {row.entrant: row.note for row in form.table(begun)}
    assert notes == {
        0: "rests in rounds 1, 4",
        1: "rests in rounds 3, 6",
        2: "rests in rounds 2, 5",
    }
    assert {row.note for row in form.table(play_out(form, field_of(3)))} == {""}
    assert {row.note for row in form.table(Story(field=field_of(4)))} == {""}


@settings(max_examples=40)
@given(
    data=st.data(), entrants=st.integers(2, 24), times=st.integers(1, 2), seed=st.integers(0, 99)
)
def test_it_ends_whoever_leaves(data: st.DataObject, entrants: int, times: int, seed: int) -> None:
    form = RoundRobin(times=times)
    matches = entrants * (entrants - 1) // 2 * times
    gone = data.draw(leavings(entrants, matches))
    chances = Chances(reruns=0.1, at_once=7)

    story = play_out(form, field_of(entrants), seed=seed, chances=chances, withdrawals=gone)

    assert story == play_out(form, field_of(entrants), seed=seed, chances=chances, withdrawals=gone)
    assert story.pairings == announced(entrants, times)
    assert len(story.scores) == matches
    rows = form.table(story)
    assert sorted(row.entrant for row in rows) == list(range(entrants))
    places = [row.place for row in rows if row.entrant in story.gone]
    assert all(place > entrants - len(story.gone) for place in places), "a gone one above others"
    walkovers = [one for one, score in story.decided() if score.way is Way.WALKOVER]
    assert all(not story.gone.keys().isdisjoint(one.entrants) for one in walkovers)


def test_it_is_whole_with_the_most_entrants_and_some_leaving() -> None:
    form = RoundRobin()
    leaving = [Leaving(0, 10_000), Leaving(299, 30_000, is_disqualified=True)]
    story = play_out(form, field_of(300), chances=Chances(at_once=20_000), withdrawals=leaving)
    assert len(story.pairings) == 44_850
    assert form.table(story)[-1].entrant == 299


def test_what_was_announced_in_part_is_completed() -> None:
    """A server may stop between two entries of its journal."""
    form = RoundRobin()
    whole = announced(6)
    half = Story(field=field_of(6), pairings=whole[:4])
    assert tuple(form.due(half)) == whole[4:]
    assert not form.is_over(half)


def test_an_old_result_changes_the_table_and_nothing_else() -> None:
    form = RoundRobin()
    story = play_out(form, field_of(4), chances=Chances(strengths=(4, 3, 2, 1), draws=0))
    assert [row.entrant for row in form.table(story)] == [0, 1, 2, 3]
    first = next(one for one in story.pairings if set(one.entrants) == {0, 1})
    old = story.scores[first.key]
    turned = dataclasses.replace(old, ranks=old.ranks[::-1], boards=old.boards[::-1])
    again = dataclasses.replace(story, scores={**story.scores, first.key: turned})
    assert [row.entrant for row in form.table(again)] == [1, 0, 2, 3]
    assert form.is_over(again)
    assert not form.due(again)


@pytest.mark.parametrize("times", [0, -1, MOST_TIMES + 1])
def test_times_that_cannot_be(times: int) -> None:
    with pytest.raises(InputError, match=f"times {times}: must be from 1 to 20"):
        RoundRobin(times=times)


@pytest.mark.parametrize(
    ("entrants", "teams", "message"),
    [
        (1, (1, 1), "round robin: needs 2 entrants or more, not 1"),
        (6, (1, 1, 1), r"round robin: is played one against one, not at tables of teams"),
        (6, (2, 2), r"round robin: is played one against one, not at tables of teams \(2, 2\)"),
        (448, (1, 1), "round robin: 448 entrants make 100,128 pairings; at most 100,000 can be"),
    ],
)
def test_fields_that_cannot_be(entrants: int, teams: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RoundRobin().check(field_of(entrants, teams))


def test_nobody_comes_late() -> None:
    assert not RoundRobin().takes_latecomers
