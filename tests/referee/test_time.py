"""Deadlines and banks, with a clock set by hand."""

from __future__ import annotations

import pytest

from arena.referee.events import (
    Prompt,
    Rejection,
    RejectionReason,
    Tell,
)
from arena.referee.limits import Nanos
from arena.referee.scripted import Reply, Script, ScriptedSeat, eager
from arena.referee.tally import Fault
from tests.referee.plans import (
    MS,
    ONE,
    TIME,
    ZERO,
    asked,
    faults,
    make_plan,
    once,
    played,
    prompts,
    responding,
    simulate,
    told,
)

LIMIT = TIME.turn + TIME.bank
"""The most that the first prompt of a game may take."""


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (LIMIT - 1, {}),
        (LIMIT, {}),
        (LIMIT + 1, {Fault.TIMED_OUT: 1, Fault.LATE: 1}),
    ],
)
def test_an_answer_is_in_time_up_to_the_deadline_and_not_a_nanosecond_longer(
    after: int, expected: dict[Fault, int]
) -> None:
    # The other seat is slow, so that a late answer arrives while the match still runs.
    slow: Script = lambda prompt: [Reply(0, Nanos(10 * MS))]  # noqa: E731
    done = simulate(make_plan(), once([Reply(0, Nanos(after))]), slow)
    assert faults(done, ZERO) == expected
    assert played(done)[0].answered == (not expected)


def test_a_silent_seat_loses_its_bank_at_the_first_prompt_and_has_the_turn_for_each_later_one() -> (
    None
):
    done = simulate(make_plan(), lambda _: [], eager)
    waits = [
        done.effects[at + 1][0] - start
        for at, (start, effect) in enumerate(done.effects)
        if isinstance(effect, Tell)
        and effect.bot == ZERO
        and isinstance(effect.message, Prompt)
        and not responding(effect.message)
    ]
    assert waits[0] == LIMIT + 1
    assert set(waits[1:]) == {TIME.turn + 1}
    assert faults(done, ZERO)[Fault.TIMED_OUT] == len(waits)
    assert faults(done, ONE) == {}


def test_what_is_played_for_a_silent_seat_is_the_default_and_it_is_told_why() -> None:
    done = simulate(make_plan(), once([]), eager)
    (_, rejection), *_ = told(done, Rejection)
    first = played(done)[0]
    _, _, prompt = asked(done)[0]
    assert rejection == Rejection(
        prompt.prompt_id,
        RejectionReason.TIMED_OUT,
        "no answer within 100 ms and 1,000 ms of bank",
        prompt.default,
    )
    assert (first.action, first.answered) == (prompt.default, False)


def test_only_what_exceeds_the_turn_comes_out_of_the_bank_and_each_game_has_its_own() -> None:
    thinking = [Nanos(40 * MS), Nanos(130 * MS), Nanos(100 * MS), Nanos(370 * MS)]
    seat = ScriptedSeat()

    def script(prompt: Prompt) -> list[Reply]:
        count = sum(not responding(one) for one in prompts(seat))
        quick = prompt.game or responding(prompt) or count > len(thinking)
        return [Reply(0, Nanos(1) if quick else thinking[count - 1])]

    seat.script = script
    simulate(make_plan(games=2), seat, eager)
    left = [one.bank_left for one in prompts(seat) if not responding(one) and one.game == 0]
    assert left[:5] == [1000 * MS, 1000 * MS, 970 * MS, 970 * MS, 700 * MS]
    assert {one.bank_left for one in prompts(seat) if one.game == 1} == {1000 * MS}


def test_think_times_are_those_of_answers_that_had_a_choice() -> None:
    seat = ScriptedSeat(lambda prompt: [Reply(0, Nanos(7 * MS))])
    done = simulate(make_plan(), seat, eager)
    with_choice = [one for one in prompts(seat) if len(one.view.legal) > 1]
    tally = done.match.tallies[ZERO]
    assert list(tally.think_times) == [7 * MS] * len(with_choice)
    assert tally.think_time(0.5) == tally.think_time(1) == 7 * MS
