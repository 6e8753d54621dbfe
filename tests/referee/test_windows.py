"""The response window in every mode: who is asked, what it settles, and what waits for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from arena.engine.actions import PASS, Verb
from arena.engine.cards import SAFETY_FOR, Card
from arena.referee.events import (
    Ended,
    HandEnded,
    Played,
    Prompt,
    Rejection,
    Tell,
    WindowClosed,
    WindowOpened,
)
from arena.referee.limits import Nanos, WindowMode
from arena.referee.scripted import Reply, Script, ScriptedSeat, Simulation, Step
from arena.referee.tally import Fault
from tests.referee.plans import (
    MS,
    PUBLISHED,
    TIME,
    TWO,
    ZERO,
    after,
    asked,
    at_random,
    effects,
    faults,
    has_the_safety,
    hostile,
    in_windows,
    make_plan,
    patient,
    played,
    prompts,
    prompts_of,
    responding,
    silent,
    simulate,
)
from tests.referee.stacked import (
    HELD,
    NOT_HELD,
    Held,
    closings,
    declaring,
    response_after,
    stacked_plan,
    windows,
)

ASKING = [WindowMode.PROMPT, WindowMode.SEALED]
TABLES = [("classic", 2), ("classic", 3), ("classic", 4), ("classic", 6), ("express", 4)]


def dawdling(seed: int) -> Script:
    """Anything legal, at any time up to a little after the window's end."""
    rng = Random(seed)
    return lambda prompt: [
        Reply(rng.randrange(len(prompt.view.legal)), Nanos(rng.randrange(1, 60) * MS))
    ]


def dawdlers(preset: str, players: int, window: WindowMode, seed: int = 0) -> Simulation:
    plan = make_plan(preset, players, games=2, hands=3, window=window, seed=str(seed))
    return simulate(plan, *(dawdling(10 * seed + number) for number in range(players)))


# -- order -----------------------------------------------------------------------------------------


def violations(simulation: Simulation) -> list[str]:
    """What goes on in a window that must not, or outside it."""
    found = []
    window: WindowOpened | None = None
    for at, effect in simulation.effects:
        match effect:
            case WindowOpened():
                found += [f"{at}: a window in a window"] if window else []
                window = effect
            case WindowClosed() | Ended():
                window = None
            case Tell(bot, Prompt() as prompt) if window is None:
                found += [f"{at}: {bot} is asked to respond"] if responding(prompt) else []
            case Tell(bot, Prompt() | Rejection() as message) if window is not None:
                is_response = isinstance(message, Rejection) or responding(message)
                seat = simulation.match.plan.seat_of(bot, window.game)
                if not is_response or seat not in window.seats:
                    found.append(f"{at}: {bot} is told {type(message).__name__} in a window")
            case Tell(bot, message) if window is not None:
                found.append(f"{at}: {bot} is told {type(message).__name__} in a window")
            case HandEnded() if window is not None:
                found.append(f"{at}: the hand ends in a window")
            case _:
                pass
    return found


@pytest.mark.parametrize("window", list(WindowMode))
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_while_a_window_is_open_nobody_but_who_may_answer_hears_anything(
    preset: str, players: int, window: WindowMode
) -> None:
    """The next player's prompt least of all; and no response is asked for outside a window."""
    for seed in range(2):
        done = dawdlers(preset, players, window, seed)
        assert windows(done)
        assert violations(done) == []


def test_the_checker_sees_a_prompt_in_an_open_window() -> None:
    done = dawdlers("classic", 2, WindowMode.PROMPT)
    at = next(at for at, (_, one) in enumerate(done.effects) if isinstance(one, WindowClosed))
    del done.effects[at]
    assert violations(done)


@pytest.mark.parametrize("window", list(WindowMode))
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_windows_are_numbered_and_each_closes_once_after_it_opened(
    preset: str, players: int, window: WindowMode
) -> None:
    done = dawdlers(preset, players, window)
    opened = [one.number for _, one in windows(done)]
    closed = [one.number for _, one in effects(done, WindowClosed)]
    assert opened == closed == list(range(1, len(opened) + 1))


@pytest.mark.parametrize("window", ASKING)
def test_a_window_is_on_record_before_anybody_is_asked(window: WindowMode) -> None:
    done = dawdlers("classic", 4, window)
    first = [effect for _, effect in done.effects]
    at = next(at for at, one in enumerate(first) if isinstance(one, WindowOpened))
    before, opened, after_it = first[:at], first[at], first[at + 1 : at + 3]
    assert isinstance(opened, WindowOpened)
    assert isinstance(before[-1], Played)
    assert before[-1].action.card is opened.attack
    assert [one.bot for one in after_it if isinstance(one, Tell)] == [
        done.match.plan.bots_at(opened.game)[seat] for seat in opened.seats
    ]


