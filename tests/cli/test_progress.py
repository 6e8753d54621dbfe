"""Progress: a bar in a terminal once it is worth it, a line now and then elsewhere."""

from __future__ import annotations

import io
import re

from rich.console import Console

from arena.cli.progress import PATIENCE, MatchProgress


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def screen(*, terminal: bool) -> tuple[Console, io.StringIO]:
    out = io.StringIO()
    return Console(file=out, force_terminal=terminal, width=100, markup=False), out


def plain(out: io.StringIO) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", out.getvalue())


def test_what_is_over_soon_shows_nothing() -> None:
    console, out = screen(terminal=True)
    clock = Clock()
    with MatchProgress(console, 10, clock=clock) as progress:
        for _ in range(10):
            clock.now += 0.19
            progress.advance()
            progress.say("a 50.0 %")
    assert clock.now < 100 + PATIENCE
    assert out.getvalue() == ""


def test_what_takes_longer_shows_games_and_the_running_estimate() -> None:
    console, out = screen(terminal=True)
    clock = Clock()
    with MatchProgress(console, 10, clock=clock) as progress:
        progress.advance(5)
        assert out.getvalue() == ""
        clock.now += PATIENCE
        progress.say("[red]a 61.2 % [58.1, 64.3], 50 boards")
        progress.advance()
    shown = plain(out)
    assert "[red]a 61.2 % [58.1, 64.3], 50 boards" in shown
    assert "6/10" in shown
    # It goes away: the table comes in its place.
    assert out.getvalue().endswith("\x1b[2K")


def test_without_a_terminal_there_is_a_line_a_minute() -> None:
    console, out = screen(terminal=False)
    clock = Clock()
    with MatchProgress(console, 5000, clock=clock) as progress:
        for _ in range(1000):
            clock.now += 0.125
            progress.advance()
            progress.say("a 50.0 %, 20 boards")
    assert out.getvalue().splitlines() == [
        "480 of 5,000 games: a 50.0 %, 20 boards",
        "960 of 5,000 games: a 50.0 %, 20 boards",
    ]
