"""The deals look like chance: chi-square on a million decks, and proof that the check bites."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from arena.engine.deal import Stream
from tests.engine.shuffle_statistics import (
    HANDS_OF_A_BOARD,
    SIZE,
    Statistic,
    Tally,
    pair_moments,
    statistics,
    tally,
    tally_boards,
)

THRESHOLD = 1e-6
"""Each p must lie between this and 1 - this: too good a fit would be no chance either."""

FEW = range(12)
MANY = range(2000)

below = Stream.below


def refused(found: Tally) -> list[Statistic]:
    return [one for one in statistics(found) if not THRESHOLD < one.p < 1 - THRESHOLD]


def count_few() -> Tally:
    return sum((tally(board) for board in FEW[1:]), tally(FEW[0]))


@pytest.mark.slow
def test_million_decks_are_as_chance_would_have_them() -> None:
    """Chi-square with p > 1e-6 for each of six statistics over 1,000,000 classic decks.

    The decks are `Board.deck_order` of 2000 boards with 500 hands each; their seeds are fixed, so
    the values are the same at every run. Statistics and their distributions are derived in
    `shuffle_statistics`:

        positions      which kind lies at which of the 106 places    1890 degrees of freedom
        place of S     where each of the four safeties lies           105 each
        neighbours     which kind follows which                       356

    A perfect shuffle fails one of the six in some 100,000 sets of seeds.
    """
    found = tally_boards(MANY)
    assert found.decks == len(MANY) * HANDS_OF_A_BOARD == 1_000_000
    assert [one.freedom for one in statistics(found)] == [1890, 105, 105, 105, 105, 356]
    assert refused(found) == [], "\n".join(map(str, statistics(found)))


def test_few_decks_pass_the_same_check() -> None:
    assert refused(count_few()) == []


BIASED: dict[str, tuple[Callable[[Stream, int], int], set[str]]] = {
    "modulo of a byte, nothing thrown away": (
        lambda stream, bound: stream.word() % 256 % bound,
        {"positions", "neighbours"},
    ),
    "off by one: below(i), Sattolo's cycles": (
        lambda stream, bound: below(stream, bound - 1),
        {"positions", "place of DRIVING_ACE"},
    ),
    "any place instead of those left": (
        lambda stream, _bound: below(stream, SIZE),
        {"positions", "neighbours"},
    ),
    "the upper half of what is left": (
        lambda stream, bound: bound // 2 + below(stream, bound - bound // 2),
        {"positions", "neighbours"},
    ),
}


@pytest.mark.parametrize("bias", BIASED)
def test_biased_shuffle_fails_the_same_check(bias: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real shuffle with another `below`, on 6000 decks."""
    biased, seen_by = BIASED[bias]
    monkeypatch.setattr(Stream, "below", biased)
    assert {one.name for one in refused(count_few())} >= seen_by


def test_pool_counts_what_one_process_counts() -> None:
    found, wanted = tally_boards(range(2), workers=2), tally(0) + tally(1)
    assert found.decks == wanted.decks
    assert np.array_equal(found.places, wanted.places)
    assert np.array_equal(found.pairs, wanted.pairs)


@pytest.mark.parametrize("counts", [(2, 1, 2, 1), (1, 1, 1, 1), (3, 3), (4, 1, 1)])
def test_moments_of_pairs_are_exact(counts: tuple[int, ...]) -> None:
    """Against all orders of a small deck."""
    kinds = len(counts)
    deck = [kind for kind, count in enumerate(counts) for _ in range(count)]
    tables = [
        np.bincount([kinds * a + b for a, b in itertools.pairwise(order)], minlength=kinds**2)
        for order in itertools.permutations(deck)
    ]
    mean, covariance = pair_moments(np.array(counts, dtype=np.float64))
    assert np.allclose(np.mean(tables, axis=0), mean)
    assert np.allclose(np.cov(tables, rowvar=False, bias=True), covariance)
