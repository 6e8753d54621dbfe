"""Where intervals are drawn: strengths on one scale, each a bar with a mark in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.web.competitionvalues import StrengthLine

__all__ = ["SCALE", "Bar", "intervals_of"]

SCALE: Final = 1000
"""How long the scale is."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A strength and where it stands on the scale: its interval and its mark, from 0 to `SCALE`."""

    line: StrengthLine
    left: int
    mark: int
    right: int


def intervals_of(lines: Sequence[StrengthLine]) -> tuple[Bar, ...]:
    """All strengths on the scale that takes in every interval, in the order in which they are."""
    if not lines:
        return ()
    low = min(line.low for line in lines)
    wide = max(line.high for line in lines) - low

    def at(value: float) -> int:
        return round(SCALE * (value - low) / wide) if wide > 0 else SCALE // 2

    return tuple(Bar(line, at(line.low), at(line.value), at(line.high)) for line in lines)
