"""Time: the turn, the bank, the deadline, the moment of writing, the limit of the whole match."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.events import (
    Answered,
    OutcomeKind,
    Played,
    Prompt,
    Rejection,
    RejectionReason,
    Sent,
    Tick,
)
from arena.referee.limits import Instant, Nanos, WindowMode
from arena.referee.scripted import (
    Reply,
    Script,
    ScriptedSeat,
    Simulation,
    Stall,
    Step,
    Written,
    eager,
)
from arena.referee.tally import Fault
from tests.referee.plans import (
    LIMIT,
    MS,
    ONE,
    TIME,
    ZERO,
    after,
    asked,
    at_random,
    at_the_first_prompt,
    effects,
    faults,
    in_turn,
    make_plan,
    once,
    played,
    prompts,
    prompts_of,
    responding,
    silent,
    simulate,
    told,
    verdict,
)

SLOW: Script = after(10 * MS)
"""Slow enough that a late answer of the other one arrives while the match still runs."""


def thinking(prompt: Prompt) -> bool:
    """Whether the bank pays for it."""
    return not responding(prompt)


# -- the deadline ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("late_by", "expected"),
    [(-1, {}), (0, {}), (1, {Fault.TIMED_OUT: 1, Fault.LATE: 1})],
)
def test_an_answer_is_in_time_up_to_the_deadline_and_not_a_nanosecond_longer(
    late_by: int, expected: dict[Fault, int]
) -> None:
    done = simulate(make_plan(), once([Reply(0, Nanos(LIMIT + late_by))]), SLOW)
    assert faults(done, ZERO) == expected
    assert played(done)[0].answered == (not expected)


@pytest.mark.parametrize("late_by", [-1, 0, 1])
def test_when_an_answer_arrived_counts_and_not_when_the_machine_hears_of_it(late_by: int) -> None:
    simulation = at_the_first_prompt(make_plan(), silent, silent)
    (asked_at, _, prompt) = asked(simulation)[0]
    deadline = asked_at + LIMIT
    simulation.clock.set(Instant(deadline + 500 * MS))
    answer = Answered(ZERO, prompt.prompt_id, 0, Instant(deadline + late_by))
    simulation.handle(answer)
    assert played(simulation)[0].answered == (late_by <= 0)


def test_the_deadline_fires_while_waiting() -> None:
    simulation = at_the_first_prompt(make_plan(), silent, silent)
    asked_at = asked(simulation)[0][0]
    assert simulation.match.deadline == asked_at + LIMIT
    simulation.clock.set(Instant(asked_at + LIMIT + 1))
    simulation.handle(Tick())
    assert [(one.answered, one.fault) for one in played(simulation)] == [(False, Fault.TIMED_OUT)]


def test_a_deadline_that_has_not_passed_does_nothing() -> None:
    simulation = at_the_first_prompt(make_plan(), silent, silent)
    simulation.clock.set(Instant(asked(simulation)[0][0] + LIMIT))
    simulation.handle(Tick())
    assert played(simulation) == []


def test_the_deadline_of_a_prompt_that_was_answered_means_nothing_any_more() -> None:
    simulation = at_the_first_prompt(make_plan(), once([Reply(0, Nanos(LIMIT))], silent), silent)
    start = simulation.clock()
    simulation.step()
    assert [one.answered for one in played(simulation)] == [True]
    simulation.clock.set(Instant(start + LIMIT + 1))
    simulation.handle(Tick())
    assert faults(simulation, ZERO) == faults(simulation, ONE) == {}


def test_a_late_answer_is_never_applied_to_the_next_prompt() -> None:
    late = simulate(make_plan(), once([Reply(0, Nanos(LIMIT + 5 * MS))]), SLOW)
    never = simulate(make_plan(), once([]), SLOW)
    assert [one.action for one in played(late)] == [one.action for one in played(never)]


def test_a_silent_seat_loses_its_bank_at_the_first_prompt_and_has_the_turn_for_each_later_one() -> (
    None
):
    done = simulate(make_plan(), silent, eager)
    mine = [one for one in played(done) if one.bot == ZERO and one.fault == Fault.TIMED_OUT]
    assert [one.spent for one in mine] == [LIMIT] + [TIME.turn] * (len(mine) - 1)
    assert {one.bank_left for one in mine} == {0}
    assert faults(done, ONE) == {}


def test_what_is_played_for_a_silent_seat_is_the_default_and_it_is_told_why() -> None:
    done = simulate(make_plan(), once([]), eager)
    first = played(done)[0]
    _, _, prompt = asked(done)[0]
    assert told(done, Rejection)[0] == (
        ZERO,
        Rejection(
            prompt.prompt_id,
            RejectionReason.TIMED_OUT,
            "no answer to prompt 1 within 100 ms and 1,000 ms of bank; "
            "last message 1,100 ms before",
            prompt.default,
            strikes=1,
        ),
    )
    assert (first.action, first.answered) == (prompt.default, False)


# -- the bank --------------------------------------------------------------------------------------


def test_only_what_exceeds_the_turn_comes_out_of_the_bank_and_each_game_has_its_own() -> None:
    delays = [40 * MS, 130 * MS, 100 * MS, 370 * MS]
    seat = ScriptedSeat()

    def script(prompt: Prompt) -> list[Reply]:
        count = sum(map(thinking, prompts(seat)))
        quick = prompt.game or responding(prompt) or count > len(delays)
        return [Reply(0, Nanos(1 if quick else delays[count - 1]))]

    seat.script = script
    simulate(make_plan(games=2), seat, eager)
    left = [one.bank_left for one in prompts(seat) if thinking(one) and one.game == 0]
    assert left[:5] == [1000 * MS, 1000 * MS, 970 * MS, 970 * MS, 700 * MS]
    assert {one.bank_left for one in prompts(seat) if one.game == 1} == {1000 * MS}


delays = st.lists(st.integers(0, LIMIT + 50 * MS), min_size=1, max_size=12)


@settings(max_examples=50)
@given(delays, delays)
def test_a_bank_is_exact_never_negative_never_regained_and_not_shared(
    first: list[int], second: list[int]
) -> None:
    scripts = [in_turn([[Reply(0, Nanos(one))] for one in each]) for each in (first, second)]
    done = simulate(make_plan(games=2), *scripts)
    for bot in (ZERO, ONE):
        for game in range(2):
            mine = [one for one in played(done) if (one.bot, one.game) == (bot, game)]
            left: int = TIME.bank
            for one in mine:
                charged = max(0, one.spent - TIME.turn) if one.stage.name != "RESPOND" else 0
                left -= charged
                assert one.bank_left == left >= 0
            spent = [max(0, one.spent - TIME.turn) for one in mine if one.stage.name != "RESPOND"]
            assert TIME.bank - mine[-1].bank_left == sum(spent)


@settings(max_examples=50)
@given(delays)
def test_prompts_and_records_name_the_same_bank(delays: list[int]) -> None:
    done = simulate(make_plan(), in_turn([[Reply(0, Nanos(one))] for one in delays]), eager)
    asked_of = prompts_of(done, ZERO)
    mine = [one for one in played(done) if one.bot == ZERO]
    assert [one.prompt for one in mine] == [prompt.number for prompt in asked_of]
    for before, prompt in zip(mine, asked_of[1:], strict=False):
        assert prompt.bank_left == before.bank_left


def test_with_an_empty_bank_there_is_still_the_turn() -> None:
    plan = make_plan(time=replace(TIME, bank=Nanos(0)))
    assert faults(simulate(plan, once([Reply(0, TIME.turn)]), SLOW), ZERO) == {}
    late = simulate(plan, once([Reply(0, Nanos(TIME.turn + 1))]), SLOW)
    assert faults(late, ZERO)[Fault.TIMED_OUT] == 1


def test_think_times_are_those_of_answers_that_had_a_choice() -> None:
    seat = ScriptedSeat(after(7 * MS))
    done = simulate(make_plan(), seat, eager)
    with_choice = [one for one in prompts(seat) if len(one.view.legal) > 1]
    times = done.match.roster.tallies[ZERO].think_times
    assert len(times) == len(with_choice)
    assert times.longest == times.quantile(1) == 7 * MS


# -- the moment of writing -------------------------------------------------------------------------


@pytest.mark.parametrize(("late_by", "answered"), [(-1, True), (0, True), (1, False)])
def test_the_clock_of_a_prompt_starts_when_it_is_written(late_by: int, answered: bool) -> None:
    written = Nanos(70 * MS)
    steps: list[Step] = [Written(written), Reply(0, Nanos(written + LIMIT + late_by))]
    done = simulate(make_plan(), once(steps), SLOW)
    first = played(done)[0]
    assert first.answered == answered
    assert first.spent == min(LIMIT, LIMIT + late_by)
    assert first.bank_left == max(0, -late_by)


def test_a_write_that_blocks_counts_as_the_bots_time() -> None:
    """The transport says when it begins to write; when the bytes have gone is no matter."""
    steps: list[Step] = [Written(Nanos(0)), Reply(0, Nanos(LIMIT + 1))]
    done = simulate(make_plan(), once(steps), SLOW)
    assert faults(done, ZERO)[Fault.TIMED_OUT] == 1


def test_the_writing_of_a_prompt_that_is_closed_changes_nothing() -> None:
    simulation = at_the_first_prompt(make_plan(), silent, silent)
    before = simulation.match.deadline
    simulation.clock.set(Instant(simulation.clock() + 5 * MS))
    for stranger in (Sent(ZERO, "no such prompt", simulation.clock()), Sent(ONE, "", Instant(0))):
        simulation.handle(stranger)
    assert simulation.match.deadline == before


# -- two limits at one instant ---------------------------------------------------------------------


def test_of_two_prompts_that_expire_at_one_instant_the_lower_bot_comes_first() -> None:
    quiet: Script = lambda prompt: [] if responding(prompt) else at_random(3)(prompt)  # noqa: E731
    done = simulate(make_plan(players=4, hands=4), quiet, quiet, quiet, quiet)
    missed = [
        (at, one.bot) for at, one in effects(done, Played) if one.fault == Fault.MISSED_WINDOW
    ]
    assert missed
    assert missed == sorted(missed)
    assert len({at for at, _ in missed}) == len(missed) / 2


def test_an_answer_at_the_deadline_comes_before_the_deadline() -> None:
    """The simulation gives the machine what arrives at an instant before the time that passes."""
    done = simulate(make_plan(), once([Reply(1, Nanos(LIMIT))]), SLOW)
    first = played(done)[0]
    assert (first.answered, first.bank_left) == (True, 0)


# -- the whole match -------------------------------------------------------------------------------


def elapsed(simulation: Simulation) -> int:
    return simulation.effects[-1][0] - simulation.effects[0][0]


def to_the_last(prompt: Prompt) -> list[Reply]:
    """Take all the time there is, for every answer."""
    bank = Nanos(0) if responding(prompt) else prompt.bank_left
    return [Reply(len(prompt.view.legal) - 1, Nanos(prompt.free_time + bank))]


@pytest.mark.parametrize("window", list(WindowMode))
@pytest.mark.parametrize("dawdler", [silent, to_the_last])
@pytest.mark.parametrize(
    ("preset", "players"),
    [("classic", 2), ("classic", 6), ("express", 2), ("express", 4), ("plateau", 3)],
)
def test_no_match_takes_as_long_as_its_limit(
    preset: str, players: int, dawdler: Script, window: WindowMode
) -> None:
    plan = make_plan(preset, players, games=2, rotate=players == 2, window=window)
    slow = [ScriptedSeat(dawdler, start_up=TIME.start_up) for _ in range(players)]
    done = simulate(plan, *slow)
    assert verdict(done).kind is OutcomeKind.COMPLETED
    assert elapsed(done) < plan.longest


def stalling_until(instant: int) -> list[Step]:
    """The host stands still again and again, each time for less than would void the match."""
    beat = 200 * MS
    return [Stall(Nanos(at), Nanos(beat)) for at in range(beat, instant + 1, beat)]


def test_a_match_that_goes_on_beyond_its_limit_is_void() -> None:
    """Bots cannot bring it about; a host can that stands still again and again."""
    plan = make_plan()
    done = simulate(plan, once(stalling_until(plan.longest)), eager)
    assert verdict(done).kind is OutcomeKind.VOID
    assert verdict(done).void == f"the match took longer than {plan.longest // MS:,} ms"
    assert elapsed(done) == plan.longest + 1


def test_the_limit_of_a_match_holds_although_every_answer_is_in_time() -> None:
    plan = make_plan()
    late = Nanos(plan.longest + 1)
    steps: list[Step] = [*stalling_until(late), Reply(0, late)]
    done = simulate(plan, once(steps), eager)
    assert verdict(done).kind is OutcomeKind.VOID
    assert faults(done, ZERO) == {}


def test_of_two_limits_at_one_instant_that_of_the_match_comes_first() -> None:
    plan = make_plan()
    # The last standstill leaves the prompt until the end of the match, to the nanosecond.
    last = plan.longest - LIMIT
    steps: list[Step] = [*stalling_until(last), Stall(Nanos(last), Nanos(last % (200 * MS)))]
    simulation = at_the_first_prompt(plan, once(steps), eager)
    began = simulation.clock()
    while simulation.clock() < began + last:
        simulation.step()
    simulation.clock.set(Instant(began + plan.longest))
    simulation.handle(Tick())
    assert not simulation.match.over
    simulation.clock.set(Instant(began + plan.longest + 1))
    simulation.handle(Tick())
    assert verdict(simulation).kind is OutcomeKind.VOID
    assert faults(simulation, ZERO) == {}
