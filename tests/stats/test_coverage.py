"""The 95 % intervals hold 95 % of the time: simulated games between bots whose strength is known.

Every figure is a share of 2,000 runs, so it is uncertain by 0.5 % (one standard error); chance is
seeded, so it is the same at every run. What is measured are the rows of the tables in README.md of
`arena/stats`, and what is found must be what they say.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from arena.stats.estimates import CONFIDENCE, Estimate, bounded_estimate
from arena.stats.pairs import PairTally
from arena.stats.stopping import WidthStop
from tests.stats.readme import rows
from tests.stats.simulation import (
    Model,
    fed,
    games_as_boards,
    score_distribution,
    scored_by,
    tallies,
)

RUNS = 2_000
TOLERANCE = 0.015

TABLES = {"2 seats": (2, 2), "3 seats": (3, 3), "4 seats, 2 teams": (4, 2)}
"""Rotations and sides."""

EQUAL = rows("equal bots")
UNEQUAL = rows("unequal bots")
WIDTHS = rows("stop by width")
SKILL = 0.5


def model(table: str, *, luck: float = 0.0, style: float = 0.0, skill: float = 0.0) -> Model:
    rotations, sides = TABLES[table]
    return Model(rotations=rotations, sides=sides, luck=luck, style=style, skill=skill)


def held(estimates: Sequence[Estimate | None], truth: float) -> float:
    """The share of estimates whose interval has the truth in it."""
    intervals = [found.interval for found in estimates if found is not None]
    hits = [one for one in intervals if one is not None and one.low <= truth <= one.high]
    return len(hits) / len(estimates)


def coverage(
    runs: Sequence[PairTally], share: float = 0.5, points: float = 0
) -> tuple[float, float]:
    """How often the intervals for win share and for points hold."""
    found = [run.summary() for run in runs]
    return held([one.share for one in found], share), held([one.points for one in found], points)


def is_right(share: float) -> bool:
    return abs(share - CONFIDENCE) <= TOLERANCE


def is_as_quoted(found: tuple[float, float], quoted: tuple[str, str]) -> bool:
    """Whether the README has it; should numpy's chance change, within what chance explains."""
    return all(abs(one - float(cell) / 100) < 0.02 for one, cell in zip(found, quoted, strict=True))


@pytest.mark.parametrize("table", TABLES)
def test_tallies_of_the_simulation_are_those_of_its_games(table: str) -> None:
    points = model(table, luck=0.3, style=0.2).points(seed=3, runs=20, boards=15)
    assert tallies(points) == [fed(run) for run in points]


@pytest.mark.parametrize("table", TABLES)
def test_games_of_a_board_are_correlated_as_in_play(table: str) -> None:
    """Luck of the deal: the good seat this time is the bad one next time. Draws are rare."""
    scored = scored_by(model(table, luck=0.5).points(seed=4, runs=1, boards=20_000))[0]
    assert -0.4 < np.corrcoef(scored[:, 0], scored[:, 1])[0, 1] < -0.1
    assert 0.01 < np.mean(scored == 1) < 0.02


def test_readme_covers_all_tables() -> None:
    for quoted in (EQUAL, UNEQUAL):
        assert {(row[0], row[2]) for row in quoted} >= {
            (table, boards) for table in TABLES for boards in ("30", "200")
        }
    assert {row[0] for row in WIDTHS} == set(TABLES)


@pytest.mark.slow
@pytest.mark.parametrize("row", EQUAL, ids=", ".join)
def test_intervals_of_equal_bots_hold(row: tuple[str, ...]) -> None:
    """Within 95 +- 1.5 %, for win share and points, whose distribution is strongly skewed."""
    table, luck, boards, *quoted = row
    played = model(table, luck=float(luck)).points(seed=11, runs=RUNS, boards=int(boards))
    found = coverage(tallies(played))
    assert all(map(is_right, found))
    assert is_as_quoted(found, (quoted[0], quoted[1])), found


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_check_finds_games_counted_as_independent(table: str) -> None:
    """The mistake to guard against: too wide against luck of the deal, too narrow with style."""
    lucky = model(table, luck=0.5).points(seed=12, runs=RUNS, boards=200)
    styled = model(table, style=0.4).points(seed=13, runs=RUNS, boards=200)
    for too_often in coverage(tallies(games_as_boards(lucky))):
        assert too_often > CONFIDENCE + TOLERANCE
    for too_seldom in coverage(tallies(games_as_boards(styled))):
        assert too_seldom < CONFIDENCE - TOLERANCE
    assert all(map(is_right, coverage(tallies(lucky)) + coverage(tallies(styled))))


