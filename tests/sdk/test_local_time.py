"""Matches between bots of one process: time, found out afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.engine.actions import Action
from arena.engine.cards import Card
from arena.engine.state import Stage
from arena.referee.events import ForfeitReason, OutcomeKind
from arena.referee.limits import FaultBudget, Limits, WindowMode
from arena.referee.tally import Fault
from arena_sdk import Bot, MatchResult, Prompt
from tests.referee.plans import MS, TIME, make_plan
from tests.sdk.localplay import (
    Clock,
    First,
    Hostile,
    Patient,
    play,
    strict_plan,
    told,
)

# -- time -------------------------------------------------------------------------------------


def slow(clock: Clock, kind: Stage, took: list[int]) -> type[First]:
    """A bot whose first answers to prompts of one kind take these times in nanoseconds."""

    class Slow(First):
        def choose(self, prompt: Prompt) -> Action:
            if prompt.kind is kind and took:
                clock.now += took.pop(0)
            return super().choose(prompt)

    return Slow


def test_turns_and_banks_are_those_of_a_referee_to_the_nanosecond() -> None:
    whole = TIME.turn + TIME.bank
    cases: list[tuple[list[int], int]] = [
        ([TIME.turn] * 40, 0),
        ([whole], 0),
        ([whole + 1], 1),
        ([whole, TIME.turn], 0),
        ([whole, TIME.turn + 1], 1),
        ([TIME.turn + TIME.bank // 2, TIME.turn + TIME.bank // 2, TIME.turn + 1], 1),
    ]
    for took, timed_out in cases:
        clock = Clock()
        outcome = play(make_plan(), slow(clock, Stage.PLAY, list(took)), First, clock=clock)
        assert outcome.tallies[0].faults[Fault.TIMED_OUT] == timed_out, took
        # Who answers late has answered all the same.
        assert outcome.tallies[0].faults[Fault.LATE] == timed_out


def test_a_bank_is_full_again_in_the_next_game_and_nobody_else_s() -> None:
    whole = TIME.turn + TIME.bank
    clock = Clock()

    class Slow(First):
        slept_in = -1

        def choose(self, prompt: Prompt) -> Action:
            if prompt.game != self.slept_in and prompt.kind is Stage.PLAY:
                self.slept_in = prompt.game
                assert prompt.bank_left == TIME.bank / 1e9
                clock.now += whole
            return super().choose(prompt)

    outcome = play(make_plan(games=3), Slow, Slow, clock=clock)
    assert [tally.faults[Fault.TIMED_OUT] for tally in outcome.tallies] == [0, 0]


def test_the_third_late_answer_is_a_forfeit_that_names_limit_and_bank() -> None:
    clock = Clock()
    bot = slow(clock, Stage.PLAY, [TIME.turn + TIME.bank + 1] * 3)
    heard = told(strict_plan(), bot, clock=clock)
    assert isinstance(heard[-1], MatchResult)
    outcome = play(
        strict_plan(), slow(clock, Stage.PLAY, [TIME.turn + TIME.bank + 1] * 3), First, clock=clock
    )
    (forfeit,) = outcome.verdict.forfeits
    assert forfeit.reason is ForfeitReason.TIMEOUT
    assert forfeit.detail.endswith("within 100 ms and 0 ms of bank; strike 3 of 3")


def test_a_late_coup_fourre_is_refused_without_penalty() -> None:
    clock = Clock()
    plan = strict_plan(games=20)

    class Late(Patient):
        def respond(self, prompt: Prompt) -> Action:
            clock.now += TIME.response_window + 1
            return prompt.legal[0]

    outcome = play(plan, Late, Hostile, clock=clock)
    tally = outcome.tallies[0]
    assert tally.faults[Fault.MISSED_WINDOW] == tally.faults[Fault.LATE] > 0
    assert (tally.strikes, tally.coups_fourres) == (0, 0)
    in_time = play(plan, Patient, Hostile)
    assert in_time.tallies[0].coups_fourres > 0


def test_too_many_late_answers_break_the_protocol() -> None:
    clock = Clock()
    plan = strict_plan(games=20)
    limits = Limits(time=TIME, faults=FaultBudget(surplus_messages=1))
    plan = replace(plan, limits=limits)

    class Late(Patient):
        def respond(self, prompt: Prompt) -> Action:
            clock.now += TIME.response_window + 1
            return prompt.legal[0]

    outcome = play(plan, Late, Hostile, clock=clock)
    (forfeit,) = outcome.verdict.forfeits
    assert forfeit.reason is ForfeitReason.PROTOCOL
    assert "sent 2 surplus messages, 1 are allowed" in forfeit.detail


@pytest.mark.parametrize(("took", "starts"), [(TIME.start_up, True), (TIME.start_up + 1, False)])
def test_who_takes_too_long_to_be_made_did_not_start(took: int, starts: bool) -> None:
    clock = Clock()

    def make() -> Bot:
        clock.now += took
        return First()

    outcome = play(strict_plan(), make, First, clock=clock)
    assert (outcome.verdict.kind is OutcomeKind.COMPLETED) == starts
    if not starts:
        assert outcome.verdict.forfeits[0].detail == "did not join within 500 ms"


def test_think_times_are_those_of_answers_with_a_choice() -> None:
    clock = Clock()
    outcome = play(make_plan(), slow(clock, Stage.PLAY, [5 * MS] * 1000), First, clock=clock)
    tally = outcome.tallies[0]
    assert 0 < len(tally.think_times) <= tally.prompts
    assert tally.think_times.longest == 5 * MS


def test_orders_of_a_late_answer_do_not_stand() -> None:
    clock = Clock()

    class Late(Patient):
        def choose(self, prompt: Prompt) -> Action:
            clock.now += TIME.turn + TIME.bank + 1
            return super().choose(prompt)

        def standing_orders(self, prompt: Prompt) -> list[Card]:
            return [card for card in Card if card.is_hazard]

    plan = make_plan(games=20, window=WindowMode.STANDING)
    assert play(plan, Late, Hostile, clock=clock).tallies[0].coups_fourres == 0
    assert play(plan, Patient, Hostile).tallies[0].coups_fourres > 0
