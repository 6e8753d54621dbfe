"""What an attacker can measure: on the real clock, whoever is attacked, whatever it thinks."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import fmean
from typing import Final

import pytest
from scipy.stats import mannwhitneyu

from arena.engine.actions import PASS
from arena.referee.events import Effect, Prompt, Tell, WindowOpened
from arena.referee.game import MatchPlan
from arena.referee.limits import Instant, Nanos, TimeControl, WindowMode
from arena.referee.match import Match
from arena.referee.scripted import Reply, Script, ScriptedSeat
from tests.referee.driving import QUICK, drive, whatever_the_host
from tests.referee.plans import (
    MS,
    ONE,
    ZERO,
    has_the_safety,
    make_plan,
    patient,
    responding,
)

WINDOW: Final = Nanos(4 * MS)
ATTACKS: Final = 800
MOST_DIFFERENCE: Final = 1 * MS
FAIR: Final = 0.15
"""How far from one half the chance may be that an attack on a holder takes longer: what remains is
how quickly a busy machine wakes a process that was awake a moment before."""


def attacker(prompt: Prompt) -> list[Reply]:
    """Attack whenever possible, at once."""
    legal = prompt.view.legal
    return [Reply(next((one for one in legal if one.team is not None), legal[0]), QUICK)]


def declining(*, thinks: Nanos) -> Script:
    """Keep every safety, and think it over before each coup fourré that is not declared."""

    def script(prompt: Prompt) -> list[Reply]:
        if responding(prompt):
            return [Reply(PASS, thinks if has_the_safety(prompt) else QUICK)]
        (reply,) = patient(prompt)
        return [Reply(reply.choice, QUICK)]

    return script


@dataclass
class Spy:
    """How long after its attack the attacker hears from the referee again, by who was attacked.

    Attributes:
        delays: Nanoseconds, by whether the victim held the safety.
    """

    delays: dict[bool, list[int]] = field(default_factory=lambda: {True: [], False: []})
    _since: Instant | None = None
    _held: bool | None = None

    def __call__(self, effect: Effect, now: Instant) -> None:
        if isinstance(effect, WindowOpened):
            self._since, self._held = now, None
        elif isinstance(effect, Tell) and self._since is not None:
            message = effect.message
            if effect.bot == ONE and isinstance(message, Prompt) and responding(message):
                self._held = has_the_safety(message)
            elif effect.bot == ZERO and self._held is not None:
                self.delays[self._held].append(now - self._since)
                self._since = None


def measured(mode: WindowMode) -> Spy:
    """Attacks enough of both kinds, against a bot that thinks for most of the window."""
    spy = Spy()
    board = 0
    while sum(map(len, spy.delays.values())) < ATTACKS or len(spy.delays[True]) < ATTACKS // 10:
        drive(Match(_plan(mode, board), b"secret"), *_seats(), watch=spy)
        board += 1
    return spy


def _plan(mode: WindowMode, number: int) -> MatchPlan:
    time = TimeControl(response_window=WINDOW)
    plan = make_plan(hands=10, seed=f"tell/{number}", time=time, window=mode)
    return whatever_the_host(plan)


def _seats() -> tuple[ScriptedSeat, ScriptedSeat]:
    thinking = Nanos(WINDOW * 4 // 5)
    return ScriptedSeat(attacker), ScriptedSeat(declining(thinks=thinking))


def bias(spy: Spy) -> float:
    """How far from one half the chance is that the delay for a holder is the longer one."""
    held, not_held = spy.delays[True], spy.delays[False]
    longer = float(mannwhitneyu(held, not_held).statistic)
    return abs(longer / (len(held) * len(not_held)) - 0.5)


def difference(spy: Spy) -> float:
    return abs(fmean(spy.delays[True]) - fmean(spy.delays[False]))


@pytest.mark.slow
def test_a_sealed_window_does_not_tell_who_holds_the_safety() -> None:
    # A tell shows in every measure, a busy machine in some.
    biases = []
    for _ in range(3):
        spy = measured(WindowMode.SEALED)
        assert min(map(min, spy.delays.values())) >= WINDOW
        biases.append(bias(spy))
        if biases[-1] < FAIR and difference(spy) < MOST_DIFFERENCE:
            return
    raise AssertionError(f"three measures told who held the safety: {biases}")


@pytest.mark.slow
def test_the_same_measure_sees_through_a_window_that_closes_when_all_have_answered() -> None:
    spy = measured(WindowMode.PROMPT)
    assert difference(spy) > MOST_DIFFERENCE
    assert bias(spy) > 2 * FAIR
