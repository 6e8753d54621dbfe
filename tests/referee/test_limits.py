"""The limits file, and the arithmetic of a bank."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from arena.errors import InputError
from arena.referee.clock import SeatClock
from arena.referee.limits import (
    STANDARD,
    STANDARD_LIMITS,
    FaultBudget,
    HostGuard,
    Instant,
    Limits,
    Nanos,
    TimeControl,
    WindowMode,
    limits_from,
    nanos,
    shown,
)


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
    for spent, left in ((1, 3), (0, 3), (1.5, 2.5), (2.5, 1), (10, 0), (1, 0)):
        clock.charge(nanos(spent))
        assert clock.bank_left == nanos(left)


# -- faults, windows, the host ---------------------------------------------------------------------


def test_the_default_budgets_are_those_that_are_published() -> None:
    assert Limits() == STANDARD_LIMITS
    assert STANDARD_LIMITS.faults == FaultBudget(
        max_strikes=3, messages_per_prompt=4, surplus_messages=64, note_bytes=500
    )
    assert STANDARD_LIMITS.host == HostGuard(credited=nanos(0.02), void=nanos(0.25))
    assert STANDARD_LIMITS.window is WindowMode.PROMPT


@pytest.mark.parametrize(
    ("name", "value", "least"),
    [
        ("max_strikes", 0, 1),
        ("messages_per_prompt", 0, 1),
        ("surplus_messages", -1, 0),
        ("note_bytes", -1, 0),
        ("max_strikes", 1_000_001, 1),
    ],
)
def test_a_budget_out_of_its_range_is_refused_by_name(name: str, value: int, least: int) -> None:
    wanted = f"{name.replace('_', ' ')} {value}: must be from {least} to 1000000"
    with pytest.raises(InputError, match=wanted):
        replace(FaultBudget(), **{name: value})


def test_limits_are_given_by_name_and_the_others_stay_as_they_are() -> None:
    base = Limits(window=WindowMode.SEALED)
    assert limits_from({}, base) == base
    assert limits_from({"turn": 0.5, "bank": 0, "max_strikes": 1, "window": "standing"}, base) == (
        Limits(
            time=TimeControl(turn=nanos(0.5), bank=nanos(0)),
            faults=FaultBudget(max_strikes=1),
            window=WindowMode.STANDING,
        )
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"trun": 1}, "no limit is called 'trun'; there are start_up, turn, bank"),
        ({"turn": "1"}, "turn '1': must be a number"),
        ({"turn": True}, "turn 'True': must be a number"),
        ({"turn": 0}, "turn 0 s: must be above 0"),
        ({"turn": float("nan")}, "nan seconds: must be a finite number"),
        ({"max_strikes": 1.5}, "max_strikes '1.5': must be a number"),
        ({"max_strikes": 0}, "max strikes 0: must be from 1"),
        ({"window": "open"}, "window 'open': must be one of prompt, sealed, standing"),
        ({"window": None}, "window 'None': must be one of"),
    ],
)
def test_a_limit_that_does_not_exist_or_makes_no_sense_is_refused(
    given: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        limits_from(given)
