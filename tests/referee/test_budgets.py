"""Message budgets: what is surplus, what is free, and exactly where it becomes a forfeit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.referee.events import (
    MALFORMED,
    Answered,
    Begin,
    ForfeitReason,
    Gone,
    Joined,
    Noted,
    OutcomeKind,
    Surplus,
)
from arena.referee.limits import FaultBudget, Instant, Nanos
from arena.referee.match import Match
from arena.referee.scripted import Note, Reply, Script, Simulation, Step, eager
from arena.referee.tally import Fault
from tests.referee.plans import (
    LIMIT,
    MS,
    ONE,
    PUBLISHED,
    TWO,
    ZERO,
    after,
    asked,
    at_the_first_prompt,
    effects,
    faults,
    forfeits,
    hostile,
    in_windows,
    make_plan,
    once,
    patient,
    played,
    prompts_of,
    silent,
    simulate,
    verdict,
)
from tests.referee.stacked import declaring, stacked_plan

SLOW: Script = after(10 * MS)


def surplus(simulation: Simulation) -> int:
    return simulation.match.roster.tallies[ZERO].surplus


def noise(*extra: Step) -> Script:
    """An answer to every prompt, and the same besides each time."""
    return lambda prompt: [Reply(0), *extra]


# -- four messages a prompt ------------------------------------------------------------------------


def test_the_published_budgets_are_4_and_64() -> None:
    assert (FaultBudget().messages_per_prompt, FaultBudget().surplus_messages) == (4, 64)


@pytest.mark.parametrize(("notes", "chatter"), [(3, 0), (4, 1), (6, 3)])
def test_an_answer_and_three_notes_are_allowed_for_each_prompt(notes: int, chatter: int) -> None:
    done = simulate(make_plan(), once([*[Note()] * notes, Reply(0, Nanos(2 * MS))]), eager)
    assert faults(done, ZERO).get(Fault.CHATTER, 0) == surplus(done) == chatter


def test_an_answer_beyond_the_four_messages_still_counts() -> None:
    done = simulate(make_plan(), once([*[Note()] * 4, Reply(1, Nanos(2 * MS))]), eager)
    first = asked(done)[0][2]
    assert [one for _, one in effects(done, Surplus)] == [Surplus(ZERO, Fault.CHATTER)]
    assert prompts_of(done, ONE)[0].view.event_count > first.view.event_count
    assert set(faults(done, ZERO)) == {Fault.CHATTER}


def test_each_prompt_has_four_messages_of_its_own() -> None:
    done = simulate(make_plan(faults=PUBLISHED), noise(*[Note(Nanos(MS // 2))] * 3), eager)
    assert verdict(done).kind is OutcomeKind.COMPLETED
    assert faults(done, ZERO) == {}


def test_messages_before_the_first_prompt_are_counted_too() -> None:
    match = Match(make_plan(), b"secret")
    match.handle(Begin(), Instant(0))
    match.handle(Joined(ZERO), Instant(1))
    told = [match.handle(Noted(ZERO), Instant(2)) for _ in range(6)]
    assert told == [[]] * 4 + [[Surplus(ZERO, Fault.CHATTER)]] * 2


def test_who_is_not_there_has_no_budget() -> None:
    match = Match(make_plan(), b"secret")
    match.handle(Begin(), Instant(0))
    assert match.handle(Noted(ZERO), Instant(1)) == []
    assert match.handle(Answered(ZERO, "", 0, Instant(1)), Instant(1)) == []
    assert not match.roster.tallies[ZERO].faults


# -- answers that close no prompt ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extra", "fault"),
    [
        (Reply(1), Fault.DOUBLED),
        (Reply(MALFORMED), Fault.DOUBLED),
        (Reply(0, prompt_id="0" * 32), Fault.UNSOLICITED),
        (Reply(MALFORMED, prompt_id=""), Fault.UNSOLICITED),
    ],
)
def test_an_answer_to_no_open_prompt_changes_nothing_and_is_counted(
    extra: Reply, fault: Fault
) -> None:
    quiet = simulate(make_plan(), eager, eager)
    noisy = simulate(make_plan(), noise(extra), eager)
    assert [one for one in noisy.effects if not isinstance(one[1], Surplus)] == quiet.effects
    assert set(faults(noisy, ZERO)) == {fault}
    # The last answer ends the match, and what comes after it is not looked at.
    assert surplus(noisy) == faults(noisy, ZERO)[fault] >= len(prompts_of(noisy, ZERO)) - 1


def test_the_first_of_two_answers_at_one_instant_counts() -> None:
    done = simulate(make_plan(), once([Reply(1), Reply(0)]), eager)
    other = simulate(make_plan(), once([Reply(1)]), eager)
    assert [one for one in done.effects if not isinstance(one[1], Surplus)] == other.effects


def test_a_late_answer_is_late_once_and_doubled_after_that() -> None:
    late = [Reply(0, Nanos(LIMIT + late_by)) for late_by in (1, 2 * MS, 5 * MS)]
    done = simulate(make_plan(), once(late), SLOW)
    assert faults(done, ZERO) == {Fault.TIMED_OUT: 1, Fault.LATE: 1, Fault.DOUBLED: 2}
    assert [(one.fault, one.late_by) for _, one in effects(done, Surplus)] == [
        (Fault.LATE, 1),
        (Fault.DOUBLED, None),
        (Fault.DOUBLED, None),
    ]


def test_a_late_answer_that_comes_before_the_tick_is_late_in_the_same_way() -> None:
    simulation = at_the_first_prompt(make_plan(), silent, silent)
    at, _, prompt = asked(simulation)[0]
    simulation.clock.set(Instant(at + LIMIT + 7))
    for _ in range(2):
        simulation.handle(Answered(ZERO, prompt.prompt_id, 0, simulation.clock()))
    assert [(one.fault, one.late_by) for _, one in effects(simulation, Surplus)] == [
        (Fault.LATE, 7),
        (Fault.DOUBLED, None),
    ]


def test_a_bot_cannot_answer_for_another() -> None:
    simulation = at_the_first_prompt(make_plan(), silent, silent)
    _, bot, prompt = asked(simulation)[0]
    assert bot == ZERO
    before = len(simulation.effects)
    simulation.handle(Answered(ONE, prompt.prompt_id, 0, simulation.clock()))
    assert [one for _, one in simulation.effects[before:]] == [Surplus(ONE, Fault.UNSOLICITED)]


def test_a_message_is_counted_once_whatever_is_wrong_with_it() -> None:
    """The fifth message for a prompt, and an answer to no prompt at that."""
    done = simulate(make_plan(), once([Reply(0), *[Reply(0)] * 9]), SLOW)
    assert faults(done, ZERO) == {Fault.DOUBLED: 9}
    assert surplus(done) == 9


def test_an_answer_to_what_a_partner_has_settled_is_free() -> None:
    coup = declaring(2 * MS)
    slower = in_windows(after(4 * MS), patient)
    plan = stacked_plan(players=4, faults=replace(PUBLISHED, surplus_messages=0))
    done = simulate(plan, coup, hostile, slower, after(5 * MS))
    assert set(faults(done, TWO)) == {Fault.STALE}
    assert done.match.roster.tallies[TWO].surplus == 0
    assert verdict(done).kind is OutcomeKind.COMPLETED


def test_a_second_answer_to_it_is_not() -> None:
    coup = declaring(2 * MS)
    twice: Script = lambda _: [Reply(0, Nanos(4 * MS)), Reply(0, Nanos(4 * MS))]  # noqa: E731
    done = simulate(stacked_plan(players=4), coup, hostile, in_windows(twice), after(5 * MS))
    assert faults(done, TWO)[Fault.DOUBLED] >= faults(done, TWO)[Fault.STALE] >= 1


# -- one too many ----------------------------------------------------------------------------------


def flood(step: Step, surplus: int) -> list[Step]:
    """So many surplus messages of one kind, after an answer."""
    free = 3 if isinstance(step, Note) else 0
    return [Reply(0), *[step] * (free + surplus)]


KINDS = [
    (Note(), Fault.CHATTER),
    (Reply(0), Fault.DOUBLED),
    (Reply(0, prompt_id="nonsense"), Fault.UNSOLICITED),
]


@pytest.mark.parametrize(("step", "fault"), KINDS)
def test_64_surplus_messages_are_borne(step: Step, fault: Fault) -> None:
    done = simulate(make_plan(faults=PUBLISHED), once(flood(step, 64)), SLOW)
    assert surplus(done) == faults(done, ZERO)[fault] == 64
    assert verdict(done).kind is OutcomeKind.COMPLETED


@pytest.mark.parametrize(("step", "fault"), KINDS)
def test_one_more_is_a_forfeit_at_once_that_names_the_budget(step: Step, fault: Fault) -> None:
    done = simulate(make_plan(faults=PUBLISHED), once(flood(step, 65)), SLOW)
    (lost,) = forfeits(done)
    assert (lost.bot, lost.reason) == (ZERO, ForfeitReason.PROTOCOL)
    assert lost.detail == f"sent 65 surplus messages, 64 are allowed; the last was {fault}"


def test_the_budget_of_surplus_messages_is_for_the_whole_match() -> None:
    two_each = noise(Reply(0, Nanos(MS)), Reply(0, Nanos(MS)))
    plan = make_plan(games=2, rotate=True, faults=replace(PUBLISHED, surplus_messages=150))
    done = simulate(plan, two_each, SLOW)
    (lost,) = forfeits(done)
    assert lost.game > 0
    assert surplus(done) == 151


def test_a_budget_of_no_surplus_forgives_nothing() -> None:
    plan = make_plan(faults=replace(PUBLISHED, surplus_messages=0))
    assert forfeits(simulate(plan, eager, eager)) == ()
    (lost,) = forfeits(simulate(plan, once([Reply(0), Reply(0)]), SLOW))
    assert lost.detail == "sent 1 surplus messages, 0 are allowed; the last was doubled"


def test_messages_of_who_has_forfeited_are_nobodys_business() -> None:
    simulation = at_the_first_prompt(make_plan(players=3), silent, silent, silent)
    simulation.handle(Gone(ZERO, "left"))
    before = len(simulation.effects)
    for _ in range(100):
        simulation.handle(Noted(ZERO))
        simulation.handle(Answered(ZERO, "", 0, simulation.clock()))
    assert len(simulation.effects) == before


def test_an_answer_that_is_itself_one_too_many_is_not_played() -> None:
    notes = [Note()] * (4 + 64)
    done = simulate(make_plan(faults=PUBLISHED), once([*notes, Reply(0, Nanos(2 * MS))]), eager)
    assert [one.reason for one in forfeits(done)] == [ForfeitReason.PROTOCOL]
    assert played(done) == []
