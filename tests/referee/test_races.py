"""Answers that race the clock, on the real one: many windows, each with exactly one outcome."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random

import pytest

from arena.engine.actions import Verb
from arena.engine.cards import Card
from arena.referee import verdict
from arena.referee.events import (
    Effect,
    Played,
    Prompt,
    Surplus,
    Tell,
    WindowClosed,
    WindowOpened,
)
from arena.referee.limits import HostGuard, Instant, Nanos, TimeControl, WindowMode
from arena.referee.match import Match
from arena.referee.runner import run_match
from arena.referee.scripted import Leave, Reply, Script, ScriptedSeat, Step
from arena.referee.tally import Fault
from tests.referee.driving import DAY, QUICK, drive, whatever_the_host
from tests.referee.plans import (
    MS,
    ONE,
    PUBLISHED,
    ZERO,
    after,
    has_the_safety,
    hostile,
    make_plan,
    patient,
    responding,
)
from tests.referee.stacked import Held, stacked_plan

WINDOW = Nanos(4 * MS)
ENOUGH = 5000
"""Races in each mode."""

AT_ONCE = 4
"""Matches in one event loop."""

SAFE: Held = {
    0: (
        Card.GREEN_LIGHT,
        Card.RIGHT_OF_WAY,
        Card.EXTRA_TANK,
        Card.PUNCTURE_PROOF,
        Card.DRIVING_ACE,
    ),
    1: (Card.OUT_OF_GAS, Card.FLAT_TIRE, Card.ACCIDENT, Card.SPEED_LIMIT, Card.RED_LIGHT),
}
"""Who is attacked holds every safety, and who attacks every hazard."""


def is_response(effect: Effect) -> bool:
    """Whether somebody is asked to respond."""
    if not isinstance(effect, Tell) or not isinstance(effect.message, Prompt):
        return False
    return responding(effect.message)


@dataclass
class Referee:
    """What went on in the windows of a match.

    Attributes:
        outcomes: Windows in which a coup fourré was possible, by whether it came in time.
        wrong: What must not be.
        late: How many answers came too late.
        open, log: The window that is open, and what happened since.
    """

    outcomes: Counter[bool] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    late: int = 0
    log: list[Effect] = field(default_factory=list)
    open: WindowOpened | None = None

    def __call__(self, effect: Effect, now: Instant) -> None:
        self.late += isinstance(effect, Surplus) and effect.fault is Fault.LATE
        if isinstance(effect, WindowOpened):
            self.open, self.log = effect, []
        elif isinstance(effect, WindowClosed):
            self._judge(effect)
            self.open = None
        elif self.open is not None:
            self.log.append(effect)
        elif is_response(effect):
            self.wrong.append(f"asked to respond outside a window: {effect}")

    def _judge(self, closed: WindowClosed) -> None:
        """Either it was answered by the coup fourré in it, or passed and the next turn begins."""
        asked = [
            one.message
            for one in self.log
            if isinstance(one, Tell) and isinstance(one.message, Prompt)
        ]
        coups = [
            one
            for one in self.log
            if isinstance(one, Played) and one.action.verb is Verb.COUP_FOURRE
        ]
        passes = [one for one in self.log if isinstance(one, Played) and one not in coups]
        answered = closed.answered_by is not None
        if not all(map(responding, asked)) or len(coups) + len(passes) != 1:
            self.wrong.append(f"window {closed.number}: {self.log}")
        if len(coups) != answered:
            self.wrong.append(f"window {closed.number}: {coups}, answered by {closed.answered_by}")
        if any(map(has_the_safety, asked)):
            self.outcomes[answered] += 1


def racer(rng: Random) -> Script:
    """Declare every coup fourré about the end of its window, and go after some windows."""
    left = 12

    def script(prompt: Prompt) -> list[Step]:
        nonlocal left
        if not responding(prompt):
            return peaceful(prompt) if left > 0 else [Leave(QUICK)]
        left -= 1
        # The loop is late by about a millisecond, so that they arrive at the end +-2 ms.
        delay = Nanos(WINDOW + rng.randrange(-3 * MS, MS))
        return [Reply(prompt.view.legal[-1], delay)]

    return script


def peaceful(prompt: Prompt) -> list[Step]:
    """Get going and stay so, and attack nobody."""
    (reply,) = patient(prompt)
    attacks = reply.choice in [action for action in prompt.view.legal if action.team is not None]
    return [Reply(prompt.default if attacks else reply.choice, QUICK)]


def attacker(prompt: Prompt) -> list[Step]:
    return [replace(step, after=QUICK) for step in hostile(prompt)]


async def race(window: WindowMode, seeds: Iterator[int], referees: list[Referee]) -> None:
    """Play matches one after the other until there were races enough in all of them."""
    time = TimeControl(response_window=WINDOW)
    while sum(referee.outcomes.total() for referee in referees) < ENOUGH:
        seed = next(seeds)
        plan = stacked_plan(
            SAFE, bottom=tuple(SAFE[0][1:]), seed=str(seed), time=time, window=window
        )
        seats = [ScriptedSeat(racer(Random(seed))).sit(ZERO), ScriptedSeat(attacker).sit(ONE)]
        referees.append(Referee())
        match = Match(whatever_the_host(plan), b"secret")
        await run_match(match, seats, watch=referees[-1], farewell=Nanos(0))


async def races(window: WindowMode) -> list[Referee]:
    """Several such rows of matches at once."""
    seeds, referees = count(), list[Referee]()
    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(race(window, seeds, referees))
    return referees


@pytest.mark.slow
@pytest.mark.parametrize("window", [WindowMode.SEALED, WindowMode.PROMPT])
def test_a_coup_fourre_that_races_the_end_of_its_window_has_exactly_one_outcome(
    window: WindowMode,
) -> None:
    referees = asyncio.run(races(window))
    assert [wrong for referee in referees for wrong in referee.wrong] == []
    outcomes = sum((referee.outcomes for referee in referees), Counter[bool]())
    assert outcomes.total() >= ENOUGH
    # Who came too late is told so, but for an answer that the end of the match has overtaken.
    late = sum(referee.late for referee in referees)
    assert outcomes[False] - len(referees) <= late <= outcomes[False]
    assert outcomes[True] > ENOUGH // 100
    assert outcomes[False] > ENOUGH // 100


@pytest.mark.slow
def test_an_answer_well_before_its_deadline_never_times_out() -> None:
    """A thousand answers 30 ms before it, on the real clock."""
    early = 30 * MS
    time = TimeControl(turn=Nanos(early + 5 * MS), bank=Nanos(0))
    plan = make_plan(games=14, time=time, faults=PUBLISHED)
    never_void = replace(plan.limits, host=HostGuard(void=DAY))  # what is credited stays as it is
    match = Match(replace(plan, limits=never_void), b"secret")
    script = after(5 * MS)
    drive(match, ScriptedSeat(script), ScriptedSeat(script))
    prompts = sum(tally.prompts for tally in match.roster.tallies.values())
    assert prompts > 1000
    assert match.verdict == verdict.COMPLETED
    assert not any(tally.faults for tally in match.roster.tallies.values())
