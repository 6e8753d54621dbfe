"""Intervals, likelihood of superiority and Elo, also where little or nothing is known."""

from __future__ import annotations

from math import inf, isfinite, log10

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from arena.stats.estimates import (
    Estimate,
    Interval,
    bounded_estimate,
    elo_estimate,
    elo_of,
    estimate,
    share_of,
    superiority,
)
from arena.stats.sums import ExactSums


def shares(*numbers: float) -> ExactSums:
    """Sums of shares on boards of two games."""
    sums = ExactSums(4)
    for number in numbers:
        sums.add(round(4 * number))
    return sums


def interval(found: Estimate | None) -> Interval:
    assert found is not None
    assert found.interval is not None
    return found.interval


MIXED = [0.0, 0.5, 0.5, 1.0, 1.0, 0.75, 0.5, 0.25, 1.0, 0.5] * 4
score_lists = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=2, max_size=60)


def test_interval_is_students() -> None:
    theirs = stats.ttest_1samp(MIXED, 0.5).confidence_interval(0.95)
    for found in (estimate(shares(*MIXED)), bounded_estimate(shares(*MIXED))):
        assert interval(found).low == pytest.approx(theirs.low)
        assert interval(found).high == pytest.approx(theirs.high)


def test_superiority_is_students() -> None:
    right = stats.ttest_1samp(MIXED, 0.5, alternative="greater").pvalue
    assert superiority(shares(*MIXED)) == pytest.approx(1 - right)


def test_nothing_is_known_without_boards() -> None:
    assert estimate(shares()) is None
    assert bounded_estimate(shares()) is None
    assert superiority(shares()) is None


def test_one_board_has_a_mean_and_no_interval() -> None:
    assert estimate(shares(0.75)) == Estimate(0.75, None)
    assert bounded_estimate(shares(0.75)) == Estimate(0.75, None)
    assert superiority(shares(0.75)) is None


def test_equal_points_have_no_interval() -> None:
    assert estimate(shares(0.5, 0.5, 0.5)) == Estimate(0.5, None)


@pytest.mark.parametrize("boards", [2, 3, 10, 30, 200])
def test_boards_all_won_are_no_proof(boards: int) -> None:
    """The lower end is the exact one of Clopper and Pearson, for no failure among so many."""
    found = interval(bounded_estimate(shares(*[1.0] * boards)))
    exact = stats.binomtest(boards, boards).proportion_ci(0.95, method="exact")
    assert found.low == pytest.approx(exact.low)
    assert found.high == 1
    lost = superiority(shares(*[0.0] * boards))
    assert lost is not None
    assert lost == pytest.approx(0.5**boards) or 0.025 < lost < 0.2


def test_boards_all_shared_are_no_proof_of_equality() -> None:
    found = interval(bounded_estimate(shares(*[0.5] * 30)))
    assert found.low == pytest.approx(0.5 * 0.025 ** (1 / 30))
    assert found.high == pytest.approx(1 - found.low)
    assert superiority(shares(*[0.5] * 30)) == 0.5


@given(score_lists)
def test_interval_lies_within_its_limits_around_the_mean(scores: list[float]) -> None:
    found = bounded_estimate(shares(*scores))
    ends = interval(found)
    assert found is not None
    assert 0 <= ends.low <= found.value <= ends.high <= 1
    assert ends.width > 0


@given(score_lists)
def test_other_side_sees_the_mirror_image(scores: list[float]) -> None:
    ours, theirs = shares(*scores), shares(*[1 - score for score in scores])
    mine, other = interval(bounded_estimate(ours)), interval(bounded_estimate(theirs))
    assert mine.low == pytest.approx(1 - other.high)
    assert mine.high == pytest.approx(1 - other.low)
    assert superiority(ours) == pytest.approx(1 - (superiority(theirs) or 0), abs=1e-12)


@given(score_lists)
def test_superiority_and_interval_agree(scores: list[float]) -> None:
    """LOS is above 97.5 % just when the interval lies above one half."""
    certain = superiority(shares(*scores))
    ends = interval(bounded_estimate(shares(*scores)))
    assert certain is not None
    if abs(ends.low - 0.5) > 1e-9:
        assert (certain > 0.975) == (ends.low > 0.5)
    if abs(ends.high - 0.5) > 1e-9:
        assert (certain < 0.025) == (ends.high < 0.5)


def test_limits_of_places() -> None:
    found = bounded_estimate(ExactSums(1, count=2, total=2, squares=2), least=1, most=4)
    assert found is not None
    assert found.value == 1
    assert interval(found).low == 1
    assert 3 < interval(found).high < 4


# -- Elo --------------------------------------------------------------------------------------


def test_elo_of_known_shares() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.75) == pytest.approx(400 * log10(3))
    assert (elo_of(0), elo_of(1)) == (-inf, inf)


@given(st.floats(-900, 900))
def test_share_and_elo_are_inverse(elo: float) -> None:
    assert elo_of(share_of(elo)) == pytest.approx(elo, abs=1e-6)
    assert share_of(elo) + share_of(-elo) == pytest.approx(1)


def test_elo_is_unbounded_where_the_share_is_certain() -> None:
    share = bounded_estimate(shares(1, 1, 1, 1, 1))
    assert share is not None
    found = elo_estimate(share)
    assert found.value == inf
    assert interval(found).high == inf
    assert isfinite(interval(found).low)


def test_elo_without_an_interval() -> None:
    assert elo_estimate(Estimate(0.5, None)) == Estimate(0, None)
