"""One round of a Swiss: against every other way to pair it, and by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.formats.swiss_pairing import LARGEST, Cost, Match, Player, Round, bases_of, pair
from tests.formats.telling import SEED

Pairs = list[tuple[Player, Player | None]]


def ways(players: Sequence[Player]) -> Iterator[Pairs]:
    """Every way to pair them; of an odd number one has None, the bye."""
    if not players:
        yield []
        return
    first, *others = players
    for at, other in enumerate(others):
        for rest in ways(others[:at] + others[at + 1 :]):
            yield [(first, other), *rest]
    if len(players) % 2:
        for rest in ways(others):
            yield [(first, None), *rest]


def judged(pairs: Pairs, players: Sequence[Player]) -> tuple[int, ...]:
    """What the rules say of a way to pair, the most important first; less is better."""
    order = sorted(players, key=lambda one: (-one.points, one.entrant))
    byes = repeats = rest = points = sides = floats = 0
    for one, other in pairs:
        if other is None:
            byes = one.byes
            rest = one.free * len(order) + order[::-1].index(one)
            continue
        upper, lower = sorted((one, other), key=order.index)
        repeats += upper.met.get(lower.entrant, 0)
        apart = upper.points - lower.points
        points += apart**2
        sides -= abs(upper.sides - lower.sides)
        floats += (apart > 0) * ((upper.floated == 1) + (lower.floated == -1))
    return byes, repeats, rest, points, sides, floats


def paired(result: Round, players: Sequence[Player]) -> Pairs:
    of = {one.entrant: one for one in players}
    pairs: Pairs = [(of[match.first], of[match.second]) for match in result.matches]
    return pairs if result.bye is None else [*pairs, (of[result.bye], None)]


def crowd(rng: Random, many: int, density: float) -> list[Player]:
    """Players with any history, in which two that met know of each other."""
    met: list[dict[int, int]] = [{} for _ in range(many)]
    for one in range(many):
        for other in range(one):
            if rng.random() < density:
                met[one][other] = met[other][one] = rng.choice([1, 1, 1, 2])
    return [
        Player(
            entrant=one,
            points=rng.randrange(5),
            byes=rng.randrange(2),
            free=rng.choice([0, 0, 0, 1]),
            sides=rng.randrange(-2, 3),
            last=rng.choice([-1, 0, 1]),
            floated=rng.choice([-1, 0, 0, 1]),
            met=met[one],
        )
        for one in range(many)
    ]


@settings(max_examples=250, deadline=None)
@given(seed=st.integers(0, 2**32), many=st.integers(1, 9), density=st.floats(0, 1))
@example(seed=3, many=8, density=0.75)
@example(seed=4, many=9, density=0.9)
def test_no_other_way_is_better(seed: int, many: int, density: float) -> None:
    """So nobody meets anybody again, and nobody has a second bye, while that can be."""
    players = crowd(Random(seed), many, density)
    chosen = paired(pair(players, SEED, 1), players)
    assert sorted(one.entrant for two in chosen for one in two if one) == list(range(many))
    best = min(judged(way, players) for way in ways(players))
    assert judged(chosen, players) == best


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), many=st.integers(1, 30))
def test_the_order_of_players_does_not_matter(seed: int, many: int) -> None:
    rng = Random(seed)
    players = crowd(rng, many, 0.3)
    mixed = rng.sample(players, many)
    assert pair(players, SEED, 4) == pair(mixed, SEED, 4)


def test_what_met_before_is_said() -> None:
    players = [Player(entrant=0, met={1: 1}), Player(entrant=1, met={0: 1})]
    (match,) = pair(players, SEED, 1).matches
    assert match.is_repeat
    (match,) = pair([replace(one, met={}) for one in players], SEED, 1).matches
    assert not match.is_repeat


def test_alone_one_has_a_bye() -> None:
    assert pair([Player(entrant=7)], SEED, 1) == Round((), 7)


def together(result: Round) -> set[frozenset[int]]:
    return {frozenset((one.first, one.second)) for one in result.matches}


def test_the_lowest_of_an_odd_group_meets_the_best_of_the_next() -> None:
    upper = [Player(entrant=one, points=4) for one in range(3)]
    lower = [Player(entrant=one, points=2) for one in range(3, 6)]
    result = together(pair([*upper, *lower], SEED, 1))
    assert result == {frozenset({0, 1}), frozenset({2, 3}), frozenset({4, 5})}


def test_nobody_meets_a_lower_one_twice_in_a_row() -> None:
    upper = [Player(entrant=one, points=4, floated=one == 2) for one in range(3)]
    lower = [Player(entrant=one, points=2, floated=-(one == 3)) for one in range(3, 6)]
    result = together(pair([*upper, *lower], SEED, 1))
    assert not {2, 3} & next(set(two) for two in result if min(two) < 3 <= max(two))


def test_a_score_group_is_kept_although_sides_suffer() -> None:
    """Two who were both team 0 twice meet, for they have as many points."""
    players = [
        Player(entrant=0, points=2, sides=2),
        Player(entrant=1, points=2, sides=2),
        Player(entrant=2, points=0, sides=-2),
        Player(entrant=3, points=0, sides=-2),
    ]
    assert together(pair(players, SEED, 1)) == {frozenset({0, 1}), frozenset({2, 3})}


def test_within_a_group_sides_are_balanced_before_the_order_of_seeding() -> None:
    players = [Player(entrant=one, sides=1 if one in {0, 2} else -1) for one in range(4)]
    result = pair(players, SEED, 1)
    assert {(one.first, one.second) for one in result.matches} <= {(1, 0), (1, 2), (3, 0), (3, 2)}


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [
        (Player(entrant=0, sides=1), Player(entrant=1), 1),
        (Player(entrant=0), Player(entrant=1, sides=1), 0),
        (Player(entrant=0, last=1), Player(entrant=1, last=-1), 1),
        (Player(entrant=0, last=-1), Player(entrant=1, last=1), 0),
        (Player(entrant=0, sides=-1, last=1), Player(entrant=1, last=-1), 0),
    ],
    ids=["more often", "less often", "last time", "not last time", "often before last"],
)
def test_team_0_is_who_was_it_less(one: Player, other: Player, first: int) -> None:
    second = 1 - first
    assert pair([one, other], SEED, 1).matches == (Match(first, second, is_repeat=False),)


def test_of_two_without_a_past_a_lot_decides_who_is_team_0() -> None:
    firsts = {
        pair([Player(entrant=0), Player(entrant=1)], SEED, one).matches[0].first
        for one in range(1, 20)
    }
    assert firsts == {0, 1}


def test_a_walkover_won_counts_for_a_bye() -> None:
    """Who won without playing does not rest as well, if somebody else can."""
    players = [Player(entrant=one, free=one == 2) for one in range(3)]
    assert pair(players, SEED, 1).bye == 1


def test_the_weights_of_the_largest_field_fit() -> None:
    """The bases are those of the levels' largest values, in the order of the levels."""
    worst = Cost(
        byes=7, repeats=7, rest=4 * 512, points=255**2, sides=30, floats=2, fold=512, lot=2**24
    )
    assert prod(bases_of(256, [(0, 1, worst)])).bit_length() <= LARGEST


def test_the_largest_weights_are_exact() -> None:
    """In a large field, with every level as far apart as it gets, the heaviest decides."""
    many = 301
    players = [
        Player(
            entrant=one,
            points=one % 2 * 10_000,
            byes=90 if one < many - 1 else 0,
            free=one % 9,
            sides=99 if one % 4 < 2 else -99,
            floated=1 - one % 3,
            met={other: 9 * (one // 2 != other // 2) for other in range(many)},
        )
        for one in range(many)
    ]
    result = pair(players, SEED, 1)
    assert result.bye == many - 1
    assert together(result) == {frozenset({one, one + 1}) for one in range(0, many - 1, 2)}
    assert not any(one.is_repeat for one in result.matches)