@pytest.mark.parametrize("window", list(WindowMode))
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_exactly_one_of_answered_and_next_turn_happens(
    preset: str, players: int, window: WindowMode
) -> None:
    done = simulate(
        make_plan(preset, players, games=2, hands=6, window=window),
        *[dawdling_patient(1), hostile] * (players // 2),
        *[hostile] * (players % 2),
    )
    outcomes = Counter[bool]()
    for number, (at, opened) in enumerate(windows(done), 1):
        closed_at, closed = closings(done)[number]
        coups = [
            one
            for when, one in effects(done, Played)
            if at <= when <= closed_at and one.action.verb is Verb.COUP_FOURRE
        ]
        follows = next_turn(done, number)
        outcomes[closed.answered_by is not None] += 1
        if closed.answered_by is None:
            assert coups == []
        else:
            assert [one.seat for one in coups] == [closed.answered_by]
            assert closed.answered_by in opened.seats
            # Whoever declared it has the turn; otherwise the turn goes on to the left.
            assert follows is None or follows == closed.answered_by
    assert outcomes[False]
    assert outcomes[True] or window is WindowMode.STANDING


def dawdling_patient(seed: int) -> Script:
    """Keep safeties for coups fourrés, and declare them, at times too late."""
    rng = Random(seed)

    def script(prompt: Prompt) -> Iterable[Step]:
        delay = rng.randrange(30, 60) * MS
        return after(delay, patient)(prompt)

    return script


def next_turn(simulation: Simulation, number: int) -> int | None:
    """The seat that acts first after a window closed, in the same hand."""
    rest = iter(effect for _, effect in simulation.effects)
    for effect in rest:
        if isinstance(effect, WindowClosed) and effect.number == number:
            break
    follows = next((one for one in rest if isinstance(one, Played | HandEnded | Ended)), None)
    return follows.seat if isinstance(follows, Played) else None


# -- who is asked ----------------------------------------------------------------------------------


@pytest.mark.parametrize("window", ASKING)
@pytest.mark.parametrize("held", [HELD, NOT_HELD], ids=["held", "not held"])
def test_whoever_the_public_must_suspect_is_asked_and_without_the_safety_can_only_pass(
    window: WindowMode, held: Held
) -> None:
    done = simulate(stacked_plan(held, window=window), response_after(MS, declare=False), hostile)
    at, opened = windows(done)[0]
    assert (opened.attack, opened.team, opened.seats) == (Card.OUT_OF_GAS, 0, (0,))
    assert opened.lasts == TIME.response_window
    prompt = next(prompt for when, _, prompt in asked(done) if responding(prompt) and when >= at)
    assert prompt.default is prompt.view.legal[0] is PASS
    assert len(prompt.view.legal) == (2 if held is HELD else 1)


@pytest.mark.parametrize("window", list(WindowMode))
@pytest.mark.parametrize("holder", [0, 2, None])
def test_every_seat_of_the_attacked_team_is_asked_whoever_holds_the_safety(
    window: WindowMode, holder: int | None
) -> None:
    held: Held = {0: (Card.GREEN_LIGHT,), 1: (Card.OUT_OF_GAS,)}
    if holder is not None:
        held[holder] = (*held.get(holder, ()), Card.EXTRA_TANK)
    plan = stacked_plan(held, players=4, window=window)
    done = simulate(plan, *[patient, hostile] * 2)
    assert windows(done)[0][1].seats == (0, 2)


@pytest.mark.parametrize("window", list(WindowMode))
def test_no_window_opens_for_an_attack_that_everybody_knows_cannot_be_answered(
    window: WindowMode,
) -> None:
    """The safety lies open on a table."""
    done = simulate(make_plan(players=3, hands=30, window=window), *map(at_random, range(3)))
    opened = Counter[bool]()
    exposed: set[Card] = set()
    for at, (_, effect) in enumerate(done.effects):
        if isinstance(effect, HandEnded):
            exposed.clear()
        if not isinstance(effect, Played) or effect.action.card is None:
            continue
        card = effect.action.card
        if card.is_safety and effect.action.verb is not Verb.DISCARD:
            exposed.add(card)
        if effect.action.team is not None:
            known = SAFETY_FOR[card] in exposed
            opens = isinstance(done.effects[at + 1][1], WindowOpened)
            opened[opens] += 1
            assert not (known and opens)
            if not opens:
                assert known or not done.match.plan.rules.discard_visible
    assert opened[True]
    assert opened[False]


# -- answers at its end ----------------------------------------------------------------------------


@pytest.mark.parametrize("window", ASKING)
@pytest.mark.parametrize("late_by", [-1, 0, 1])
def test_a_coup_fourre_counts_up_to_the_last_instant_of_its_window(
    window: WindowMode, late_by: int
) -> None:
    plan = stacked_plan(window=window, faults=PUBLISHED)
    done = simulate(plan, declaring(TIME.response_window + late_by), hostile)
    at, _ = windows(done)[0]
    closed_at, closed = closings(done)[1]
    assert closed.answered_by == (0 if late_by <= 0 else None)
    assert closed_at == at + TIME.response_window + late_by
    first = next(one for one in played(done) if one.stage.name == "RESPOND")
    assert first.answered == (late_by <= 0)
    assert (first.action.verb is Verb.COUP_FOURRE) == (late_by <= 0)


@pytest.mark.parametrize("window", ASKING)
def test_a_late_coup_fourre_costs_nothing_and_the_card_stays_in_hand(window: WindowMode) -> None:
    seat = ScriptedSeat(declaring(TIME.response_window + 1))
    done = simulate(stacked_plan(window=window, faults=PUBLISHED), seat, hostile)
    chances = [prompt for prompt in prompts(seat) if has_the_safety(prompt)]
    assert chances
    assert not any(one.action.verb is Verb.COUP_FOURRE for one in played(done))
    counted = faults(done, ZERO)
    assert set(counted) == {Fault.MISSED_WINDOW, Fault.LATE}
    assert done.match.roster.tallies[ZERO].strikes == 0
    for before, later in zip(prompts_of(done, ZERO), prompts_of(done, ZERO)[1:], strict=False):
        if has_the_safety(before) and before.hand == later.hand:
            assert later.view.hand[-4:] == before.view.hand[-4:]  # the safeties
            assert later.view.table.battle or later.view.table.speed  # the attack stands
            assert later.bank_left == before.bank_left


@pytest.mark.parametrize("window", ASKING)
def test_a_response_is_never_charged_to_the_bank(window: WindowMode) -> None:
    """Though this window is far longer than a turn."""
    long = Nanos(5000 * MS)
    time = replace(TIME, response_window=long)
    for response in (declaring(4000 * MS), in_windows(silent, patient)):
        seat = ScriptedSeat(response)
        done = simulate(stacked_plan(window=window, time=time), seat, hostile)
        asked_of = [prompt for prompt in prompts(seat) if responding(prompt)]
        assert asked_of
        assert {prompt.bank_left for prompt in prompts(seat)} == {TIME.bank}
        assert {prompt.free_time for prompt in asked_of} == {long}
        assert {one.bank_left for one in played(done)} == {TIME.bank}


# -- partners --------------------------------------------------------------------------------------


@pytest.mark.parametrize("window", ASKING)
@pytest.mark.parametrize("holder", [0, 2])
def test_a_partner_may_answer_and_the_others_prompt_is_withdrawn(
    window: WindowMode, holder: int
) -> None:
    held: Held = {0: (Card.GREEN_LIGHT,), 1: (Card.OUT_OF_GAS,)}
    held[holder] = (*held.get(holder, ()), Card.EXTRA_TANK)
    done = simulate(
        stacked_plan(held, players=4, window=window),
        *[response_after(20 * MS, declare=True), after(40 * MS, hostile)] * 2,
    )
    (at, _), *_ = windows(done)
    closed_at, closed = closings(done)[1]
    assert closed.answered_by == holder
    coup = next(one for one in played(done) if one.action.verb is Verb.COUP_FOURRE)
    assert coup.spent == 20 * MS
    assert closed_at == at + 20 * MS


@pytest.mark.parametrize("window", ASKING)
def test_what_comes_of_a_withdrawn_prompt_is_nobodys_fault(window: WindowMode) -> None:
    slow = in_windows(after(30 * MS), patient)
    plan = stacked_plan(players=4, window=window, faults=PUBLISHED)
    done = simulate(
        plan, declaring(20 * MS), after(40 * MS, hostile), slow, after(40 * MS, hostile)
    )
    assert faults(done, TWO)[Fault.STALE]
    assert set(faults(done, TWO)) == {Fault.STALE}


@pytest.mark.parametrize("window", ASKING)
def test_a_window_of_two_is_over_when_neither_answers(window: WindowMode) -> None:
    quiet = in_windows(silent, patient)
    done = simulate(stacked_plan(players=4, window=window), quiet, hostile, quiet, hostile)
    at, _ = windows(done)[0]
    closed_at, closed = closings(done)[1]
    assert (closed_at, closed.answered_by) == (at + TIME.response_window + 1, None)
    passes = [one for one in played(done) if one.stage.name == "RESPOND"][:2]
    assert [(one.seat, one.action, one.fault) for one in passes] == [
        (0, PASS, Fault.MISSED_WINDOW),
        (2, PASS, Fault.MISSED_WINDOW),
    ]
