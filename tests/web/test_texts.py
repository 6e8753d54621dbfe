"""Numbers, moments, and names that would do something if they were let."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.web.competition import StrengthLine
from arena.web.intervals import SCALE, intervals_of
from arena.web.texts import cut, number, shown, utc


@given(st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(9999, 12, 31)))
def test_moments_are_those_of_the_calendar(moment: datetime) -> None:
    moment = moment.replace(microsecond=0, tzinfo=UTC)
    assert utc(round(moment.timestamp()) * 1000 + 999) == moment.strftime("%4Y-%m-%d %H:%M:%S UTC")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.001, "0"),
        (1, "1"),
        (0.5, "0.5"),
        (7.25, "7.25"),
        (1 / 3, "0.33"),
        (100, "100"),
    ],
)
def test_numbers_have_as_many_digits_as_they_need(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("ann/keeper", "ann/keeper"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u2066b\u2069", "a\\u2066b\\u2069"),
        ("a\u200fb", "a\\u200fb"),
        ("a\x00b\x1bc", "a\\u0000b\\u001bc"),
        ("\ud800", "\\ud800"),
        ("\ufeffx", "\\ufeffx"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
        ("👩\u200d🔧", "👩\u200d🔧"),
        ("two\nlines\tand tab", "two\nlines\tand tab"),
        ("no\u00a0break", "no\u00a0break"),
    ],
)
def test_what_acts_unseen_is_made_visible(text: str, seen: str) -> None:
    assert shown(text) == seen


@pytest.mark.parametrize(
    ("text", "columns", "found"),
    [
        ("keeper", 6, "keeper"),
        ("keeper", 5, "keep…"),
        ("千里马", 6, "千里马"),
        ("千里马", 5, "千里…"),
        ("千里马", 4, "千…"),
        ("e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"),
        ("a b", 2, "a…"),
        ("", 3, ""),
    ],
)
def test_cut_counts_columns(text: str, columns: int, found: str) -> None:
    assert cut(text, columns) == found


def test_intervals_share_a_scale() -> None:
    lines = [
        StrengthLine(title="a/a", value=1, low=0, high=2),
        StrengthLine(title="b/b", value=-1, low=-2, high=0),
    ]
    first, second = intervals_of(lines)
    assert (first.left, first.mark, first.right) == (SCALE / 2, SCALE * 3 / 4, SCALE)
    assert (second.left, second.mark, second.right) == (0, SCALE / 4, SCALE / 2)


def test_intervals_of_no_width_stand_in_the_middle() -> None:
    (only,) = intervals_of([StrengthLine(title="a/a", value=0, low=0, high=0)])
    assert only.left == only.mark == only.right == SCALE // 2
    assert intervals_of([]) == ()
