"""TrueSkill: published values, laws, and that nothing but parameters and results matters."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from math import inf, nan, sqrt
from pathlib import Path

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.ladder.rating import Parameters, Ranking, Rating, expected_share, rate, rate_all

ROOT = Path(__file__).parents[2]
STANDARD = Parameters()
NAMES = "abcdefghij"


@st.composite
def rankings(draw: st.DrawFn) -> Ranking:
    """2 to 6 teams of one entrant, or of two."""
    size = draw(st.sampled_from([1, 1, 2]))
    count = draw(st.integers(2, 6 if size == 1 else 3))
    names = draw(st.permutations(NAMES))
    teams = tuple(tuple(names[at * size : (at + 1) * size]) for at in range(count))
    return Ranking(teams, tuple(draw(st.lists(st.integers(0, 5), min_size=count, max_size=count))))


ratings = st.builds(Rating, st.floats(0, 50), st.floats(0.5, 9))


# -- values -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("teams", "ranks", "expected"),
    [
        ("a b", (0, 1), {"a": (29.396, 7.171), "b": (20.604, 7.171)}),
        ("a b", (0, 0), {"a": (25.000, 6.458), "b": (25.000, 6.458)}),
        (
            "a b c d",
            (0, 1, 2, 3),
            {
                "a": (33.207, 6.348),
                "b": (27.401, 5.787),
                "c": (22.599, 5.787),
                "d": (16.793, 6.348),
            },
        ),
        (
            "ab cd",
            (0, 1),
            {
                "a": (28.108, 7.774),
                "b": (28.108, 7.774),
                "c": (21.892, 7.774),
                "d": (21.892, 7.774),
            },
        ),
    ],
)
def test_published_values(
    teams: str, ranks: tuple[int, ...], expected: dict[str, tuple[float, float]]
) -> None:
    """Those of TrueSkill's usual parameters, as other implementations print them."""
    usual = Parameters(beta=25 / 6, tau=25 / 300, draw_probability=0.1)
    found = rate(usual, {}, Ranking(tuple(tuple(team) for team in teams.split()), ranks))
    for name, (mu, sigma) in expected.items():
        assert found[name].mu == pytest.approx(mu, abs=0.001)
        assert found[name].sigma == pytest.approx(sigma, abs=0.001)


@settings(max_examples=50)
@given(rankings(), st.lists(ratings, min_size=len(NAMES), max_size=len(NAMES)))
def test_values_are_those_of_an_exact_normal_distribution(
    ranking: Ranking, before: list[Rating]
) -> None:
    theirs = trueskill.TrueSkill(
        beta=STANDARD.beta,
        tau=STANDARD.tau,
        draw_probability=STANDARD.draw_probability,
        backend="scipy",
    )
    known = dict(zip(NAMES, before, strict=True))
    order = sorted(
        range(len(ranking.teams)), key=lambda at: (ranking.ranks[at], min(ranking.teams[at]))
    )
    teams = [sorted(ranking.teams[at]) for at in order]
    right = theirs.rate(
        [[trueskill.Rating(known[name].mu, known[name].sigma) for name in team] for team in teams],
        ranks=[ranking.ranks[at] for at in order],
        min_delta=1e-9,
    )
    found = rate(STANDARD, known, ranking)
    for team, rated in zip(teams, right, strict=True):
        for name, rating in zip(team, rated, strict=True):
            assert found[name].mu == pytest.approx(rating.mu, abs=1e-6)
            assert found[name].sigma == pytest.approx(rating.sigma, abs=1e-6)


def test_backend_does_not_depend_on_what_is_installed() -> None:
    """The same bits where no other library can be loaded."""
    program = (
        "import sys\n"
        "for name in ('scipy', 'mpmath', 'numpy'): sys.modules[name] = None\n"
        "from arena.ladder.rating import *\n"
        "print(rate(Parameters(), {}, Ranking((('a',), ('b',), ('c',)), (1, 0, 1))))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True
    )
    here = rate(STANDARD, {}, Ranking((("a",), ("b",), ("c",)), (1, 0, 1)))
    assert done.stdout.strip() == repr(here)


def test_great_upset_can_be_rated() -> None:
    known = {"a": Rating(150, 1), "b": Rating(0, 1)}
    found = rate(STANDARD, known, Ranking((("a",), ("b",)), (1, 0)))
    assert found["a"].mu < 150
    assert found["b"].mu > 0


def test_ratings_beyond_all_numbers_are_refused() -> None:
    known = {"ann": Rating(1e6, 1), "bob": Rating(0, 1)}
    with pytest.raises(InputError, match=r"the ratings of bob and ann lie too far apart"):
        rate(STANDARD, known, Ranking((("ann",), ("bob",)), (1, 0)))


# -- laws -------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(rankings(), st.randoms(use_true_random=False))
def test_order_of_teams_does_not_matter(ranking: Ranking, rng: object) -> None:
    order = list(range(len(ranking.teams)))
    getattr(rng, "shuffle")(order)  # noqa: B009 - hypothesis's generator has no public type
    other = Ranking(
        tuple(ranking.teams[at][::-1] for at in order), tuple(ranking.ranks[at] for at in order)
    )
    assert rate(STANDARD, {}, other) == rate(STANDARD, {}, ranking)


