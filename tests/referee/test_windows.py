"""The response window: who is asked, until when, and what a late coup fourré is worth."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from arena.engine.actions import PASS, Verb
from arena.referee.events import (
    BotNo,
    Prompt,
    Tell,
)
from arena.referee.game import MatchPlan
from arena.referee.limits import Nanos
from arena.referee.scripted import Reply, Script, ScriptedSeat, Simulation
from arena.referee.tally import Fault
from tests.referee.plans import (
    MS,
    TIME,
    TWO,
    ZERO,
    asked,
    faults,
    has_the_safety,
    hostile,
    make_plan,
    patient,
    played,
    prompts,
    prompts_of,
    responding,
    simulate,
)

LONG_WINDOW = replace(TIME, response_window=Nanos(5000 * MS))


def windows(simulation: Simulation) -> list[tuple[int, BotNo, Prompt]]:
    return [(at, bot, prompt) for at, bot, prompt in asked(simulation) if responding(prompt)]


def late_coup(after: Nanos) -> Script:
    """Play patiently, and answer an attack only after that time."""
    return lambda prompt: (
        [Reply(prompt.view.legal[-1], after)] if has_the_safety(prompt) else patient(prompt)
    )


def plan_with_a_chance(players: int = 2, **options: object) -> MatchPlan:
    """Hands enough for a patient bot to be attacked with the safety in hand."""
    return make_plan(players=players, games=2, hands=20, **options)  # type: ignore[arg-type]


def test_a_coup_fourre_in_its_window_stands_and_wins_the_turn() -> None:
    done = simulate(plan_with_a_chance(), late_coup(TIME.response_window), hostile)
    coups = [one for one in played(done) if one.action.verb is Verb.COUP_FOURRE]
    assert coups
    assert done.match.tallies[ZERO].coups_fourres == len(coups)
    assert faults(done, ZERO) == {}


def test_a_late_coup_fourre_is_refused_without_penalty_and_the_card_stays_in_hand() -> None:
    seat = ScriptedSeat(late_coup(Nanos(TIME.response_window + 1)))
    done = simulate(plan_with_a_chance(), seat, hostile)
    chances = [prompt for prompt in prompts(seat) if has_the_safety(prompt)]
    assert chances
    assert not any(one.action.verb is Verb.COUP_FOURRE for one in played(done))
    counted = faults(done, ZERO)
    assert counted == {Fault.MISSED_WINDOW: len(chances), Fault.LATE: counted[Fault.LATE]}
    # An answer that is late for the last window of a match comes after the match.
    assert counted[Fault.LATE] in (len(chances), len(chances) - 1)
    for before, after in zip(prompts_of(done, ZERO), prompts_of(done, ZERO)[1:], strict=False):
        if has_the_safety(before) and before.hand == after.hand:
            assert after.view.hand[-4:] == before.view.hand[-4:]  # the safeties
            assert after.view.table.battle or after.view.table.speed  # the attack stands
            assert after.bank_left == before.bank_left


def test_a_response_is_never_charged_to_the_bank() -> None:
    # Far longer than a turn, but within the window.
    seat = ScriptedSeat(late_coup(Nanos(4000 * MS)))
    done = simulate(plan_with_a_chance(time=LONG_WINDOW), seat, hostile)
    assert done.match.tallies[ZERO].coups_fourres
    assert {prompt.bank_left for prompt in prompts(seat)} == {TIME.bank}
    assert {prompt.free_time for prompt in prompts(seat) if responding(prompt)} == {
        LONG_WINDOW.response_window
    }


def test_a_window_closes_as_soon_as_all_that_were_asked_have_answered() -> None:
    done = simulate(plan_with_a_chance(players=4), *[patient, hostile] * 2)
    gaps = [
        later - at
        for (at, _, before), (later, _, after) in zip(asked(done), asked(done)[1:], strict=False)
        if responding(before) and not responding(after)
    ]
    assert set(gaps) == {MS}  # the time of an answer, not the window's length


def dawdling(seed: int) -> Script:
    """The first legal action, at any time up to a little after the window's end."""
    rng = Random(seed)
    return lambda _: [Reply(0, Nanos(rng.randrange(1, 60) * MS))]


@pytest.mark.parametrize("players", [2, 4, 6])
def test_no_other_prompt_goes_out_while_a_window_is_open(players: int) -> None:
    scripts = [dawdling(seed) for seed in range(players)]
    done = simulate(plan_with_a_chance(players=players), *scripts)
    open_windows: set[BotNo] = set()
    for _, effect in done.effects:
        if isinstance(effect, Tell) and isinstance(effect.message, Prompt):
            if responding(effect.message):
                open_windows.add(effect.bot)
            else:
                assert not open_windows
        elif getattr(effect, "action", None) is not None:
            bot = done.match.plan.bot_at(effect.seat, effect.game)  # type: ignore[union-attr]
            if effect.action is PASS:  # type: ignore[union-attr]
                open_windows.discard(bot)
            else:
                open_windows.clear()
    assert windows(done)


def test_whoever_the_public_must_suspect_is_asked_and_without_the_safety_can_only_pass() -> None:
    done = simulate(plan_with_a_chance(), patient, hostile)
    answers = Counter(len(prompt.view.legal) for _, _, prompt in windows(done))
    assert set(answers) == {1, 2}
    for _, _, prompt in windows(done):
        assert prompt.default is prompt.view.legal[0] is PASS


def test_a_partner_may_answer_the_attack_and_the_other_ones_prompt_is_withdrawn() -> None:
    slow = late_coup(Nanos(20 * MS))

    def slower(prompt: Prompt) -> list[Reply]:
        return [Reply(0, Nanos(30 * MS))] if responding(prompt) else patient(prompt)

    done = simulate(plan_with_a_chance(players=4), slow, hostile, slower, hostile)
    assert done.match.tallies[ZERO].coups_fourres
    assert faults(done, TWO)[Fault.STALE]
    assert set(faults(done, TWO)) == {Fault.STALE}


def test_a_silent_window_is_a_pass_after_its_full_length() -> None:
    quiet: Script = lambda prompt: [] if responding(prompt) else patient(prompt)  # noqa: E731
    done = simulate(plan_with_a_chance(), quiet, hostile)
    count = sum(bot == ZERO for _, bot, _ in windows(done))
    assert count
    assert faults(done, ZERO) == {Fault.MISSED_WINDOW: count}
    opened = {(when, bot) for when, bot, _ in windows(done) if bot == ZERO}
    for at, (when, effect) in enumerate(done.effects):
        if (when, ZERO) in opened and isinstance(effect, Tell):
            assert done.effects[at + 1][0] == when + TIME.response_window + 1
