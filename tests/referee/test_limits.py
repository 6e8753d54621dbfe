"""The limits file, and the arithmetic of a bank."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from arena.errors import InputError
from arena.referee.clock import SeatClock
from arena.referee.limits import STANDARD, Instant, Nanos, TimeControl, nanos, shown


def test_the_defaults_are_those_that_are_published() -> None:
    assert (
        TimeControl()
        == STANDARD
        == TimeControl(
            start_up=nanos(20), turn=nanos(1), bank=nanos(30), response_window=nanos(0.1)
        )
    )


@pytest.mark.parametrize("name", ["start_up", "turn", "bank", "response_window"])
def test_a_limit_below_its_least_value_is_refused_by_name(name: str) -> None:
    with pytest.raises(InputError, match=f"{name.replace('_', ' ')} -1 s: must be"):
        replace(STANDARD, **{name: nanos(-1)})


def test_a_bank_may_be_empty_and_nothing_else() -> None:
    assert replace(STANDARD, bank=Nanos(0)).bank == 0
    with pytest.raises(InputError, match="turn 0 s: must be above 0"):
        replace(STANDARD, turn=Nanos(0))


def test_a_limit_longer_than_a_day_is_refused() -> None:
    with pytest.raises(InputError, match="bank 86401 s: must be from 0 up to 86400 s"):
        replace(STANDARD, bank=nanos(86401))


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), 1e300])
def test_what_is_no_number_of_seconds_is_refused(seconds: float) -> None:
    with pytest.raises(
        InputError, match=f"{re.escape(str(seconds))} seconds: must be a finite number"
    ):
        nanos(seconds)


def test_durations_are_shown_in_whole_milliseconds() -> None:
    assert shown(nanos(1)) == "1,000 ms"
    assert shown(nanos(0.0999999)) == "99 ms"


def test_a_turn_has_its_free_time_and_the_bank_a_response_only_its_window() -> None:
    clock = SeatClock(STANDARD, nanos(3))
    assert clock.deadline(Instant(5), responding=False) == 5 + nanos(4)
    assert clock.deadline(Instant(5), responding=True) == 5 + nanos(0.1)


def test_a_bank_pays_for_what_exceeds_the_turn_and_never_goes_below_zero() -> None:
    clock = SeatClock(STANDARD, nanos(3))
    assert clock.charge(nanos(1)) == clock
    assert clock.charge(nanos(1) + 1).bank_left == nanos(3) - 1
    assert clock.charge(nanos(10)).bank_left == 0
