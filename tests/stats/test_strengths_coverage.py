"""Intervals of strengths hold 95 % of the time, and who is told to be best is it as often as told.

Simulated competitions; chance is seeded, so every run measures the same. `coverage` beside this
file measures more plans, with more repetitions.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from tests.stats.coverage import Found, Plan, calibration, coverage, once

CONFIDENCE = 0.95
RUNS = 100

PLANS = [
    pytest.param(Plan(entrants=8, boards=6), id="two seats"),
    pytest.param(Plan(entrants=8, boards=8, is_same=True), id="the same boards for all"),
    pytest.param(Plan(entrants=8, boards=4, rotations=1, again=3), id="luck that goes one way"),
    pytest.param(Plan(entrants=8, boards=2, spread=1.5), id="few games, large differences"),
    pytest.param(Plan(entrants=8, seats=4, times=10, boards=3, rotations=4), id="four seats"),
]


def runs(plan: Plan, count: int = RUNS, *, naive: bool = False) -> list[Found]:
    rng = np.random.default_rng(2026)
    return [once(plan, rng, naive=naive) for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS)
def test_intervals_hold(plan: Plan) -> None:
    """Within three standard errors of so many intervals; above by 2 % more, as few boards ask."""
    error = sqrt(CONFIDENCE * (1 - CONFIDENCE) / (RUNS * plan.entrants))
    assert CONFIDENCE - 3 * error <= coverage(runs(plan)) <= CONFIDENCE + 3 * error + 0.02


@pytest.mark.slow
def test_intervals_would_not_hold_if_games_on_a_board_were_taken_as_independent() -> None:
    """So the simulation does tell the difference."""
    plan = Plan(entrants=8, boards=6, rotations=1, again=4, is_same=True)
    assert coverage(runs(plan, 40, naive=True)) < 0.85
    assert coverage(runs(plan, 40)) > 0.92


@pytest.mark.slow
def test_best_is_best_as_often_as_told() -> None:
    """By tenths of what was told, within three standard errors and 3 % for what is approximate."""
    rng = np.random.default_rng(7)
    plan = Plan(entrants=6, boards=4)
    table = calibration([once(plan, rng) for _ in range(300)])
    assert len(table) == 10
    for told, right, count in table:
        error = sqrt(told * (1 - told) / count)
        assert abs(right - told) <= 3 * error + 0.03, (told, right, count)
