"""The sequential test: its arithmetic. How often it errs is in `test_error_rates`."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from arena.errors import InputError
from arena.stats.estimates import share_of
from arena.stats.sprt import Decision, Sprt, SprtRun

counts = st.lists(st.integers(0, 400), min_size=3, max_size=13)
elos = st.tuples(st.integers(-200, 200), st.integers(1, 200)).map(lambda at: (at[0], sum(at)))


def llr_by_root_finding(by_score: list[int], elo0: float, elo1: float) -> float:
    """The same again: theta by bracketing the root, likelihoods from the shares that it gives."""
    seen = np.array([count or 1e-3 for count in by_score])
    scores = np.linspace(0, 1, len(seen))
    likelihoods = []
    for elo in (elo0, elo1):
        away = scores - share_of(elo)

        def moment(theta: float, away: np.ndarray = away) -> float:
            return float((seen * away / (1 + theta * away)).sum())

        inside = 1 - 1e-13
        theta = brentq(moment, -inside / away.max(), -inside / away.min(), xtol=1e-15)
        shares = seen / seen.sum() / (1 + theta * away)
        assert shares.sum() == pytest.approx(1)
        assert (shares * scores).sum() == pytest.approx(share_of(elo))
        likelihoods.append(float((seen * np.log(shares)).sum()))
    return likelihoods[1] - likelihoods[0]


@given(counts, elos)
def test_llr_is_that_of_the_likeliest_distributions(
    by_score: list[int], elo: tuple[int, int]
) -> None:
    if any(by_score):
        found = Sprt(elo0=elo[0], elo1=elo[1]).llr(by_score)
        assert found == pytest.approx(llr_by_root_finding(by_score, *elo), rel=1e-6, abs=1e-6)


@given(counts, elos)
def test_llr_is_opposite_for_the_other_side(by_score: list[int], elo: tuple[int, int]) -> None:
    ours = Sprt(elo0=elo[0], elo1=elo[1]).llr(by_score)
    theirs = Sprt(elo0=-elo[1], elo1=-elo[0]).llr(by_score[::-1])
    assert ours == pytest.approx(-theirs, rel=1e-9, abs=1e-9)


def test_llr_without_ties_is_walds() -> None:
    """Boards of one game that is won or lost: the ratio of two binomial likelihoods."""
    low, high = share_of(0), share_of(100)
    found = Sprt(elo0=0, elo1=100).llr([40, 0, 60])
    walds = 60 * log(high / low) + 40 * log((1 - high) / (1 - low))
    assert found == pytest.approx(walds, abs=0.01)


def test_llr_is_nearly_the_normal_one_for_many_boards() -> None:
    """(s1 - s0) (2 m - s0 - s1) n / (2 v): what the boards' mean and variance alone would say."""
    by_score = [800, 1500, 5200, 1600, 900]
    scores = np.repeat(np.linspace(0, 1, 5), by_score)
    low, high = share_of(0), share_of(10)
    normal = (high - low) * (2 * scores.mean() - low - high) * len(scores) / (2 * scores.var())
    assert Sprt(elo0=0, elo1=10).llr(by_score) == pytest.approx(normal, rel=0.01)


def test_nothing_says_nothing() -> None:
    assert Sprt(elo0=0, elo1=5).llr([0, 0, 0, 0, 0]) == 0


def test_boards_all_shared_decide_for_equality_in_the_end() -> None:
    run = SprtRun(Sprt(elo0=0, elo1=20), rotations=2)
    while run.add(2) is Decision.CONTINUE:
        assert run.boards < 1000
    assert run.decision is Decision.H0
    assert run.boards > 20


def test_bounds_are_walds() -> None:
    sprt = Sprt(elo0=0, elo1=5, alpha=0.05, beta=0.1)
    assert exp(sprt.lower) == pytest.approx(0.1 / 0.95)
    assert exp(sprt.upper) == pytest.approx(0.9 / 0.05)
    assert sprt.decide(sprt.upper) is Decision.H1
    assert sprt.decide(sprt.lower) is Decision.H0
    assert sprt.decide(0) is Decision.CONTINUE


def test_decision_stands() -> None:
    run = SprtRun(Sprt(elo0=0, elo1=100), rotations=2)
    while run.add(4) is Decision.CONTINUE:
        pass
    boards, llr = run.boards, run.llr
    assert run.decision is Decision.H1
    for _ in range(500):
        assert run.add(0) is Decision.H1
    assert (run.boards, run.llr) == (boards, llr)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"elo0": 5, "elo1": 5}, "elo1 5: must be above elo0, which is 5"),
        ({"elo0": 5, "elo1": -5}, "elo1 -5: must be above elo0, which is 5"),
        ({"elo0": float("nan"), "elo1": 5}, "elo0 nan: must be from -1000 to 1000"),
        ({"elo0": 0, "elo1": float("inf")}, "elo1 inf: must be from -1000 to 1000"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "alpha 0: must be above 0 and below 0.5"),
        ({"elo0": 0, "elo1": 5, "beta": 0.5}, "beta 0.5: must be above 0 and below 0.5"),
        ({"elo0": 0, "elo1": 5, "beta": float("nan")}, "beta nan: must be above 0"),
    ],
)
def test_bad_options_are_named(options: dict[str, float], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        Sprt(**options)