@pytest.mark.slow
@pytest.mark.parametrize("row", UNEQUAL, ids=", ".join)
def test_intervals_of_unequal_bots_hold(row: tuple[str, ...]) -> None:
    """With 30 boards a skewed difference of points costs Student's t about a percent."""
    table, luck, boards, *quoted = row
    uneven = model(table, luck=float(luck), skill=SKILL)
    long = uneven.points(seed=15, runs=1, boards=500_000)
    share, points = float(scored_by(long).mean()) / 2, float(np.mean(long[..., 0] - long[..., 1]))
    assert round(share, 2) == 0.64
    found = coverage(tallies(uneven.points(seed=16, runs=RUNS, boards=int(boards))), share, points)
    assert is_right(found[0])
    assert is_right(found[1]) or (boards == "30" and 0.925 < found[1] < CONFIDENCE)
    assert is_as_quoted(found, (quoted[0], quoted[1])), found


@pytest.mark.slow
@pytest.mark.parametrize("boards", [10, 30])
@pytest.mark.parametrize("table", TABLES)
def test_intervals_err_on_the_safe_side(table: str, boards: int) -> None:
    """Few boards, and games that cancel out almost completely."""
    runs = tallies(model(table, luck=0.9).points(seed=19, runs=RUNS, boards=boards))
    assert min(coverage(runs)) > CONFIDENCE - TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("boards", [5, 10, 30, 200])
@pytest.mark.parametrize("truth", [0.7, 0.9, 0.97, 0.99])
@pytest.mark.parametrize("table", TABLES)
def test_intervals_near_the_edge_hold(table: str, truth: float, boards: int) -> None:
    """One-sided games, few boards: never less than 95 - 1.5 %, where the spread alone fails."""
    chances = score_distribution(model(table, luck=0.5), truth)
    counts = np.random.default_rng(17).multinomial(boards, chances, size=RUNS)
    runs = [PairTally(0, 1, TABLES[table][0], by_score=one.tolist()) for one in counts]
    share = held([bounded_estimate(run.share) for run in runs], truth)
    assert share > CONFIDENCE - TOLERANCE


@pytest.mark.slow
def test_spread_alone_would_fail_near_the_edge() -> None:
    """The same check without unseen boards: an interval that is a point when all boards are won."""
    chances = score_distribution(model("2 seats", luck=0.5), 0.97)
    counts = np.random.default_rng(17).multinomial(30, chances, size=RUNS)
    scores = np.repeat(np.linspace(0, 1, 5)[None], RUNS, 0)
    mean = (counts * scores).sum(1) / 30
    error = np.sqrt((counts * (scores - mean[:, None]) ** 2).sum(1) / 29 / 30)
    assert np.mean(np.abs(mean - 0.97) <= 2.045 * error) < CONFIDENCE - TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("row", WIDTHS, ids=", ".join)
def test_intervals_after_a_stop_by_width_hold_nearly(row: tuple[str, ...]) -> None:
    """Looking after every board costs less than 2.5 %."""
    table, width, *quoted = row
    chances = score_distribution(model(table, luck=0.5), 0.5)
    rng = np.random.default_rng(18)
    stop = WidthStop(float(width))
    found: list[Estimate | None] = []
    boards = 0
    for _ in range(RUNS):
        run = PairTally(0, 1, TABLES[table][0])
        share = None
        for scored in rng.choice(len(chances), size=1_000, p=chances).tolist():
            run.by_score[scored] += 1
            share = bounded_estimate(run.share)
            if stop.is_met([share]):
                break
        assert stop.is_met([share])
        found.append(share)
        boards += run.boards
    assert held(found, 0.5) > CONFIDENCE - 0.025
    assert abs(held(found, 0.5) - float(quoted[0]) / 100) < 0.02, held(found, 0.5)
    assert boards / RUNS == pytest.approx(float(quoted[1]), rel=0.05)
