"""The host's slowness is never the bot's fault: what is credited, and what voids the attempt."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.events import (
    Begin,
    Forfeited,
    HostFailed,
    Joined,
    Lagged,
    MatchOver,
    OutcomeKind,
    Sent,
    Tick,
)
from arena.referee.limits import HostGuard, Instant, Nanos, WindowMode
from arena.referee.match import Match
from arena.referee.prompts import OpenPrompt
from arena.referee.scripted import HostFails, Reply, Script, ScriptedSeat, Stall, Step, eager
from arena.referee.tally import Fault
from tests.referee.plans import (
    LIMIT,
    MS,
    ONE,
    TIME,
    TWO,
    ZERO,
    after,
    asked,
    at_random,
    at_the_first_prompt,
    effects,
    faults,
    hostile,
    in_windows,
    make_plan,
    once,
    played,
    silent,
    simulate,
    told,
    verdict,
)
from tests.referee.stacked import (
    HELD,
    declaring,
    lengths,
    response_after,
    stacked_plan,
    windows,
)

GUARD = HostGuard()


def first_after(*steps: Step) -> tuple[int, int, int, bool]:
    """Bank spent, bot time, lag and whether it was answered, of a first prompt with these steps."""
    one = played(simulate(make_plan(), once(steps), after(10 * MS)))[0]
    return TIME.bank - one.bank_left, one.spent, one.lag, one.answered


# -- what is credited ------------------------------------------------------------------------------


def test_the_published_guard_is_20_and_250_ms() -> None:
    assert (GUARD.credited, GUARD.void) == (20 * MS, 250 * MS)


def test_up_to_20_ms_nothing_is_credited() -> None:
    stall = Stall(Nanos(150 * MS), Nanos(20 * MS))
    assert first_after(stall, Reply(0, Nanos(200 * MS))) == (100 * MS, 200 * MS, 0, True)


def test_above_that_all_of_it_is_credited_to_bank_and_time() -> None:
    lag = 20 * MS + 1
    stall = Stall(Nanos(150 * MS), Nanos(lag))
    assert first_after(stall, Reply(0, Nanos(200 * MS))) == (
        100 * MS - lag,
        200 * MS - lag,
        lag,
        True,
    )


@pytest.mark.parametrize(("late_by", "answered"), [(-1, True), (0, True), (1, False)])
def test_the_deadline_is_later_by_what_is_credited(late_by: int, answered: bool) -> None:
    lag = 100 * MS
    reply = Reply(0, Nanos(LIMIT + lag + late_by))
    assert first_after(Stall(Nanos(500 * MS), Nanos(lag)), reply) == (
        min(TIME.bank, TIME.bank + late_by),
        min(LIMIT, LIMIT + late_by),
        lag,
        answered,
    )


def test_only_the_part_that_falls_into_the_prompt_is_credited() -> None:
    """The standstill began before the question was asked."""
    stall = Stall(Nanos(30 * MS), Nanos(200 * MS))
    assert first_after(stall, Reply(0, Nanos(150 * MS))) == (20 * MS, 120 * MS, 30 * MS, True)


def test_a_standstill_before_the_prompt_was_written_is_not_credited_on_top() -> None:
    """The clock starts at the writing, so the bot has lost nothing."""
    simulation = at_the_first_prompt(make_plan(), silent, silent)
    start, _, prompt = asked(simulation)[0]
    simulation.clock.set(Instant(start + 100 * MS))
    simulation.handle(Lagged(Nanos(95 * MS)))
    simulation.handle(Sent(ZERO, prompt.prompt_id, simulation.clock()))
    assert simulation.match.deadline == start + 100 * MS + LIMIT


def test_a_standstill_after_the_writing_is_credited_although_the_machine_hears_of_both_later() -> (
    None
):
    simulation = at_the_first_prompt(make_plan(), silent, silent)
    start, _, prompt = asked(simulation)[0]
    simulation.clock.set(Instant(start + 100 * MS))
    simulation.handle(Lagged(Nanos(95 * MS)))
    simulation.handle(Sent(ZERO, prompt.prompt_id, Instant(start + 10 * MS)))
    assert simulation.match.deadline == start + 10 * MS + LIMIT + 90 * MS


def test_a_standstill_that_began_after_the_answer_came_is_not_credited() -> None:
    """The answer waited in the queue meanwhile; its bot had lost nothing."""
    simulation = at_the_first_prompt(make_plan(), silent, silent)
    start, _, prompt = asked(simulation)[0]
    seat = ScriptedSeat(lambda _: [Reply(0, Nanos(150 * MS))])
    (_, answer), *_ = seat.react(prompt, Instant(start))
    simulation.clock.set(Instant(start + 300 * MS))
    simulation.handle(Lagged(Nanos(100 * MS)))
    simulation.handle(answer)
    one = played(simulation)[0]
    assert (one.spent, one.lag, TIME.bank - one.bank_left) == (150 * MS, 0, 50 * MS)


def test_who_was_late_before_the_standstill_began_stays_late() -> None:
    simulation = at_the_first_prompt(make_plan(), silent, silent)
    start, _, prompt = asked(simulation)[0]
    late = Nanos(LIMIT + 5 * MS)
    (_, answer), *_ = ScriptedSeat(lambda _: [Reply(0, late)]).react(prompt, Instant(start))
    simulation.clock.set(Instant(start + LIMIT + 110 * MS))
    simulation.handle(Lagged(Nanos(100 * MS)))
    simulation.handle(answer)
    assert played(simulation)[0].fault == Fault.TIMED_OUT


def test_a_standstill_with_nobody_asked_changes_no_later_prompt() -> None:
    match = Match(make_plan(), b"secret")
    match.handle(Begin(), Instant(0))
    match.handle(Joined(ZERO), Instant(1))
    match.handle(Lagged(Nanos(200 * MS)), Instant(200 * MS))
    match.handle(Joined(ONE), Instant(300 * MS))
    assert match.deadline == 300 * MS + LIMIT


moments = st.integers(0, 600 * MS)


@settings(max_examples=200)
@given(st.lists(moments, min_size=2, max_size=8, unique=True), moments, moments)
def test_spent_time_and_standstills_add_up_to_the_time_that_passed(
    bounds: list[int], written: int, answered: int
) -> None:
    """For any standstills, one after the other, and wherever the writing and the answer lie."""
    written, answered = sorted((written, answered))
    bounds = sorted(bounds[: len(bounds) // 2 * 2])
    stood = list(zip(bounds[::2], bounds[1::2], strict=True))
    waiting = OpenPrompt(FIRST_PROMPT, Instant(0), Instant(LIMIT))
    for begin, end in stood:
        waiting.credit(end - begin, Instant(end))
    waiting.start(Instant(written))
    lost = sum(max(0, min(end, answered) - max(begin, written)) for begin, end in stood)
    assert waiting.lag(Instant(answered)) == lost
    assert waiting.spent(Instant(answered)) == answered - written - lost
    whole = sum(max(0, end - max(begin, written)) for begin, end in stood)
    assert waiting.deadline == written + LIMIT + whole


FIRST_PROMPT = next(
    prompt for _, _, prompt in asked(at_the_first_prompt(make_plan(), silent, silent))
)


# -- start-up --------------------------------------------------------------------------------------


def test_a_standstill_during_start_up_is_credited_too() -> None:
    """A machine that slept through the start-up limit is no reason to blame a bot."""
    match = Match(make_plan(), b"secret")
    match.handle(Begin(), Instant(0))
    match.handle(Lagged(Nanos(10_000 * MS)), Instant(10_000 * MS))
    assert match.deadline == 10_000 * MS + TIME.start_up
    match.handle(Joined(ZERO), Instant(10_001 * MS))
    match.handle(Joined(ONE), Instant(10_002 * MS))
    assert not match.roster.forfeits
    assert not match.over


# -- windows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("late_by", [-1, 0, 1])
def test_in_a_sealed_window_the_answer_and_the_end_have_the_same_credit(late_by: int) -> None:
    inside = Nanos(40 * MS)
    stall = Stall(inside, Nanos(100 * MS))  # the rest of it lies before the window
    last = TIME.response_window + inside + late_by
    coup = declaring(last)
    stalled: Script = lambda prompt: [stall, *coup(prompt)]  # noqa: E731
    plan = stacked_plan(HELD, window=WindowMode.SEALED)
    done = simulate(plan, in_windows(stalled, coup), hostile)
    assert (done.match.roster.tallies[ZERO].coups_fourres > 0) == (late_by <= 0)
    assert lengths(done)[0] == last  # late by 1 ns, it is the end that closes it then


def test_a_standstill_in_a_sealed_window_that_all_have_answered_only_makes_it_longer() -> None:
    stall = Stall(Nanos(49 * MS), Nanos(400 * MS))
    steps: Script = lambda _: [Reply(0, Nanos(MS)), stall]  # noqa: E731
    seat = ScriptedSeat(in_windows(steps, response_after(0, declare=False)))
    done = simulate(stacked_plan(HELD, window=WindowMode.SEALED), seat, hostile)
    assert verdict(done).kind is OutcomeKind.COMPLETED
    assert lengths(done)[0] == TIME.response_window + 49 * MS + 1


def test_a_window_whose_time_was_up_before_the_standstill_began_does_not_last_longer() -> None:
    script = in_windows(lambda _: [Reply(0)], response_after(0, declare=False))
    simulation = at_the_first_prompt(stacked_plan(window=WindowMode.SEALED), script, hostile)
    while not windows(simulation):
        simulation.step()
    simulation.step()  # the answer, which is held back
    at, _ = windows(simulation)[0]
    simulation.clock.set(Instant(at + TIME.response_window + 110 * MS))
    simulation.handle(Lagged(Nanos(100 * MS)))
    assert simulation.match.deadline == at + TIME.response_window
    simulation.handle(Tick())
    assert lengths(simulation) == [TIME.response_window + 110 * MS]


# -- void ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lag", "kind"), [(250 * MS, "COMPLETED"), (250 * MS + 1, "VOID")])
def test_a_standstill_above_250_ms_inside_a_prompt_voids_the_attempt(lag: int, kind: str) -> None:
    steps: list[Step] = [Stall(Nanos(400 * MS), Nanos(lag)), Reply(0, Nanos(450 * MS))]
    done = simulate(make_plan(), once(steps), eager)
    assert verdict(done).kind == kind
    if kind == "VOID":
        assert verdict(done).void == (
            "the referee stood still for 250 ms while a bot was asked, more than 250 ms"
        )


def test_what_counts_is_the_part_inside_the_prompt() -> None:
    steps: list[Step] = [Stall(Nanos(250 * MS), Nanos(10_000 * MS)), Reply(0, Nanos(260 * MS))]
    done = simulate(make_plan(), once(steps), eager)
    assert verdict(done).kind is OutcomeKind.COMPLETED


def test_a_long_standstill_outside_any_prompt_does_not_void() -> None:
    match = Match(make_plan(), b"secret")
    match.handle(Begin(), Instant(0))
    match.handle(Lagged(Nanos(400 * MS)), Instant(400 * MS))
    assert not match.over


def test_a_failure_of_the_host_voids_the_attempt_whatever_goes_on() -> None:
    for moment in (0, 5):
        simulation = at_the_first_prompt(make_plan(), eager, eager)
        for _ in range(moment):
            simulation.step()
        simulation.handle(HostFailed("no room on the disk"))
        assert verdict(simulation).void == "no room on the disk"
    match = Match(make_plan(), b"secret")
    match.handle(Begin(), Instant(0))
    match.handle(HostFailed("no room on the disk"), Instant(1))
    assert match.over


def test_a_void_is_told_to_every_bot_and_blames_nobody() -> None:
    plan = make_plan(games=2)
    scripts = [at_random(1), at_random(2)]
    stop = lambda prompt: [HostFails()] if prompt.game else scripts[0](prompt)  # noqa: E731
    done = simulate(plan, stop, scripts[1])
    assert verdict(done).kind is OutcomeKind.VOID
    assert verdict(done).forfeits == ()
    assert effects(done, Forfeited) == []
    over = told(done, MatchOver)
    assert [bot for bot, _ in over] == [ZERO, ONE]
    for _, message in over:
        assert (message.outcome, message.detail) == (OutcomeKind.VOID, "VOID: out of memory")
    # The game that was played to its end stays as it is, the one in play has no result.
    assert [result.game for result in done.match.results] == [0]
    assert faults(done, ZERO) == faults(done, ONE) == {}


def test_a_standstill_is_credited_to_every_open_prompt() -> None:
    """Two partners are asked at once, and both have lost the time."""
    late = Nanos(TIME.response_window + 30 * MS)
    stall = Stall(Nanos(40 * MS), Nanos(30 * MS))
    pass_late: Script = lambda _: [Reply(0, late)]  # noqa: E731
    stalled: Script = lambda _: [stall, Reply(0, late)]  # noqa: E731
    plan = stacked_plan(players=4)
    done = simulate(
        plan,
        in_windows(stalled, response_after(0, declare=False)),
        hostile,
        in_windows(pass_late, response_after(0, declare=False)),
        after(MS),
    )
    assert windows(done)[0][1].seats == (0, 2)
    assert Fault.MISSED_WINDOW not in faults(done, ZERO)
    assert Fault.MISSED_WINDOW not in faults(done, TWO)


def test_a_deadline_that_a_standstill_has_moved_is_waited_for() -> None:
    simulation = at_the_first_prompt(make_plan(), silent, silent)
    start = asked(simulation)[0][0]
    simulation.clock.set(Instant(start + LIMIT + 10 * MS))
    simulation.handle(Lagged(Nanos(100 * MS)))
    simulation.handle(Tick())
    assert played(simulation) == []
    assert simulation.match.deadline == start + LIMIT + 100 * MS
