"""Brackets written out by hand, and what holds for those of any size; the draw after groups."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats.elimination_bracket import Bracket, Exit, Source, bracket_of, placing
from arena.formats.elimination_draw import apart

SINGLE_6 = """
    w1.2  round 1  quarter-final 2  3 - 4
    w1.4  round 1  quarter-final 4  2 - 5
    w2.1  round 2  semi-final 1  0 - W w1.2
    w2.2  round 2  semi-final 2  1 - W w1.4
    w3.1  round 3  final  W w2.1 - W w2.2
    t1.1  round 3  match for third place  L w2.1 - L w2.2
"""
DOUBLE_4 = """
    w1.1  round 1  winners' round 1, duel 1  0 - 3
    w1.2  round 1  winners' round 1, duel 2  1 - 2
    w2.1  round 2  winners' final  W w1.1 - W w1.2
    l1.1  round 2  losers' round 1, duel 1  L w1.1 - L w1.2
    l2.1  round 3  losers' final  L w2.1 - W l1.1
    g1.1  round 4  grand final  W w2.1 - W l2.1
    g2.1  round 5  grand final (reset)  L g1.1 - W g1.1
"""
DOUBLE_8 = """
    w1.1  round 1  winners' round 1, duel 1  0 - 7
    w1.2  round 1  winners' round 1, duel 2  3 - 4
    w1.3  round 1  winners' round 1, duel 3  1 - 6
    w1.4  round 1  winners' round 1, duel 4  2 - 5
    w2.1  round 2  winners' round 2, duel 1  W w1.1 - W w1.2
    w2.2  round 2  winners' round 2, duel 2  W w1.3 - W w1.4
    w3.1  round 4  winners' final  W w2.1 - W w2.2
    l1.1  round 2  losers' round 1, duel 1  L w1.1 - L w1.2
    l1.2  round 2  losers' round 1, duel 2  L w1.3 - L w1.4
    l2.1  round 3  losers' round 2, duel 1  L w2.2 - W l1.1
    l2.2  round 3  losers' round 2, duel 2  L w2.1 - W l1.2
    l3.1  round 4  losers' round 3, duel 1  W l2.1 - W l2.2
    l4.1  round 5  losers' final  L w3.1 - W l3.1
    g1.1  round 6  grand final  W w3.1 - W l4.1
    g2.1  round 7  grand final (reset)  L g1.1 - W g1.1
"""
DOUBLE_3 = """
    w1.2  round 1  winners' round 1, duel 2  1 - 2
    w2.1  round 2  winners' final  0 - W w1.2
    l2.1  round 3  losers' final  L w2.1 - L w1.2
    g1.1  round 4  grand final  W w2.1 - W l2.1
    g2.1  round 5  grand final (reset)  L g1.1 - W g1.1
"""
DOUBLE_2 = """
    w1.1  round 1  winners' final  0 - 1
    g1.1  round 2  grand final  W w1.1 - L w1.1
    g2.1  round 3  grand final (reset)  L g1.1 - W g1.1
