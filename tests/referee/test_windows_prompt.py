"""Prompt mode: a window closes as soon as all who were asked have answered."""

from __future__ import annotations

import pytest

from arena.engine.actions import PASS
from arena.referee.limits import Nanos, WindowMode
from arena.referee.scripted import Leave, Reply, Script, Written, eager
from arena.referee.tally import Fault
from tests.referee.plans import (
    MS,
    TIME,
    ZERO,
    faults,
    hostile,
    in_windows,
    patient,
    silent,
    simulate,
)
from tests.referee.stacked import HELD, NOT_HELD, Held, closings, lengths, stacked_plan, windows

W = TIME.response_window


def responses(*delays: int) -> Script:
    return in_windows(lambda _: [Reply(PASS, Nanos(delay)) for delay in delays], patient)


@pytest.mark.parametrize("held", [HELD, NOT_HELD], ids=["held", "not held"])
@pytest.mark.parametrize("delay", [0, MS, W - 1, W])
def test_a_pass_closes_it(held: Held, delay: int) -> None:
    done = simulate(stacked_plan(held), responses(delay), hostile)
    assert lengths(done)[0] == delay
    assert closings(done)[1][1].answered_by is None


def test_it_waits_for_the_slowest_of_those_who_are_asked() -> None:
    plan = stacked_plan(players=4)
    done = simulate(plan, responses(5 * MS), hostile, responses(20 * MS), eager)
    assert windows(done)[0][1].seats == (0, 2)
    assert lengths(done)[0] == 20 * MS


def test_silence_is_a_pass_after_its_full_length() -> None:
    done = simulate(stacked_plan(), in_windows(silent, patient), hostile)
    mine = [
        length
        for (_, opened), length in zip(windows(done), lengths(done), strict=True)
        if opened.team == 0
    ]
    assert set(mine) == {W + 1}
    assert faults(done, ZERO) == {Fault.MISSED_WINDOW: len(mine)}


def test_the_clock_of_a_response_starts_when_its_prompt_is_written() -> None:
    written = Nanos(30 * MS)
    late: Script = lambda _: [Written(written), Reply(PASS, Nanos(written + W))]  # noqa: E731
    done = simulate(stacked_plan(), in_windows(late, patient), hostile)
    assert faults(done, ZERO) == {}
    assert lengths(done)[0] == written + W


def test_nobody_waits_for_who_is_not_there() -> None:
    goes: Script = lambda prompt: [*patient(prompt), Leave(Nanos(2 * MS))]  # noqa: E731
    done = simulate(stacked_plan(players=3), goes, hostile, eager)
    assert lengths(done)[0] == 0


def test_nobody_waits_for_who_goes_in_it() -> None:
    goes: Script = lambda _: [Leave(Nanos(7 * MS))]  # noqa: E731
    done = simulate(stacked_plan(players=3), in_windows(goes, patient), hostile, eager)
    assert lengths(done)[0] == 7 * MS


def test_it_is_the_mode_of_local_play() -> None:
    assert stacked_plan().limits.window is WindowMode.PROMPT