@settings(max_examples=30)
@given(st.lists(rankings(), max_size=8), st.integers(0, 8))
def test_match_by_match_is_from_the_beginning_bit_for_bit(played: list[Ranking], cut: int) -> None:
    whole = rate_all(STANDARD, played)
    assert rate_all(STANDARD, played[cut:], rate_all(STANDARD, played[:cut])) == whole
    one_by_one: dict[str, Rating] = {}
    for ranking in played:
        one_by_one |= rate(STANDARD, one_by_one, ranking)
    assert one_by_one == whole


@settings(max_examples=50)
@given(rankings())
def test_only_who_played_is_rated(ranking: Ranking) -> None:
    known = {name: Rating(30, 2) for name in "xyz"}
    found = rate(STANDARD, known, ranking)
    assert sorted(found) == sorted(name for team in ranking.teams for name in team)
    assert known == {name: Rating(30, 2) for name in "xyz"}


@settings(max_examples=50)
@given(rankings())
def test_better_rank_is_better_rating_among_newcomers(ranking: Ranking) -> None:
    found = rate(STANDARD, {}, ranking)
    teams = sorted(zip(ranking.ranks, ranking.teams, strict=True))
    for (rank, ahead), (next_rank, behind) in pairwise(teams):
        if rank < next_rank:
            assert found[ahead[0]].mu > found[behind[0]].mu
    assert all(rating.sigma < STANDARD.sigma for rating in found.values())


def test_changing_skill_keeps_ratings_uncertain() -> None:
    played = [Ranking((("a",), ("b",)), (turn % 2, 1 - turn % 2)) for turn in range(200)]
    fixed, changing = Parameters(tau=0), Parameters(tau=0.5)
    assert rate_all(fixed, played)["a"].sigma < rate_all(changing, played)["a"].sigma


# -- what a rating says -----------------------------------------------------------------------


def test_expected_share_of_an_entrant_that_is_beta_ahead() -> None:
    ahead, behind = Rating(25 + STANDARD.beta, 1e-9), Rating(25, 1e-9)
    assert expected_share(Parameters(draw_probability=0), ahead, behind) == pytest.approx(
        0.7602, abs=1e-4
    )


@given(ratings, ratings)
def test_expected_shares_add_up_to_one(one: Rating, other: Rating) -> None:
    there, back = expected_share(STANDARD, one, other), expected_share(STANDARD, other, one)
    assert there + back == pytest.approx(1)
    assert (there > 0.5) == (one.mu > other.mu) or there == pytest.approx(0.5)


def test_doubt_pulls_the_expected_share_to_one_half() -> None:
    known, unknown = (
        expected_share(STANDARD, Rating(30, sigma), Rating(25, sigma)) for sigma in (0.5, 8)
    )
    assert 0.5 < unknown < known
    wide = sqrt(2 * STANDARD.beta**2 + 2 * 64)
    right = trueskill.TrueSkill(draw_probability=0, backend="scipy").cdf(5 / wide)
    assert expected_share(Parameters(draw_probability=0), Rating(30, 8), Rating(25, 8)) == (
        pytest.approx(right)
    )


def test_conservative_value() -> None:
    assert STANDARD.start.conservative == pytest.approx(0)
    assert Rating(30, 2).conservative == 24


# -- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"mu": nan}, "mu nan: must be finite"),
        ({"beta": inf}, "beta inf: must be finite"),
        ({"sigma": 0}, "sigma 0: must be above 0"),
        ({"beta": -1}, "beta -1: must be above 0"),
        ({"tau": -0.1}, "tau -0.1: must not be below 0"),
        ({"draw_probability": 1}, "draw_probability 1: must be from 0 to below 1"),
    ],
)
def test_bad_parameters_are_named(options: dict[str, float], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        Parameters(**options)


@pytest.mark.parametrize(
    ("teams", "ranks", "problem"),
    [
        ((("a",),), (0,), "a match has 2 to 6 teams, not 1"),
        (tuple((name,) for name in "abcdefg"), tuple(range(7)), "a match has 2 to 6 teams, not 7"),
        ((("a",), ("b",)), (0,), "2 teams have 2 ranks, not 1"),
        ((("a",), ()), (0, 1), "a team without an entrant cannot be rated"),
        ((("a",), ("b", "a")), (0, 1), "entrant 'a' cannot play twice in a rated match"),
    ],
)
def test_bad_ranking_is_named(
    teams: tuple[tuple[str, ...], ...], ranks: tuple[int, ...], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        Ranking(teams, ranks)


@pytest.mark.parametrize(("mu", "sigma"), [(nan, 1), (25, 0), (25, -1), (inf, 1)])
def test_bad_rating_is_named(mu: float, sigma: float) -> None:
    with pytest.raises(
        InputError, match=rf"rating {mu:g} with sigma {sigma:g}: both must be finite"
    ):
        Rating(mu, sigma)
