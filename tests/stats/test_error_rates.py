"""The sequential test errs as seldom as it was told to: simulated, each rate with its error bar.

Board scores are drawn from the distribution of simulated boards, tilted so that the mean share is
exactly that of the hypothesis. What is measured are the rows of the table in README.md of
`arena/stats`, and what is found must be what they say.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from arena.stats.estimates import share_of
from arena.stats.sprt import Decision, Sprt, SprtRun
from tests.stats.readme import rows
from tests.stats.simulation import Model, score_distribution, scored_by

RUNS = 2_000
SPRT = Sprt(elo0=0, elo1=60)
MODELS = {
    "2 seats": Model(rotations=2, sides=2, luck=0.5),
    "3 seats": Model(rotations=3, sides=3, luck=0.5),
    "4 seats, 2 teams": Model(rotations=4, sides=2, luck=0.5),
}
ROWS = rows("SPRT")


def is_at_most(rate: float, limit: float, runs: int) -> bool:
    """Whether a rate of so many runs agrees with a limit, within three standard errors."""
    return rate <= limit + 3 * sqrt(limit * (1 - limit) / runs)


def wrong(model: Model, elo: float) -> tuple[float, float]:
    """How often the test is wrong when the difference is `elo`, and after how many boards."""
    chances = score_distribution(model, share_of(elo))
    rng = np.random.default_rng(21)
    right = Decision.H1 if elo == SPRT.elo1 else Decision.H0
    errors = boards = 0
    for _ in range(RUNS):
        run = SprtRun(SPRT, model.rotations)
        for scored in rng.choice(len(chances), size=3_000, p=chances).tolist():
            if run.add(scored) is not Decision.CONTINUE:
                break
        errors += run.decision is not right
        boards += run.boards
    return errors / RUNS, boards / RUNS


def test_readme_covers_both_hypotheses_on_all_tables() -> None:
    hypotheses = {f"{SPRT.elo0:g}", f"{SPRT.elo1:g}"}
    assert {row[:2] for row in ROWS} == {(table, elo) for table in MODELS for elo in hypotheses}


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=", ".join)
def test_error_rates_hold(row: tuple[str, ...]) -> None:
    """Wrongly H1 at most 5 % of the time, wrongly H0 at most 5 %."""
    table, elo, *quoted = row
    rate, boards = wrong(MODELS[table], float(elo))
    assert is_at_most(rate, SPRT.beta if float(elo) == SPRT.elo1 else SPRT.alpha, RUNS)
    assert abs(rate - float(quoted[0]) / 100) < 0.02, (rate, boards)
    assert boards == pytest.approx(float(quoted[1]), rel=0.1)


@pytest.mark.slow
def test_check_finds_games_counted_as_boards() -> None:
    """Games of a board that go the same way are not so many pieces of evidence."""
    model = Model(rotations=4, sides=2, style=0.6)
    runs = 300
    games = scored_by(model.points(seed=22, runs=runs, boards=300)).reshape(runs, -1)
    decisions = []
    for one in games.tolist():
        run = SprtRun(SPRT, rotations=1)
        for scored in one:
            if run.add(scored) is not Decision.CONTINUE:
                break
        decisions.append(run.decision)
    assert not is_at_most(decisions.count(Decision.H1) / runs, SPRT.alpha, runs)
