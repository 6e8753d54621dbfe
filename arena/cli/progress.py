"""How a series goes, on standard error: a bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

__all__ = ["PATIENCE", "MatchProgress"]

PATIENCE: Final = 2.0
"""Seconds until a bar is shown: what is over before needs none."""

_EVERY: Final = 60.0  # seconds between lines where there is no terminal


class MatchProgress:
    """Progress of a series; `clock` tells seconds."""

    def __init__(
        self,
        console: Console,
        games: int,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._console = console
        self._clock = clock
        self._standing = ""
        self._games = games
        self._played = 0
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task("games", total=games)
        self._show_at = clock() + (PATIENCE if console.is_terminal else _EVERY)
        self._is_shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            self._bar.stop()

    def advance(self, games: int = 1) -> None:
        """So many more games."""
        self._played += games
        self._bar.advance(self._task, games)
        self._show()

    def say(self, standing: str) -> None:
        """How it stands, in a few words."""
        self._standing = standing
        self._bar.update(self._task, description=standing)
        self._show()

    def _show(self) -> None:
        if self._is_shown or self._clock() < self._show_at:
            return
        if self._console.is_terminal:
            self._is_shown = True
            self._bar.start()
        else:
            self._show_at = self._clock() + _EVERY
            standing = f": {self._standing}" if self._standing else ""
            text = f"{self._played:,} of {self._games:,} games{standing}"
            self._console.print(text, soft_wrap=True)
