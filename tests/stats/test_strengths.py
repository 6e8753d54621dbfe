"""Fitted strengths: against another library, against the definition, and where little is known."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise, permutations, product
from math import exp, isfinite, log

import choix
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from arena.errors import InputError
from arena.stats.estimates import Interval
from arena.stats.strengths import ELO, Ranked, Strengths, fit

Floats = npt.NDArray[np.float64]

NAMES = ("ann", "ben", "cleo", "dan", "eve", "finn")
NO_PRIOR = 1e-7
"""So weak that it decides nothing but the mean."""


def game(*teams: str, ranks: Sequence[int] = (), cluster: str = "", weight: float = 1.0) -> Ranked:
    """Teams as "ann+ben", the best first unless there are ranks."""
    return Ranked(
        tuple(tuple(team.split("+")) for team in teams),
        tuple(ranks) or tuple(range(len(teams))),
        cluster,
        weight,
    )


def values(fitted: Strengths, names: Sequence[str] = NAMES) -> list[float]:
    return [fitted.of(name).value for name in names]


def some_games(rng: random.Random, count: int, seats: int, *, ties: bool = False) -> list[Ranked]:
    """Games in which whoever comes later in NAMES is a little better."""
    games = []
    for number in range(count):
        table = rng.sample(range(len(NAMES)), seats)
        made = [rng.gauss(one / 3, 1.5) for one in table]
        scores = [round(one / 2) if ties else one for one in made]
        ranks = [sum(other > one for other in scores) for one in scores]
        games.append(
            game(*(NAMES[one] for one in table), ranks=ranks, cluster=f"board {number // 2}")
        )
    return games


# -- against choix, another library -----------------------------------------------------------


def test_wins_of_two_agree_with_choix() -> None:
    games = some_games(random.Random(1), 300, 2)
    data = [(first, second) for first, second in map(_order, games)]
    theirs = choix.ilsr_pairwise(len(NAMES), data, tol=1e-12)
    ours = fit(NAMES, games, seed=0, prior=NO_PRIOR)
    assert values(ours) == pytest.approx(list(theirs - theirs.mean()), abs=1e-6)


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_rankings_agree_with_choix(seats: int) -> None:
    games = some_games(random.Random(2), 200, seats)
    theirs = choix.ilsr_rankings(len(NAMES), [_order(one) for one in games], tol=1e-12)
    ours = fit(NAMES, games, seed=0, prior=NO_PRIOR)
    assert values(ours) == pytest.approx(list(theirs - theirs.mean()), abs=1e-6)


def _order(one: Ranked) -> tuple[int, ...]:
    """The numbers of those who played, the best first."""
    ranked = sorted(zip(one.ranks, one.teams, strict=True))
    return tuple(NAMES.index(team[0]) for _, team in ranked)


# -- against the definition -------------------------------------------------------------------


def log_likelihood(strengths: Floats, games: Sequence[Ranked], prior: float) -> float:
    """As the text says it: the mean over all orders that the ranks allow, and the virtual draws."""
    total = 0.0
    for one in games:
        made = [sum(strengths[NAMES.index(name)] for name in team) for team in one.teams]
        orders = [
            order
            for order in permutations(range(len(made)))
            if all(one.ranks[a] <= one.ranks[b] for a, b in pairwise(order))
        ]
        for order in orders:
            for place, team in enumerate(order):
                left = sum(exp(made[other]) for other in order[place:])
                total += one.weight * (made[team] - log(left)) / len(orders)
    for strength in strengths - strengths.mean():
        total -= prior / 2 * (log(1 + exp(strength)) + log(1 + exp(-strength)))
    return total


def by_search(games: Sequence[Ranked], prior: float) -> list[float]:
    """The likeliest strengths, found without any of our formulas."""
    found = optimize.minimize(
        lambda some: -log_likelihood(some, games, prior), np.zeros(len(NAMES)), tol=1e-10
    )
    return list(found.x - found.x.mean())


TEAM_GAMES = [
    game("ann+ben", "cleo+dan"),
    game("ann+cleo", "eve+finn", "ben+dan", ranks=(1, 1, 2)),
    game("dan+finn", "ann+eve", ranks=(1, 1), weight=2.5),
    game("eve+ben", "finn+cleo", "ann+dan"),
]


@pytest.mark.parametrize(
    "games",
    [
        pytest.param(some_games(random.Random(3), 20, 2, ties=True), id="two, with draws"),
        pytest.param(some_games(random.Random(4), 15, 4, ties=True), id="four, with ties"),
        pytest.param(some_games(random.Random(5), 1, 6, ties=True), id="six, with ties"),
        pytest.param([game(*NAMES, ranks=(1, 1, 1, 1, 2, 2))], id="ties of four and two"),
        pytest.param(TEAM_GAMES, id="teams of two, a weight"),
        pytest.param([game("ann+ben+cleo", "dan+eve+finn")], id="teams of three"),
        pytest.param([], id="no game"),
    ],
)
@pytest.mark.parametrize("prior", [2.0, 0.5])
def test_strengths_are_the_likeliest(games: list[Ranked], prior: float) -> None:
    assert values(fit(NAMES, games, seed=0, prior=prior)) == pytest.approx(
        by_search(games, prior), abs=2e-4
    )


def test_draw_is_half_a_win_and_half_a_loss() -> None:
    """Two draws say the same as one win of each."""
    draws = [game("ann", "ben", ranks=(1, 1), cluster=f"{one}") for one in range(2)]
    wins = [game("ann", "ben", cluster="0"), game("ben", "ann", cluster="1")]
    third = [game("ben", "cleo", cluster="2"), game("ben", "cleo", cluster="3")]
    names = NAMES[:3]
    assert values(fit(names, [*draws, *third], seed=0), names) == pytest.approx(
        values(fit(names, [*wins, *third], seed=0), names)
    )


def test_weight_is_that_many_games() -> None:
    games = some_games(random.Random(6), 30, 3, ties=True)
    heavy = [Ranked(one.teams, one.ranks, one.cluster, 3.0) for one in games]
    ours = fit(NAMES, [*games, *games, *games], seed=3)
    for one, other in zip(fit(NAMES, heavy, seed=3).rows, ours.rows, strict=True):
        assert one.entrant == other.entrant
        assert one.value == pytest.approx(other.value)
        assert one.interval.low == pytest.approx(other.interval.low)
        assert one.interval.high == pytest.approx(other.interval.high)


def test_equal_schedules_put_strengths_in_the_order_of_points() -> None:
    rng = random.Random(7)
    pairs = [pair for pair in product(NAMES, repeat=2) if pair[0] < pair[1]]
    games = [
        game(*pair, ranks=rng.choice([(1, 2), (1, 1), (2, 1)]), cluster=f"{pair}{number}")
        for pair in pairs
        for number in range(5)
    ]
    points = dict.fromkeys(NAMES, 0.0)
    for one in games:
        for team, rank in zip(one.teams, one.ranks, strict=True):
            points[team[0]] += sum(rank < other for other in one.ranks) / 2
            points[team[0]] += (sum(rank <= other for other in one.ranks) - 1) / 2
    by_points = sorted(points, key=lambda name: -points[name])
    assert [points[row.entrant] for row in fit(NAMES, games, seed=0).rows] == [
        points[name] for name in by_points
    ]


# -- the order of games -----------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([2, 3, 4]))
def test_order_of_anything_changes_not_a_bit(seed: int, seats: int) -> None:
    rng = random.Random(seed)
    games = some_games(rng, 40, seats, ties=True)
    weighted = [
        Ranked(one.teams, one.ranks, one.cluster, rng.choice([0.1, 0.7, 1.3])) for one in games
    ]
    shuffled = []
    for one in rng.sample(weighted, len(weighted)):
        order = rng.sample(range(seats), seats)
        teams, ranks = ([some[at] for at in order] for some in (one.teams, one.ranks))
        shuffled.append(Ranked(tuple(teams), tuple(ranks), one.cluster, one.weight))  # type: ignore[arg-type]
    names = rng.sample(NAMES, len(NAMES))
    assert fit(names, shuffled, seed=5, draws=500) == fit(NAMES, weighted, seed=5, draws=500)


def test_partners_may_be_listed_in_any_order() -> None:
    turned = [
        Ranked(tuple(team[::-1] for team in one.teams), one.ranks, one.cluster, one.weight)
        for one in TEAM_GAMES
    ]
    assert fit(NAMES, turned, seed=1) == fit(NAMES, TEAM_GAMES, seed=1)


def test_names_of_clusters_say_nothing() -> None:
    games = some_games(random.Random(8), 60, 2)
    renamed = [Ranked(one.teams, one.ranks, one.cluster[::-1]) for one in games]
    for one, other in zip(
        fit(NAMES, games, seed=1).rows, fit(NAMES, renamed, seed=1).rows, strict=True
    ):
        assert one.value == pytest.approx(other.value)
        assert one.interval.low == pytest.approx(other.interval.low)


# -- scale and mean ---------------------------------------------------------------------------


def test_mean_is_zero_and_elo_is_a_scale() -> None:
    fitted = fit(NAMES, some_games(random.Random(9), 50, 3), seed=0)
    assert sum(values(fitted)) == pytest.approx(0, abs=1e-12)
    for row in fitted.rows:
        assert row.elo == pytest.approx(row.value * 173.7178, rel=1e-6)
        assert row.elo_interval == Interval(row.interval.low * ELO, row.interval.high * ELO)
        assert row.interval.low < row.value < row.interval.high
    assert [row.value for row in fitted.rows] == sorted(values(fitted), reverse=True)


def test_chance_of_one_against_another() -> None:
    """200 Elo are about three to one."""
    fitted = fit(NAMES, some_games(random.Random(10), 50, 2), seed=0)
    ahead = fitted.of("finn").value - fitted.of("ann").value
    assert fitted.chance("finn", "ann") == pytest.approx(1 / (1 + exp(-ahead)))
    assert fitted.chance("finn", "ann") + fitted.chance("ann", "finn") == pytest.approx(1)
    assert fitted.chance("ann", "ann") == 0.5


# -- where little is known --------------------------------------------------------------------


def is_sound(fitted: Strengths) -> bool:
    """Finite numbers, intervals around values, probabilities that add up to 1."""
    numbers = [
        number
        for row in fitted.rows
        for number in (row.value, row.interval.low, row.interval.high, row.best)
    ]
    inside = all(row.interval.low <= row.value <= row.interval.high for row in fitted.rows)
    return (
        all(map(isfinite, numbers))
        and inside
        and abs(sum(row.best for row in fitted.rows) - 1) < 1e-9
    )


@pytest.mark.parametrize("boards", [1, 2, 10, 100, 10_000])
def test_unbeaten_has_a_finite_strength_and_a_wide_interval(boards: int) -> None:
    """As wide as a chance allows that is known from a single loss that might come."""
    games = [game("ann", "ben", cluster=f"{one}") for one in range(boards)]
    fitted = fit(NAMES[:2], games, seed=0)
    assert is_sound(fitted)
    ann, ben = fitted.rows
    assert ann.entrant == "ann"
    # Of two entrants each is the mirror of the other, so differences are twice what one is.
    assert 1.3 < (ann.interval.width + ben.interval.width) / 2 < 8


def test_more_wins_without_a_loss_prove_more() -> None:
    lows = [
        fit(NAMES[:2], [game("ann", "ben", cluster=f"{one}") for one in range(boards)], seed=0)
        .of("ann")
        .interval.low
        for boards in (3, 10, 30, 100)
    ]
    assert lows == sorted(lows)
    assert lows[0] < 0 < lows[-1]


def test_groups_that_never_met() -> None:
    """Who is the best of all is not known, however surely each leads its group."""
    games = [
        game(*pair, cluster=f"{pair}{one}", ranks=(1, 1 + (one % 4 > 0)))
        for pair in (("ann", "ben"), ("cleo", "dan"))
        for one in range(200)
    ]
    fitted = fit(NAMES[:4], games, seed=0)
    assert is_sound(fitted)
    assert fitted.of("ann").best == pytest.approx(0.5, abs=0.1)
    assert fitted.of("cleo").best == pytest.approx(0.5, abs=0.1)
    assert min(row.interval.width for row in fitted.rows) > 1


@pytest.mark.parametrize(("count", "upper"), [(1, 0.5), (2, 0.93), (3, 0.9675), (6, 0.975)])
def test_without_a_game_everybody_is_equal(count: int, upper: float) -> None:
    """And the interval is the prior's: 95 % of all chances against an average entrant.

    With few entrants each has a large part in the mean, so that it is less far from it.
    """
    fitted = fit(NAMES[:count], [], seed=0)
    assert is_sound(fitted)
    assert [row.value for row in fitted.rows] == [0] * count
    for row in fitted.rows:
        assert row.best == pytest.approx(1 / count, abs=0.02)
        chance = 1 / (1 + exp(-row.interval.high))
        assert chance == pytest.approx(upper, abs=0.005)


def test_nobody_has_no_strengths() -> None:
    assert fit([], [], seed=0).rows == ()


def test_who_has_not_played_is_nearly_as_uncertain_as_without_games() -> None:
    games = [game("ann", "ben", cluster=f"{one}", ranks=(one % 2, 0)) for one in range(100)]
    fitted = fit(NAMES[:3], games, seed=0)
    assert is_sound(fitted)
    assert 6 < fitted.of("cleo").interval.width < 2 * log(0.975 / 0.025)


def test_boards_that_all_come_out_even_are_no_proof() -> None:
    """Two boards, of which each has won one of two games: no spread, and hardly any knowledge."""
    games = [
        game(*order, cluster=f"{board}") for board in range(2) for order in permutations(NAMES[:2])
    ]
    assert fit(NAMES[:2], games, seed=0).rows[0].interval.width > 2


def test_single_board_says_little_however_often_it_is_played() -> None:
    games = [
        game("ann", "ben", ranks=[(1, 2), (1, 1), (1, 1), (2, 1)][one % 4]) for one in range(1000)
    ]
    alone = fit(NAMES[:2], games, seed=0)
    many = fit(
        NAMES[:2],
        [Ranked(one.teams, one.ranks, str(number)) for number, one in enumerate(games)],
        seed=0,
    )
    assert is_sound(alone)
    assert alone.rows[0].interval.width > 5 * many.rows[0].interval.width


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.permutations(NAMES),
            st.integers(2, 6),
            st.lists(st.integers(0, 2), min_size=6, max_size=6),
            st.integers(0, 2),
            st.sampled_from([1e-6, 1.0, 1e6]),
        ),
        max_size=8,
    )
)
def test_nothing_is_too_strange(
    some: list[tuple[list[str], int, list[int], int, float]],
) -> None:
    """Few games of any shape, weights that differ by a million millions."""
    games = [
        game(*order[:count], ranks=ranks[:count], cluster=str(cluster), weight=weight)
        for order, count, ranks, cluster, weight in some
    ]
    assert is_sound(fit(NAMES, games, seed=0, draws=200))


# -- who is best ------------------------------------------------------------------------------


def test_best_is_drawn_from_the_seed_given() -> None:
    games = some_games(random.Random(11), 40, 2)
    first = [row.best for row in fit(NAMES, games, seed=1).rows]
    np.random.seed(0)  # the global generator must not matter
    assert [row.best for row in fit(NAMES, games, seed=1).rows] == first
    other = [row.best for row in fit(NAMES, games, seed=2).rows]
    assert other != first
    assert other == pytest.approx(first, abs=0.02)


def test_equals_are_best_equally_often() -> None:
    games = [
        game(*pair, cluster=f"{pair}{one}")
        for pair in permutations(NAMES[:4], 2)
        for one in range(10)
    ]
    for row in fit(NAMES[:4], games, seed=0).rows:
        assert row.value == pytest.approx(0, abs=1e-9)
        assert row.best == pytest.approx(0.25, abs=0.015)


# -- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("teams", "ranks", "weight", "message"),
    [
        ((("a",),), (1,), 1, "a game has 2 to 6 teams, not 1"),
        (tuple((one,) for one in "abcdefg"), (1,) * 7, 1, "a game has 2 to 6 teams, not 7"),
        ((("a", "b"), ("c",)), (1, 2), 1, "teams of 2, 1: all teams of a game have the same size"),
        (((), ()), (1, 2), 1, "teams of 0, 0: all teams of a game have the same size, 1 to 3"),
        ((("a",), ("b",)), (1,), 1, "2 teams have as many ranks, not 1"),
        ((("a",), ("a",)), (1, 2), 1, "entrant 'a' cannot sit at a table twice"),
        ((("a",), ("b",)), (1, 2), 0, "weight 0: has to be above 0, and finite"),
        ((("a",), ("b",)), (1, 2), float("nan"), "weight nan: has to be above 0"),
    ],
)
def test_games_that_cannot_be(
    teams: tuple[tuple[str, ...], ...], ranks: tuple[int, ...], weight: float, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Ranked(teams, ranks, "", weight)


def test_arguments_that_cannot_be() -> None:
    with pytest.raises(InputError, match="entrant 'zoe' of a game is not among entrants"):
        fit(NAMES, [game("ann", "zoe")], seed=0)
    with pytest.raises(InputError, match="entrant 'ann' is named twice"):
        fit([*NAMES, "ann"], [], seed=0)
    with pytest.raises(InputError, match="prior 0: has to be above 0"):
        fit(NAMES, [], seed=0, prior=0)
    with pytest.raises(InputError, match="draws 0: has to be 1 or more"):
        fit(NAMES, [], seed=0, draws=0)
    with pytest.raises(InputError, match="seed -1: has to be 0 or more"):
        fit(NAMES, [], seed=-1)


def test_who_was_not_fitted_is_not_known() -> None:
    with pytest.raises(KeyError, match="zoe"):
        fit(NAMES, [], seed=0).of("zoe")
