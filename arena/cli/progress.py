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
        title: str = "",
        already: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._console = console
        self._clock = clock
        self._title = title
        self._standing = ""
        self._games = games
        self._played = already
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task(self._text, total=games, completed=already)
        self._show_at = clock() + (PATIENCE if console.is_terminal else _EVERY)
        self._is_shown = False

    @property
    def _text(self) -> str:
        return " ".join(filter(None, (self._title, self._standing))) or "games"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            self._bar.stop()

    def advance(self) -> None:
        """One more game."""
        self._played += 1
        self._bar.advance(self._task)
        self._show()

    def say(self, standing: str) -> None:
        """How it stands, in a few words."""
        self._standing = standing
        self._bar.update(self._task, description=self._text)
        self._show()

    def _show(self) -> None:
        if self._is_shown or self._clock() < self._show_at:
            return
        if self._console.is_terminal:
            self._is_shown = True
            self._bar.start()
        else:
            self._show_at = self._clock() + _EVERY
            text = f"{self._played:,} of {self._games:,} games: {self._text}"
            self._console.print(text, soft_wrap=True)