"""


def said(source: Source) -> str:
    return str(source) if isinstance(source, int) else f"{'LW'[source.wins]} {source.duel}"


def written(bracket: Bracket) -> list[str]:
    return [
        f"{one.name}  round {one.round}  {one.title}  {said(one.sides[0])} - {said(one.sides[1])}"
        for one in bracket.duels
    ]


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize(
    ("entrants", "text"), [(2, DOUBLE_2), (3, DOUBLE_3), (4, DOUBLE_4), (8, DOUBLE_8)]
)
def test_double_as_written_by_hand(entrants: int, text: str) -> None:
    assert written(bracket_of(tuple(range(entrants)), double=True)) == lines(text)


def test_single_with_byes_and_a_third_place_as_written_by_hand() -> None:
    assert written(bracket_of(tuple(range(6)), third=True)) == lines(SINGLE_6)


def test_titles_of_a_large_single_bracket() -> None:
    titles = [one.title for one in bracket_of(tuple(range(32))).duels]
    assert titles[0] == "round of 32, duel 1"
    assert titles[16] == "round of 16, duel 1"
    assert titles[24:] == [
        *[f"quarter-final {number}" for number in (1, 2, 3, 4)],
        *["semi-final 1", "semi-final 2", "final"],
    ]


@pytest.mark.parametrize("entrants", [2, 3])
def test_no_match_for_third_place_where_only_one_loses_a_semi_final(entrants: int) -> None:
    names = [one.name for one in bracket_of(tuple(range(entrants)), third=True).duels]
    assert "t1.1" not in names
    assert len(names) == entrants - 1


@pytest.mark.parametrize("size", [2, 4, 8, 16, 256])
def test_the_places_of_every_first_duel_add_up_to_the_same(size: int) -> None:
    order = placing(size)
    assert sorted(order) == list(range(size))
    assert {one + other for one, other in zip(order[::2], order[1::2], strict=True)} == {size - 1}
    assert {place for place in order[: size // 2] if place < 2} == {0}, "the best two meet early"
    assert order[:4] == [0, 15, 7, 8] or size != 16


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("entrants", [*range(2, 70), 127, 128, 129, 300])
def test_brackets_of_any_size(entrants: int, double: bool) -> None:
    """Everybody begins once; every exit is used as it must be; who is waited for comes first."""
    bracket = bracket_of(tuple(range(entrants)), double=double)
    sides = [side for duel in bracket.duels for side in duel.sides]
    assert sorted(one for one in sides if isinstance(one, int)) == list(range(entrants))
    exits = [one for one in sides if isinstance(one, Exit)]
    assert len(set(exits)) == len(exits)
    names = [one.name for one in bracket.duels]
    rounds = {one.name: one.round for one in bracket.duels}
    seen: set[str] = set()
    for duel in bracket.duels:
        for side in duel.sides:
            if isinstance(side, Exit):
                assert side.duel in seen
                assert rounds[side.duel] < duel.round
        seen.add(duel.name)
    if not double:
        assert len(names) == entrants - 1
        assert set(exits) == {Exit(name, wins=True) for name in names[:-1]}
        return
    assert len(names) == 2 * entrants - 1
    assert set(exits) == {
        Exit(name, wins) for name in names for wins in (True, False) if wins or name[0] in "wg"
    } - {Exit("g2.1", wins=True), Exit("g2.1", wins=False)}


@pytest.mark.parametrize("entrants", [8, 16, 32, 64])
def test_who_met_in_the_winners_bracket_meets_again_late(entrants: int) -> None:
    """Wherever somebody comes into the losers' bracket after its first rounds, who it has beaten
    is not in the duel: in the first two rounds of coming in, nobody can meet again."""
    bracket = bracket_of(tuple(range(entrants)), double=True)
    by_name = {one.name: one for one in bracket.duels}

    def entrants_of(source: Source) -> set[int]:
        if isinstance(source, int):
            return {source}
        return set.union(*(entrants_of(side) for side in by_name[source.duel].sides))

    for duel in bracket.duels:
        if duel.name.startswith("l2."):
            came, stayed = map(entrants_of, duel.sides)
            assert came.isdisjoint(stayed), duel


# -- the draw after groups --------------------------------------------------------------------


def first_duels(order: tuple[int, ...]) -> list[tuple[int, int]]:
    size = 1 << (len(order) - 1).bit_length()
    return [(order[size - 1 - place], order[place]) for place in range(size // 2, len(order))]


def test_without_groups_nobody_is_moved() -> None:
    assert apart((0, 1, 2, 3), ()) == (0, 1, 2, 3)


def test_a_second_changes_places_with_the_nearest_for_whom_it_helps() -> None:
    """Winners of groups 0 1 2 3, then seconds of 3 1 2 0: the first would meet 7 and the fourth 4,
    each of its own group, and both change with the next."""
    order = apart(tuple(range(8)), (0, 1, 2, 3, 3, 1, 2, 0))
    assert first_duels(order) == [(3, 5), (2, 4), (1, 7), (0, 6)]


def test_nobody_moves_who_need_not() -> None:
    groups = (0, 1, 2, 3, 2, 3, 0, 1)
    assert apart(tuple(range(8)), groups) == tuple(range(8))


def test_an_exchange_is_with_the_nearest_of_equal_place_in_its_group() -> None:
    """Groups 0 and 1 with four each. The first meets the fourth of its group, and so does the
    second: the two fourths change places, and not a third and a fourth."""
    groups = (0, 1, 0, 1, 0, 1, 1, 0)
    order = apart(tuple(range(8)), groups)
    assert order == (0, 1, 2, 3, 4, 5, 7, 6)


def test_of_one_group_all_stay() -> None:
    assert apart(tuple(range(6)), (7,) * 6) == tuple(range(6))


@settings(max_examples=150)
@given(groups=st.lists(st.integers(0, 4), min_size=2, max_size=16))
def test_as_many_as_can_be_are_apart(groups: list[int]) -> None:
    """Against the best exchange of the worse halves, which counting by groups gives: a group too
    many is one that has more in the better and the worse half together than there are duels."""
    entrants = tuple(range(len(groups)))
    order = apart(entrants, tuple(groups))
    assert sorted(order) == list(entrants)
    duels = first_duels(order)
    better = len(order) - len(duels)
    assert order[:better] == entrants[:better], "somebody of the better half was moved"
    together = sum(groups[one] == groups[other] for one, other in duels)
    uppers = [groups[one] for one, _ in duels]
    lowers = [groups[other] for _, other in duels]
    least = max(0, *(uppers.count(one) + lowers.count(one) - len(duels) for one in set(groups)))
    assert together == least
