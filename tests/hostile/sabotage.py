"""Playing cases with something of the referee taken away: then the judge must find it wrong."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any
from unittest import mock

from arena.app import play_match
from arena.sandbox.orphans import Orphans
from arena.tournament.matches import MatchOutcome, MatchSpec
from arena.transport import seats, streams
from tests.hostile import house
from tests.hostile.house import Seen, observe

__all__ = [
    "slow_referee",
    "with_a_pipe_left_open",
    "without_limit_on_connections",
    "without_sweep",
]


def slow_referee(path: Path) -> Seen:
    """The referee is held up for 12 ms at each message: too little for its own pulse to notice."""
    read = streams._read

    async def read_slowly(context: streams._Context) -> bytes | None:
        message = await read(context)
        time.sleep(0.012)  # noqa: ASYNC251 - that is the point
        return message

    with mock.patch.object(streams, "_read", read_slowly):
        return observe(path)


def without_sweep(path: Path) -> Seen:
    """Nobody looks for children in sessions of their own, nor for orphans."""
    with mock.patch("arena.sandbox.guard.sweep"), mock.patch.object(Orphans, "_found", _nobody):
        return observe(path)


def _nobody(_: Orphans) -> tuple[()]:
    return ()


def with_a_pipe_left_open(path: Path) -> Seen:
    """The referee opens something in each match that nobody closes."""
    opened: list[int] = []

    def play_and_leave(spec: MatchSpec, **more: Any) -> MatchOutcome:
        opened.extend(os.pipe())
        return play_match(spec, **more)

    try:
        with mock.patch.object(house, "play_match", play_and_leave):
            return observe(path)
    finally:
        for number in opened:
            os.close(number)


def without_limit_on_connections(path: Path) -> Seen:
    """A seat may hold as many connections as it likes."""
    options = [one for one in seats.OPTIONS if "connections" not in one[0]]
    with mock.patch.object(seats, "OPTIONS", tuple(options)):
        return observe(path)
