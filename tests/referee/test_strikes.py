"""Strikes: what is one, what is played instead, what the bot is told, and the last one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.engine.actions import parse_action
from arena.referee.events import (
    MALFORMED,
    Choice,
    Forfeited,
    ForfeitReason,
    MatchOver,
    OutcomeKind,
    Prompt,
    Rejection,
    RejectionReason,
    Tell,
    Welcome,
)
from arena.referee.game import MatchPlan
from arena.referee.limits import FaultBudget, Nanos, WindowMode, shown
from arena.referee.scripted import Leave, Note, Reply, Script, ScriptedSeat, Simulation, Step, eager
from arena.referee.tally import Fault
from tests.referee.plans import (
    LIMIT,
    MS,
    PUBLISHED,
    TIME,
    ZERO,
    after,
    asked,
    at_random,
    effects,
    faults,
    forfeits,
    hostile,
    in_turn,
    in_windows,
    make_plan,
    once,
    played,
    silent,
    simulate,
    told,
    verdict,
)
from tests.referee.stacked import stacked_plan

NOT_NOW = parse_action("extend")
SLOW: Script = after(10 * MS)


def rejections(simulation: Simulation) -> list[Rejection]:
    return [message for bot, message in told(simulation, Rejection) if bot == ZERO]


# -- an answer that is no good ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "fault", "reason", "detail"),
    [
        (99, Fault.ILLEGAL, RejectionReason.ILLEGAL, "legal_index 99: the prompt has"),
        (-1, Fault.ILLEGAL, RejectionReason.ILLEGAL, "legal_index -1: the prompt has"),
        (2**63, Fault.ILLEGAL, RejectionReason.ILLEGAL, f"legal_index {2**63}: the prompt has"),
        (NOT_NOW, Fault.ILLEGAL, RejectionReason.ILLEGAL, "extend is not legal now"),
        (MALFORMED, Fault.MALFORMED, RejectionReason.MALFORMED, "no action that can be read"),
    ],
)
def test_an_answer_that_chooses_no_legal_action_is_a_strike_and_the_default_is_played(
    choice: Choice, fault: Fault, reason: RejectionReason, detail: str
) -> None:
    done = simulate(make_plan(), once([Reply(choice)]), eager)
    assert faults(done, ZERO) == {fault: 1}
    assert done.match.roster.tallies[ZERO].strikes == 1
    (rejection,) = rejections(done)
    _, _, prompt = asked(done)[0]
    assert rejection.prompt_id == prompt.prompt_id
    assert (rejection.reason, rejection.strikes) == (reason, 1)
    assert rejection.detail.startswith("prompt 1: ")
    assert detail in rejection.detail
    first = played(done)[0]
    assert first.action == rejection.played == prompt.default
    assert (first.answered, first.fault) == (False, fault)


def test_the_time_of_an_illegal_answer_comes_out_of_the_bank() -> None:
    done = simulate(make_plan(), once([Reply(99, Nanos(150 * MS))]), eager)
    assert played(done)[0].bank_left == TIME.bank - 50 * MS


def test_the_right_answer_after_an_illegal_one_comes_too_late() -> None:
    """The first answer counts; the other one is surplus."""
    done = simulate(make_plan(), once([Reply(99), Reply(0, Nanos(2 * MS))]), SLOW)
    assert faults(done, ZERO) == {Fault.ILLEGAL: 1, Fault.DOUBLED: 1}
    assert played(done)[0].action == asked(done)[0][2].default


def test_a_time_out_is_a_strike() -> None:
    done = simulate(make_plan(), once([]), eager)
    assert done.match.roster.tallies[ZERO].strikes == 1
    assert [one.reason for one in rejections(done)] == [RejectionReason.TIMED_OUT]


@pytest.mark.parametrize("window", [WindowMode.PROMPT, WindowMode.SEALED])
def test_a_missed_window_is_told_and_no_strike(window: WindowMode) -> None:
    done = simulate(stacked_plan(window=window, faults=PUBLISHED), in_windows(silent), hostile)
    missed = faults(done, ZERO)[Fault.MISSED_WINDOW]
    assert missed
    assert faults(done, ZERO) == {Fault.MISSED_WINDOW: missed}
    assert verdict(done).kind is OutcomeKind.COMPLETED
    assert {(one.reason, one.strikes) for one in rejections(done)} == {
        (RejectionReason.TIMED_OUT, 0)
    }
    assert len(rejections(done)) == missed
    for one in rejections(done):
        assert one.detail.endswith("within 50 ms")


def test_an_illegal_answer_in_a_window_is_a_strike_like_any_other() -> None:
    done = simulate(stacked_plan(), in_windows(once([Reply(99)])), hostile)
    assert faults(done, ZERO) == {Fault.ILLEGAL: 1}
    assert [one.strikes for one in rejections(done)] == [1]


def test_rejections_count_the_strikes() -> None:
    reactions: list[list[Step]] = [[Reply(99)], [Reply(0)], [], [Reply(MALFORMED)], [Reply(-7)]]
    done = simulate(make_plan(), in_turn(reactions), eager)
    assert [(one.reason, one.strikes) for one in rejections(done)] == [
        (RejectionReason.ILLEGAL, 1),
        (RejectionReason.TIMED_OUT, 2),
        (RejectionReason.MALFORMED, 3),
        (RejectionReason.ILLEGAL, 4),
    ]


def test_a_rejection_is_for_its_own_bot_alone() -> None:
    done = simulate(make_plan(), in_turn([[Reply(99)], []]), eager)
    assert {bot for bot, _ in told(done, Rejection)} == {ZERO}


# -- the last strike -------------------------------------------------------------------------------


def test_by_default_the_third_strike_is_the_last() -> None:
    assert FaultBudget().max_strikes == 3
    plan = make_plan(faults=PUBLISHED)
    two = simulate(plan, in_turn([[], [Reply(99)]]), eager)
    assert verdict(two).kind is OutcomeKind.COMPLETED
    three = simulate(plan, in_turn([[], [Reply(99)], []]), eager)
    assert verdict(three).kind is OutcomeKind.FORFEIT


def test_a_last_strike_by_silence_names_prompt_limit_bank_silence_and_count() -> None:
    reactions: list[list[Step]] = [[], [Reply(0), Note(Nanos(2 * MS))], []]
    done = simulate(make_plan(faults=replace(PUBLISHED, max_strikes=2)), in_turn(reactions), SLOW)
    (lost,) = forfeits(done)
    ((at, _),) = effects(done, Forfeited)
    second = next(when for when, bot, prompt in asked(done) if (bot, prompt.number) == (ZERO, 2))
    assert (lost.bot, lost.reason, lost.game) == (ZERO, ForfeitReason.TIMEOUT, 0)
    assert lost.detail == (
        "no answer to prompt 3 within 100 ms and 0 ms of bank; "
        f"last message {shown(at - second - 2 * MS)} before; strike 2 of 2"
    )


def test_a_last_strike_by_an_illegal_answer_names_prompt_answer_and_count() -> None:
    done = simulate(make_plan(faults=replace(PUBLISHED, max_strikes=1)), at_first(NOT_NOW), eager)
    (lost,) = forfeits(done)
    assert (lost.bot, lost.reason, lost.game) == (ZERO, ForfeitReason.ILLEGAL, 0)
    assert lost.detail == "prompt 1: extend is not legal now; strike 1 of 1"


def at_first(choice: Choice) -> Script:
    return once([Reply(choice)])


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        ([], ForfeitReason.TIMEOUT),
        ([Reply(0, Nanos(LIMIT + 1))], ForfeitReason.TIMEOUT),
        ([Reply(99)], ForfeitReason.ILLEGAL),
        ([Reply(MALFORMED)], ForfeitReason.ILLEGAL),
    ],
)
def test_the_last_strike_gives_the_reason(last: list[Step], reason: ForfeitReason) -> None:
    reactions: list[list[Step]] = [[Reply(99)], [], last]
    done = simulate(make_plan(faults=PUBLISHED), in_turn(reactions), eager)
    assert [one.reason for one in forfeits(done)] == [reason]
    assert forfeits(done)[0].detail.endswith("strike 3 of 3")


def test_after_the_last_strike_the_bot_is_told_why_and_asked_no_more() -> None:
    done = simulate(make_plan(faults=PUBLISHED), silent, eager)
    mine = [effect.message for _, effect in effects(done, Tell) if effect.bot == ZERO]
    rejection, over = mine[-2:]
    assert isinstance(rejection, Rejection)
    assert rejection.strikes == 3
    assert isinstance(over, MatchOver)
    assert over.detail == f"FORFEIT by you (TIMEOUT: {forfeits(done)[0].detail})"


# -- strict ----------------------------------------------------------------------------------------


def strict(plan: MatchPlan) -> MatchPlan:
    return replace(plan, limits=plan.limits.strict())


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        ([], ForfeitReason.TIMEOUT),
        ([Reply(99)], ForfeitReason.ILLEGAL),
        ([Reply(MALFORMED)], ForfeitReason.ILLEGAL),
        ([Leave()], ForfeitReason.CRASH),
    ],
)
def test_in_strict_play_the_first_fault_is_a_forfeit(
    first: list[Step], reason: ForfeitReason
) -> None:
    done = simulate(strict(make_plan(faults=PUBLISHED)), once(first), eager)
    assert [(one.bot, one.reason) for one in forfeits(done)] == [(ZERO, reason)]


def test_strict_play_changes_nothing_else() -> None:
    limits = make_plan().limits
    assert limits.strict() == replace(limits, faults=replace(limits.faults, max_strikes=1))


def test_strict_play_forgives_a_missed_window_as_any_other_play_does() -> None:
    done = simulate(strict(stacked_plan()), in_windows(silent), hostile)
    assert faults(done, ZERO)[Fault.MISSED_WINDOW]
    assert verdict(done).kind is OutcomeKind.COMPLETED


# -- strikes add up --------------------------------------------------------------------------------


@pytest.mark.parametrize("rotate", [False, True], ids=["games", "legs"])
def test_strikes_are_carried_over_games_and_legs(rotate: bool) -> None:
    plan = make_plan(games=1 if rotate else 2, rotate=rotate, faults=PUBLISHED)
    seat = ScriptedSeat()
    play = at_random(4)

    def script(prompt: Prompt) -> list[Step]:
        """Be silent about the first prompt of each game, and play on."""
        begins = isinstance(seat.told[-2], Welcome)
        return [] if begins else list(play(prompt))

    seat.script = script
    done = simulate(plan, seat, at_random(5))
    assert [one.strikes for one in rejections(done)] == [1, 2]
    assert [one.game for one in played(done) if one.fault] == [0, 1]


def test_the_last_strike_may_come_in_a_later_leg() -> None:
    plan = make_plan(rotate=True, faults=replace(PUBLISHED, max_strikes=2))
    legs = ScriptedSeat()
    legs.script = lambda prompt: [] if isinstance(legs.told[-2], Welcome) else eager(prompt)
    done = simulate(plan, legs, eager)
    assert [(one.bot, one.game) for one in forfeits(done)] == [(ZERO, 1)]
    assert forfeits(done)[0].detail.endswith("strike 2 of 2")
