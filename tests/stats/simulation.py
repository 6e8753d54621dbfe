"""Bots whose strength is known, on boards whose games depend on each other as real ones do.

A side performs in a game with

    sqrt(luck) * what the board deals to its seats   shared by all rotations, but sides change seats
  + sqrt(style) * how the board suits it             shared by all rotations
  + sqrt(1 - luck - style) * noise                   its own in every game
  + skill

each part normal with variance 1. Luck of the deal makes the games of a board go against each other
(whoever had the good seat has the bad one next), style makes them go the same way. Points grow with
the exponential of performance: most games are close, some are landslides.

On the engine's own boards, between copies of one sensible bot that now and then plays at random,
the wins of two games of a board are correlated by -0.07 to -0.7 with two seats, by -0.07 to -0.25
with three, and with four seats in two teams by -0.35 in neighbouring rotations and +0.3 in opposite
ones (`luck` from 0.1 to 0.9 here); 0 to 4 % of games are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arena.stats.pairs import PairTally
from arena.stats.scores import GameScore, ranks_by
from arena.stats.sums import ExactSums

Ints = npt.NDArray[np.int64]

_POINTS_STEP: Final = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """How games come about.

    Attributes:
        rotations: Games on a board, as many as seats.
        sides: Sides at the table; seats of one side are as far apart as can be.
        luck, style: Shares of the variance of a performance, as above.
        skill: By how much side 0 performs better than the others.
        skew: How strongly points grow with performance; with 0.85 the skewness of a side's points
            is about 4.
    """

    rotations: int
    sides: int
    luck: float = 0.0
    style: float = 0.0
    skill: float = 0.0
    skew: float = 0.85

    def points(self, seed: int, runs: int, boards: int) -> Ints:
        """Points by run, board, rotation and side."""
        rng = np.random.default_rng(seed)
        seats = self.rotations
        deal = rng.standard_normal((runs, boards, seats))
        # Side s has the seats s, s + sides, ...; in rotation r all are r seats further on.
        own = np.arange(self.sides)[:, None] + np.arange(0, seats, self.sides)
        seat = (own + np.arange(self.rotations)[:, None, None]) % seats
        luck = deal[:, :, seat].sum(-1) / np.sqrt(own.shape[1])
        style = rng.standard_normal((runs, boards, 1, self.sides))
        noise = rng.standard_normal((runs, boards, self.rotations, self.sides))
        performance = (
            np.sqrt(self.luck) * luck
            + np.sqrt(self.style) * style
            + np.sqrt(1 - self.luck - self.style) * noise
        )
        performance[..., 0] += self.skill
        made = np.exp(6.5 + self.skew * performance)
        points: Ints = (made / _POINTS_STEP).astype(np.int64) * _POINTS_STEP
        return points


def scored_by(points: Ints) -> Ints:
    """Half points of side 0 against side 1, by run, board and rotation."""
    scored: Ints = 1 + np.sign(points[..., 0] - points[..., 1])
    return scored


def tallies(points: Ints) -> list[PairTally]:
    """For every run the tally that feeding its games would make; `fed` does that."""
    rotations = points.shape[2]
    scored = scored_by(points)
    results = np.stack([(scored == one).sum((1, 2)) for one in range(3)], -1)
    board = scored.sum(2)
    by_score = np.stack([(board == one).sum(1) for one in range(2 * rotations + 1)], -1)
    difference = (points[..., 0] - points[..., 1]).sum(2)
    return [
        PairTally(
            0, 1, rotations, results[run].tolist(), by_score[run].tolist(), _sums(one, rotations)
        )
        for run, one in enumerate(difference)
    ]


def _sums(differences: Ints, rotations: int) -> ExactSums:
    numbers = [int(one) for one in differences]
    return ExactSums(rotations, len(numbers), sum(numbers), sum(one * one for one in numbers))


def fed(points: Ints) -> PairTally:
    """The tally of one run, fed game by game."""
    made = PairTally(0, 1, points.shape[1])
    for board in points.tolist():
        made.add([GameScore(ranks_by(game), tuple(game)) for game in board])
    return made


def games_as_boards(points: Ints) -> Ints:
    """The mistake: every game as a board of its own, as if they were independent."""
    runs, boards, rotations, sides = points.shape
    return points.reshape(runs, boards * rotations, 1, sides)


def score_distribution(model: Model, mean: float) -> npt.NDArray[Any]:
    """How often boards have each score, with `mean` as the exact mean share of side 0.

    The distribution is the model's, from 100,000 boards of equal bots, tilted exponentially.
    """
    board = scored_by(model.points(seed=1, runs=1, boards=100_000)).sum(2)[0]
    shares = np.bincount(board, minlength=2 * model.rotations + 1) / len(board)
    shares = (shares + shares[::-1]) / 2
    scores = np.linspace(0, 1, len(shares))
    low, high = -60.0, 60.0
    for _ in range(100):
        middle = (low + high) / 2
        tilted = shares * np.exp(middle * (scores - mean))
        tilted /= tilted.sum()
        low, high = (middle, high) if tilted @ scores < mean else (low, middle)
    return tilted
