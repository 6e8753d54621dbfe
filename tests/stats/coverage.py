"""How often intervals of strengths contain the truth, and how often who was said to be best is it.

    python -m tests.stats.coverage [repetitions]

A game is decided by luck: everybody's strength plus an extreme value (Gumbel) makes a ranking after
Plackett and Luce exactly, so the strengths that games are made from are those that a fit of
endless games would find. Every seat of a board has luck of its own that comes again in all games
on that board: the normal scores of the luck correlate by `common`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from arena.stats.strengths import Ranked, Strengths, fit

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A competition.

    Attributes:
        entrants: How many bots.
        seats: At a table, everybody for itself.
        times: How many rounds of tables are played; with two seats, everybody against everybody.
        boards: Of a match.
        rotations: Games on each board: with every rotation of the seats, or (1) only the first.
        again: How often each of these is played again in the same seats, so that the luck of the
            board does not go round.
        is_same: Whether all matches are played on the same boards.
        common: How much of the luck is the board's.
        spread: Standard deviation of strengths.
    """

    entrants: int
    seats: int = 2
    times: int = 1
    boards: int = 12
    rotations: int = 2
    again: int = 1
    is_same: bool = False
    common: float = 0.5
    spread: float = 0.5

    @property
    def told(self) -> str:
        """The plan in one line."""
        boards = "the same boards for all" if self.is_same else "boards of every match its own"
        return (
            f"{self.entrants:2} bots, {self.seats} seats, {self.times} x, {self.boards} boards x "
            f"{self.rotations} rotations x {self.again}, {boards}"
        )


def tables(plan: Plan, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Who sits where: everybody against everybody, or rounds of random tables."""
    made: list[tuple[int, ...]] = []
    if plan.seats == 2:
        for _ in range(plan.times):
            made += combinations(range(plan.entrants), 2)
        return made
    for _ in range(plan.times):
        order = rng.permutation(plan.entrants)
        starts = range(0, plan.entrants - plan.seats + 1, plan.seats)
        made += [tuple(int(one) for one in order[at : at + plan.seats]) for at in starts]
    return made


def played(plan: Plan, strengths: Floats, rng: np.random.Generator) -> list[Ranked]:
    """All games."""
    shared = rng.standard_normal((plan.boards, plan.seats))
    games = []
    for number, table in enumerate(tables(plan, rng)):
        own = shared if plan.is_same else rng.standard_normal((plan.boards, plan.seats))
        for board in range(plan.boards):
            cluster = f"{board}" if plan.is_same else f"{number}.{board}"
            for turn in range(plan.rotations):
                order = table[turn:] + table[:turn]
                for _ in range(plan.again):
                    ranks = _ranks(plan, strengths[list(order)], own[board], rng)
                    games.append(Ranked(tuple((str(one),) for one in order), ranks, cluster))
    return games


def _ranks(
    plan: Plan, strengths: Floats, board: Floats, rng: np.random.Generator
) -> tuple[int, ...]:
    fresh = rng.standard_normal(plan.seats)
    score = np.sqrt(plan.common) * board + np.sqrt(1 - plan.common) * fresh
    made = strengths - np.log(-np.log(ndtr(score)))
    places = np.argsort(np.argsort(-made))
    return tuple(int(place) for place in places)


@dataclass(frozen=True, slots=True)
class Found:
    """One competition, by entrant.

    Attributes:
        inside: Whether the truth was in the interval.
        width: Of the interval.
        best: The probability that was told.
        is_best: Whether it was.
    """

    inside: npt.NDArray[np.bool_]
    width: Floats
    best: Floats
    is_best: npt.NDArray[np.bool_]


def once(plan: Plan, rng: np.random.Generator, *, naive: bool = False) -> Found:
    """Make strengths, play, fit; `naive` takes every game for a cluster of its own."""
    strengths = plan.spread * rng.standard_normal(plan.entrants)
    strengths -= strengths.mean()
    games = played(plan, strengths, rng)
    if naive:
        games = [Ranked(game.teams, game.ranks, str(number)) for number, game in enumerate(games)]
    names = [str(one) for one in range(plan.entrants)]
    return _compared(fit(names, games, seed=int(rng.integers(2**32)), draws=2000), strengths)


def _compared(fitted: Strengths, strengths: Floats) -> Found:
    rows = [fitted.of(str(one)) for one in range(len(strengths))]
    low = np.array([row.interval.low for row in rows])
    high = np.array([row.interval.high for row in rows])
    return Found(
        (low <= strengths) & (strengths <= high),
        high - low,
        np.array([row.best for row in rows]),
        np.arange(len(strengths)) == int(np.argmax(strengths)),
    )


def coverage(found: Sequence[Found]) -> float:
    """The part of all intervals that contain the truth."""
    return float(np.mean([one.inside for one in found]))


def calibration(found: Sequence[Found]) -> list[tuple[float, float, int]]:
    """By tenths of the probability that was told: its mean, how often it was so, of how many."""
    told = np.concatenate([one.best for one in found])
    right = np.concatenate([one.is_best for one in found])
    bins = np.minimum((told * 10).astype(int), 9)
    return [
        (
            float(told[bins == one].mean()),
            float(right[bins == one].mean()),
            int((bins == one).sum()),
        )
        for one in range(10)
        if (bins == one).any()
    ]


PLANS = (
    Plan(entrants=8),
    Plan(entrants=8, is_same=True),
    Plan(entrants=8, boards=6, is_same=True),
    Plan(entrants=8, boards=12, rotations=1, again=4),
    Plan(entrants=8, boards=12, rotations=1, again=4, is_same=True),
    Plan(entrants=8, boards=2),
    Plan(entrants=8, boards=4, spread=1.5),
    Plan(entrants=8, seats=4, times=14, boards=4, rotations=4),
    Plan(entrants=8, seats=4, times=14, boards=8, rotations=4, is_same=True),
    Plan(entrants=8, seats=4, times=14, boards=4, rotations=1, again=4),
    Plan(entrants=20, boards=4),
    Plan(entrants=20, boards=12, is_same=True),
    Plan(entrants=20, boards=4, rotations=1, again=4),
    Plan(entrants=20, seats=4, times=10, boards=4, rotations=4),
    Plan(entrants=20, seats=4, times=10, boards=12, rotations=4, is_same=True),
    Plan(entrants=20, seats=4, times=10, boards=4, rotations=1, again=4),
)


def main() -> None:
    """Print a line for every plan, then how the probabilities to be best turned out."""
    parser = argparse.ArgumentParser(description="Coverage of the intervals of strengths.")
    parser.add_argument("repetitions", type=int, nargs="?", default=200)
    repetitions = parser.parse_args().repetitions
    everything = []
    for number, plan in enumerate(PLANS):
        rng = np.random.default_rng(number)
        found = [once(plan, rng) for _ in range(repetitions)]
        single = [once(plan, rng, naive=True) for _ in range(max(1, repetitions // 4))]
        width = float(np.mean([one.width for one in found]))
        sys.stdout.write(
            f"{plan.told}, spread {plan.spread}: {coverage(found):.1%} covered, width "
            f"{width:.2f}; games taken as independent: {coverage(single):.1%}\n"
        )
        sys.stdout.flush()
        everything += found
    sys.stdout.write("told to be best, was best, of how many\n")
    for told, right, count in calibration(everything):
        sys.stdout.write(f"{told:6.1%} {right:6.1%} {count:6}\n")


if __name__ == "__main__":
    main()
