"""What `arena competition plan` simulates, and a bar for what takes longer than a moment."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from arena.cli.progress import PATIENCE
from arena.tournament.competition.planplay import Plan
from arena.tournament.competition.planpower import (
    Needed,
    Power,
    evaluations,
    needed,
    numbers_for,
    power,
)

__all__ = ["Bar", "Found", "Wanted", "figures", "simulate"]

_EVERY: Final = 60.0  # seconds between lines where there is no terminal


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be found out.

    Attributes:
        confidence: With this probability the best bot is to win.
        gap: If it is so many Elo ahead of the second.
        simulations: For each figure.
    """

    confidence: float
    gap: float
    simulations: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was found.

    Attributes:
        plan: What was simulated, with strengths as they are drawn.
        drawn: What it can tell.
        planned: What it can tell with the gap that is wanted.
        every: How many boards are enough in all stages.
        last: How many are enough in the last one; None: there is no other.
    """

    plan: Plan
    wanted: Wanted
    drawn: Power
    planned: Power
    every: Needed
    last: Needed | None


def figures(plan: Plan) -> int:
    """How often a plan is simulated with other numbers, at most."""
    scopes = min(2, len(plan.regulations.stages))
    return 2 + scopes * evaluations(numbers_for(plan.regulations))


def simulate(plan: Plan, wanted: Wanted, done: Callable[[], None]) -> Found:
    """Find out all of it; `done` is called after each simulated competition.

    Raises:
        InputError: a number cannot be, or a stage cannot be played with so many.
    """
    ahead = dataclasses.replace(plan, gap=wanted.gap)
    count, several = wanted.simulations, len(plan.regulations.stages) > 1
    every = needed(ahead, wanted.confidence, count, done=done)
    last = needed(ahead, wanted.confidence, count, only_last=True, done=done) if several else None
    return Found(
        plan=plan,
        wanted=wanted,
        drawn=power(plan, count, done),
        planned=power(ahead, count, done),
        every=every,
        last=last,
    )


class Bar:
    """Progress of some work on standard error; `clock` tells seconds."""

    def __init__(
        self,
        console: Console,
        what: str,
        steps: int,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._console, self._what, self._steps, self._clock = console, what, steps, clock
        self._done = 0
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task(what, total=steps)
        self._show_at = clock() + (PATIENCE if console.is_terminal else _EVERY)
        self._is_shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            self._bar.stop()

    def advance(self) -> None:
        """One step more."""
        self._done += 1
        self._bar.advance(self._task)
        if self._is_shown or self._clock() < self._show_at:
            return
        if self._console.is_terminal:
            self._is_shown = True
            self._bar.start()
        else:
            self._show_at = self._clock() + _EVERY
            part = min(1.0, self._done / self._steps)
            self._console.print(f"{self._what}: {part:.0%} done", soft_wrap=True)
