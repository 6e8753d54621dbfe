"""What says the same goes over by its name, and nothing else does."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from arena.tournament.carrying import carried


@dataclass(frozen=True)
class Full:
    name: str
    points: int
    secret: str = "never told"


@dataclass(frozen=True)
class Shown:
    name: str
    points: int
    note: str = ""


def test_what_both_have_goes_over_and_the_rest_stays_behind() -> None:
    assert carried(Shown, Full("ann", 7)) == Shown("ann", 7)


def test_what_is_said_counts_more() -> None:
    assert carried(Shown, Full("ann", 7), points=8, note="corrected") == Shown(
        "ann", 8, "corrected"
    )


def test_what_is_nowhere_is_missed() -> None:
    with pytest.raises(TypeError, match="points"):
        carried(Shown, object(), name="ann")
