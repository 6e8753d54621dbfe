"""What a match changes: laws, equal bits whatever the order, and what people are told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.ladder.changes import WIDENING, Change, explain, new_version, rate_match
from arena.ladder.rating import Parameters, Ranking, Rating, expected_share, rate

ROOT = Path(__file__).parents[2]
STANDARD = Parameters()
KNOWN = {"ann": Rating(30, 2), "bob": Rating(25, 3), "cyd": Rating(21, 1), "dan": Rating(27, 5)}
DUEL = Ranking((("ann",), ("bob",)), (1, 0))
FREE = Ranking((("ann",), ("bob",), ("cyd",)), (0, 1, 1))
TEAMS = Ranking((("ann", "bob"), ("cyd", "dan")), (0, 1))


def by_name(changes: tuple[Change, ...]) -> dict[str, Change]:
    return {one.entrant: one for one in changes}


def test_ratings_are_those_that_rate_gives() -> None:
    for ranking in (DUEL, FREE, TEAMS):
        found = by_name(rate_match(STANDARD, KNOWN, ranking))
        assert {name: one.after for name, one in found.items()} == rate(STANDARD, KNOWN, ranking)
        assert all(one.before == KNOWN[name] for name, one in found.items())


def test_changes_come_in_the_order_of_the_teams() -> None:
    assert [one.entrant for one in rate_match(STANDARD, KNOWN, TEAMS)] == [*KNOWN]


def test_a_duel_is_expected_and_got_as_everywhere() -> None:
    found = by_name(rate_match(STANDARD, KNOWN, DUEL))
    assert found["ann"].expected == expected_share(STANDARD, KNOWN["ann"], KNOWN["bob"])
    assert (found["ann"].actual, found["bob"].actual) == (0, 1)
    assert (found["ann"].rank, found["bob"].rank) == (1, 0)


def test_with_three_a_share_is_the_mean_over_the_others() -> None:
    found = by_name(rate_match(STANDARD, KNOWN, FREE))
    shares = [expected_share(STANDARD, KNOWN["bob"], KNOWN[one]) for one in ("ann", "cyd")]
    assert found["bob"].expected == pytest.approx(sum(shares) / 2)
    assert (found["ann"].actual, found["bob"].actual, found["cyd"].actual) == (1, 0.25, 0.25)


def test_partners_share_what_is_expected() -> None:
    found = by_name(rate_match(STANDARD, KNOWN, TEAMS))
    assert found["ann"].expected == found["bob"].expected
    assert found["ann"].expected + found["cyd"].expected == pytest.approx(1)
    assert found["ann"].expected > 0.5


@settings(max_examples=30)
@given(st.permutations(["ann", "bob", "cyd", "dan"]), st.booleans(), st.booleans())
def test_the_order_of_teams_and_partners_changes_no_bit(
    names: list[str], swapped: bool, turned: bool
) -> None:
    one, two = tuple(names[:2]), tuple(names[2:])
    ranking = Ranking((one, two), (0, 1))
    first, second = (one[::-1] if swapped else one), two
    other = Ranking((second, first), (1, 0)) if turned else Ranking((first, second), (0, 1))
    assert by_name(rate_match(STANDARD, KNOWN, ranking)) == by_name(
        rate_match(STANDARD, KNOWN, other)
    )


@pytest.mark.parametrize("salt", ["0", "77"])
def test_no_bit_depends_on_how_strings_are_hashed(salt: str) -> None:
    program = (
        "from arena.ladder.changes import rate_match\n"
        "from arena.ladder.rating import *\n"
        "ratings = {}\n"
        "for number in range(40):\n"
        "    names = [f'bot-{(number * step) % 7}' for step in (1, 2, 3)]\n"
        "    if len(set(names)) < 3: continue\n"
        "    ranking = Ranking(tuple((name,) for name in names), (number % 2, 0, 1))\n"
        "    for one in rate_match(Parameters(), ratings, ranking):\n"
        "        ratings[one.entrant] = one.after\n"
        "print(sorted((name, one.mu.hex(), one.sigma.hex()) for name, one in ratings.items()))\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", salt)
    ]
    assert runs[0] == runs[1]
    assert "bot-3" in runs[0]


# -- new versions -----------------------------------------------------------------------------


def test_a_new_version_keeps_the_mean_and_is_less_sure() -> None:
    found = new_version(STANDARD, Rating(31, 1))
    assert found.mu == 31
    assert found.sigma == pytest.approx((1 + (WIDENING * STANDARD.sigma) ** 2) ** 0.5)


@given(st.floats(0.01, 30), st.floats(0, 5))
def test_a_new_version_is_never_surer_and_never_less_sure_than_a_newcomer(
    sigma: float, widening: float
) -> None:
    found = new_version(STANDARD, Rating(20, sigma), widening)
    assert sigma <= found.sigma <= max(sigma, STANDARD.sigma)


def test_widening_that_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match=r"widening -1: must be finite and not below 0"):
        new_version(STANDARD, STANDARD.start, -1)


# -- for people -------------------------------------------------------------------------------


def test_a_change_is_explained() -> None:
    lines = explain(rate_match(STANDARD, KNOWN, DUEL), "ann", {"bob": "ben/bob"})
    assert lines[0] == "before: rating 24.00 = mu 30.00 - 3 x sigma 2.00"
    assert lines[1] == "result: lost, against"
    assert lines[2] == "  ben/bob: rank 1, rating 16.00 = mu 25.00 - 3 x sigma 3.00"
    share = 100 * expected_share(STANDARD, KNOWN["ann"], KNOWN["bob"])
    assert lines[3] == (
        f"expected a share of {share:.0f} % against them, got 0 %: worse than expected"
    )
    assert lines[4].startswith("after: rating ")


def test_a_rating_that_moves_against_the_result_is_explained() -> None:
    known = {"new": Rating(25, 8), "old": Rating(35, 1)}
    changes = rate_match(STANDARD, known, Ranking((("new",), ("old",)), (1, 0)))
    new = by_name(changes)["new"]
    assert new.actual < new.expected
    assert new.after.conservative > new.before.conservative
    assert explain(changes, "new")[-1] == (
        "the rating rises all the same: the match has made us surer of what it is worth"
    )


def test_ranks_among_several_are_counted_from_one() -> None:
    lines = explain(rate_match(STANDARD, KNOWN, FREE), "bob")
    assert lines[1] == "result: rank 2, with"
    assert lines[2].startswith("  ann: rank 1, ")
    assert lines[3].startswith("  cyd: rank 2, ")


def test_who_has_not_played_has_nothing_to_explain() -> None:
    with pytest.raises(InputError, match="entrant 'eve' has not played in this match"):
        explain(rate_match(STANDARD, KNOWN, DUEL), "eve")
