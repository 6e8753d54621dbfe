"""The power of a plan: how likely the best bot wins, and how many boards would be enough.

Every chance is counted in simulations (`planplay`) and comes with the 95 % interval of Wilson
("Probable inference", 1927), which says how far off the count may be. It says nothing of how far
off the model is (`plannoise`).
"""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.errors import InputError
from arena.stats.estimates import Interval
from arena.stats.student import NORMAL
from arena.tournament.competition.plannoise import play_match
from arena.tournament.competition.planplay import Ended, Plan, play_competition
from arena.tournament.competition.plantime import Pace, seconds_of
from arena.tournament.competition.regulations import Regulations, Rotations
from arena.tournament.competition.regulationsparts import MOST_BOARDS

__all__ = [
    "Chance",
    "Needed",
    "Power",
    "Times",
    "board_numbers",
    "evaluations",
    "match_chance",
    "needed",
    "numbers_for",
    "power",
    "times",
    "wilson",
]

_Z: Final = NORMAL.inv_cdf(0.975)
_PRIZES: Final = 3
_LATE: Final = 0.95
_MATCHES: Final = 2000
_NUMBERS: Final = (10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 45, 50, 56, 64, 72, 80, 90)


def wilson(hits: int, of: int) -> Interval:
    """Where the probability lies, at 95 %, of what happened so often."""
    if not 0 <= hits <= of or of < 1:
        raise InputError(f"{hits} of {of}: must be from 0 to the number of trials")
    share, square = hits / of, _Z * _Z / of
    middle = (share + square / 2) / (1 + square)
    reach = _Z * math.sqrt(share * (1 - share) / of + square / (4 * of)) / (1 + square)
    # At the ends the exact value, which rounding would miss by a little.
    return Interval(middle - reach if hits else 0.0, middle + reach if hits < of else 1.0)


@dataclass(frozen=True, slots=True)
class Chance:
    """Something happened in `hits` of so many simulations."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """The part of them."""
        return self.hits / self.of

    @property
    def interval(self) -> Interval:
        """Where the probability lies, at 95 %."""
        return wilson(self.hits, self.of)


@dataclass(frozen=True, slots=True)
class Power:
    """What a plan can tell, by simulations of it."""

    ended: tuple[Ended, ...]

    @property
    def wins(self) -> Chance:
        """The best bot wins; a shared first place goes by lot."""
        return self._count([one.place == 1 for one in self.ended])

    @property
    def first_three(self) -> Chance:
        """It is among the first three, a shared third place included."""
        return self._count([one.shared <= _PRIZES for one in self.ended])

    @property
    def last_stage(self) -> Chance:
        """It plays in the last stage."""
        return self._count([one.reached == len(one.waves) for one in self.ended])

    @property
    def place(self) -> float:
        """Its mean place."""
        return statistics.fmean(one.place for one in self.ended)

    @property
    def gap(self) -> float:
        """By how many Elo it is ahead of the second, in the median."""
        return statistics.median(one.strengths[0] - one.strengths[1] for one in self.ended)

    def _count(self, happened: Sequence[bool]) -> Chance:
        return Chance(sum(happened), len(happened))


def power(plan: Plan, simulations: int, done: Callable[[], None] = lambda: None) -> Power:
    """Simulate a plan so often; `done` is called after each time.

    Raises:
        InputError: there are no simulations, or a stage cannot be played with so many.
    """
    if simulations < 1:
        raise InputError(f"simulations {simulations}: must be 1 or more")
    ended = []
    for number in range(simulations):
        ended.append(play_competition(plan, number))
        done()
    return Power(tuple(ended))


# -- time ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Times:
    """How long a plan takes, in seconds.

    Attributes:
        stages: By stage, in the mean.
        mean: Of the whole.
        late: No more than that in 95 of 100 simulations.
    """

    stages: tuple[float, ...]
    mean: float
    late: float


def times(found: Power, games_per_board: int, pace: Pace) -> Times:
    """How long the simulated competitions take at a pace."""
    each = [seconds_of(one, games_per_board, pace) for one in found.ended]
    totals = sorted(map(sum, each))
    return Times(
        stages=tuple(statistics.fmean(stage) for stage in zip(*each, strict=True)),
        mean=statistics.fmean(totals),
        late=totals[math.ceil(_LATE * len(totals)) - 1],
    )


# -- how many boards ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """How many boards are enough.

    Attributes:
        boards: Of a match; None: not even the most are.
        plan: The plan with so many, or with the most.
        power: What it can tell.
    """

    boards: int | None
    plan: Plan
    power: Power


def board_numbers(multiple: int = 1) -> tuple[int, ...]:
    """The numbers of boards that are tried, about an eighth apart, each a multiple of a number."""
    small = range(1, 10)
    tens = [one * scale for scale in (1, 10) for one in _NUMBERS]
    raised = {-(-one // multiple) * multiple for one in (*small, *tens, MOST_BOARDS)}
    return tuple(sorted(one for one in raised if one <= MOST_BOARDS))


def numbers_for(regulations: Regulations) -> tuple[int, ...]:
    """The numbers of boards that the regulations could have."""
    game = regulations.game
    # Boards that are played once give everybody every seat equally often only in such multiples.
    return board_numbers(game.players if game.rotations is Rotations.ONE else 1)


def evaluations(numbers: Sequence[int]) -> int:
    """How often a plan is simulated, at most, to find the fewest of so many numbers."""
    return 1 + math.ceil(math.log2(max(1, len(numbers))))


def needed(
    plan: Plan,
    confidence: float,
    simulations: int,
    *,
    only_last: bool = False,
    done: Callable[[], None] = lambda: None,
) -> Needed:
    """The fewest boards with which the best bot wins with a probability, found by bisection.

    Args:
        plan: With the gap that is meant.
        confidence: The probability, between 0 and 1.
        simulations: Of each number of boards that is tried, all with the same chance.
        only_last: More boards are played in the last stage alone.
        done: Called after each simulation.

    Raises:
        InputError: the probability cannot be, or a stage cannot be played with so many.
    """
    if not 0 < confidence < 1:
        raise InputError(f"confidence {confidence:g}: must be between 0 and 1, such as 0.9")
    numbers = numbers_for(plan.regulations)

    def tried(boards: int) -> Needed:
        changed = dataclasses.replace(plan, boards=_by_stage(plan, boards, only_last=only_last))
        return Needed(boards=boards, plan=changed, power=power(changed, simulations, done))

    best = tried(numbers[-1])
    if best.power.wins.value < confidence:
        return dataclasses.replace(best, boards=None)
    low, high = 0, len(numbers) - 1  # numbers[high] is enough
    while low < high:
        middle = (low + high) // 2
        found = tried(numbers[middle])
        if found.power.wins.value >= confidence:
            high, best = middle, found
        else:
            low = middle + 1
    return best


def _by_stage(plan: Plan, boards: int, *, only_last: bool) -> tuple[int, ...]:
    stages = plan.regulations.stages
    usual = plan.boards or tuple(stage.boards or plan.regulations.game.boards for stage in stages)
    if only_last:
        return (*usual[:-1], boards)
    return (boards,) * len(stages)


def match_chance(plan: Plan, gap: float, boards: int) -> Chance:
    """How often of two bots the better one is ahead after a match one against one.

    A drawn match is a win of nobody.
    """
    chance = np.random.default_rng([plan.seed, boards])
    games = plan.regulations.game.games_per_board
    teams = ((gap,), (0.0,))
    scores = [play_match(plan.noise, teams, boards, games, chance) for _ in range(_MATCHES)]
    return Chance(sum(score.ranks == (1, 2) for score in scores), _MATCHES)
