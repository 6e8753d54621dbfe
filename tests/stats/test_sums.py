"""Exact sums against fractions and another library."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from statistics import fmean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.sums import ExactSums

units = st.integers(-(10**15), 10**15)


def sums(per: int, numbers: list[int]) -> ExactSums:
    made = ExactSums(per)
    for number in numbers:
        made.add(number)
    return made


@given(st.integers(1, 12), st.lists(units, min_size=2, max_size=30))
def test_mean_and_error_are_those_of_the_numbers(per: int, numbers: list[int]) -> None:
    found = sums(per, numbers)
    assert found.mean == float(Fraction(sum(numbers), per * len(numbers)))
    spread = variance([Fraction(number, per) for number in numbers])
    assert found.standard_error == pytest.approx(sqrt(spread / len(numbers)), rel=1e-12)


def test_nothing_is_lost_where_floats_lose_everything() -> None:
    """A spread of 1 around a mean of 10^15: with sums of floats nothing of it would be left."""
    numbers = [10**15 + step % 3 for step in range(3000)]
    error = sums(1, numbers).standard_error
    assert error == pytest.approx(sqrt(2 / 3 * 3000 / 2999 / 3000), rel=1e-12)
    square = fmean(float(number) ** 2 for number in numbers)
    assert square - fmean(map(float, numbers)) ** 2 != pytest.approx(2 / 3, rel=0.5)


@given(st.lists(units), st.lists(units))
def test_merged_parts_are_the_whole(first: list[int], second: list[int]) -> None:
    assert sums(4, first).merged(sums(4, second)) == sums(4, first + second)


@given(
    st.lists(units).flatmap(lambda numbers: st.tuples(st.just(numbers), st.permutations(numbers)))
)
def test_order_does_not_matter(numbers: tuple[list[int], list[int]]) -> None:
    assert sums(2, numbers[0]) == sums(2, numbers[1])


def test_too_few_for_a_spread() -> None:
    assert sums(1, []).standard_error is None
    assert sums(1, [5]).standard_error is None
    assert sums(1, [5, 5]).standard_error == 0


def test_sums_of_different_units_do_not_add_up() -> None:
    with pytest.raises(ValueError, match=r"sums of 1/2 and 1/3 do not add up"):
        ExactSums(2).merged(ExactSums(3))
