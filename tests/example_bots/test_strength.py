"""Keeper beats cautious, and cautious beats random, by more than chance explains."""

from __future__ import annotations

from math import sqrt
from statistics import fmean, stdev

import pytest

from arena_sdk import HandResult
from arena_sdk.testing import play_hand
from tests.example_bots.bots import make_bot

P_BELOW_A_THOUSANDTH = 3.3  # standard errors, two-sided
MANY, FEW = 600, 40  # boards: against cautious, against random


def margin(result: HandResult, team: int) -> float:
    """What a hand was worth to a team: points ahead, or a win against a loss."""
    if result.points:
        return result.points[team] - result.points[1 - team]
    return 0 if result.winner is None else 1 if result.winner == team else -1


@pytest.mark.slow
@pytest.mark.parametrize(("better", "worse"), [("keeper", "cautious"), ("cautious", "random")])
@pytest.mark.parametrize("family", ["classic", "express", "plateau"])
def test_one_beats_the_other(better: str, worse: str, family: str) -> None:
    ours, theirs = make_bot(better), make_bot(worse)
    boards = []
    for seed in range(FEW if worse == "random" else MANY):
        there = play_hand([ours, theirs], rules=family, seed=seed)
        back = play_hand([theirs, ours], rules=family, seed=seed)
        boards.append(margin(there, 0) + margin(back, 1))
    assert fmean(boards) > P_BELOW_A_THOUSANDTH * stdev(boards) / sqrt(len(boards))
