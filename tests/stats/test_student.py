"""Student's t against another library."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from arena.stats.student import student_cdf, student_quantile

EVERY = range(1, 1001)
LARGE = (2_000, 10_000, 100_000, 1_000_000, 10_000_000)


def test_quantiles_are_right_to_ten_digits() -> None:
    """Relative error below 1e-10 for all degrees of freedom to 1000, and some to ten millions."""
    for share in (0.025, 0.6, 0.75, 0.95, 0.975, 0.9995):
        theirs = stats.t.ppf(share, [*EVERY, *LARGE])
        for freedom, right in zip((*EVERY, *LARGE), theirs, strict=True):
            assert student_quantile(share, freedom) == pytest.approx(right, rel=1e-10)


@pytest.mark.parametrize(
    "t", [-30.0, -5.0, -1.8, -1.7, -0.3, -1e-6, 0.0, 1e-6, 0.7, 1.7, 1.8, 2.5, 9.0]
)
def test_probabilities_are_right(t: float) -> None:
    for freedom, right in zip(EVERY, stats.t.cdf(t, EVERY), strict=True):
        assert student_cdf(t, freedom) == pytest.approx(right, rel=1e-10)
    for freedom, right in zip(LARGE, stats.t.cdf(t, LARGE), strict=True):
        assert student_cdf(t, freedom) == pytest.approx(right, rel=1e-7)


@given(st.floats(0.001, 0.999), st.integers(1, 2000))
def test_quantile_and_probability_are_inverse(share: float, freedom: int) -> None:
    assert student_cdf(student_quantile(share, freedom), freedom) == pytest.approx(share, rel=1e-9)


def test_values_beyond_all_numbers() -> None:
    assert student_cdf(-1e300, 3) == 0
    assert student_cdf(1e300, 3) == 1
    assert student_quantile(0.5, 7) == 0


@pytest.mark.parametrize(("share", "freedom"), [(0, 5), (1, 5), (0.975, 0), (float("nan"), 5)])
def test_no_quantile(share: float, freedom: int) -> None:
    with pytest.raises(ValueError, match=r"no quantile .* degrees of freedom"):
        student_quantile(share, freedom)
