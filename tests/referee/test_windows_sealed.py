"""Sealed windows: no timing tells who holds what, thinks how long, or is there at all."""

from __future__ import annotations

import pytest

from arena.engine.actions import PASS, Verb
from arena.engine.cards import Card
from arena.referee.events import BotNo, Forfeited, Played, Prompt, Sent, Tell, Tick, WindowClosed
from arena.referee.limits import Instant, Nanos, WindowMode
from arena.referee.scripted import Leave, Note, Reply, Script, Simulation, Step, Written, eager
from arena.referee.tally import Fault
from tests.referee.plans import (
    MS,
    TIME,
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
    patient,
    played,
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
    lengths,
    stacked_plan,
    windows,
)

W = TIME.response_window
FULL = W + 1
"""What is not answered closes at the first instant after its last one."""


def responses(*steps: Step) -> Script:
    """Do this in every window, and play patiently otherwise."""
    return in_windows(lambda _: steps, patient)


def goes_before(prompt: Prompt) -> list[Step]:
    """Drive off, and be gone before the attack."""
    return [*patient(prompt), Leave(Nanos(2 * MS))]


BEHAVIOURS: dict[str, Script] = {
    "passes at once": responses(Reply(PASS, Nanos(0))),
    "passes after 1 ms": responses(Reply(PASS)),
    "passes in the middle": responses(Reply(PASS, Nanos(W // 2))),
    "passes at the last instant": responses(Reply(PASS, W)),
    "passes too late": responses(Reply(PASS, Nanos(W + 1))),
    "says nothing": responses(),
    "answers with nonsense": responses(Reply(99)),
    "answers twice": responses(Reply(PASS), Reply(PASS, Nanos(2 * MS))),
    "writes notes": responses(Note(), Reply(PASS, Nanos(2 * MS))),
    "is written to late": responses(Written(Nanos(30 * MS)), Reply(PASS, Nanos(31 * MS))),
    "goes in the window": responses(Leave(Nanos(10 * MS))),
    "passes and goes": responses(Reply(PASS), Leave(Nanos(10 * MS))),
    "is gone before": goes_before,
}


def attacked(held: Held, behaviour: Script, players: int = 3) -> Simulation:
    """Seat 0 behaves so, seat 1 attacks it, a third one has nothing to do with it."""
    plan = stacked_plan(held, players=players, window=WindowMode.SEALED)
    return simulate(plan, behaviour, hostile, *[eager] * (players - 2))


@pytest.mark.parametrize("held", [HELD, NOT_HELD], ids=["held", "not held"])
@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_a_window_lasts_its_full_length_whatever_goes_on_in_it(behaviour: str, held: Held) -> None:
    done = attacked(held, BEHAVIOURS[behaviour])
    assert windows(done)[0][1].seats == (0,)
    assert set(lengths(done)) == {FULL}
    assert {closed.answered_by for _, closed in closings(done).values()} == {None}


def heard(done: Simulation, until: int) -> list[tuple[int, Tell]]:
    """What all but the attacked one were told until then, and when."""
    return [
        (at, effect) for at, effect in effects(done, Tell) if effect.bot != ZERO and at <= until
    ]


@pytest.mark.parametrize("held", [HELD, NOT_HELD], ids=["held", "not held"])
@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_the_others_hear_the_same_at_the_same_time_whatever_goes_on_in_it(
    behaviour: str, held: Held
) -> None:
    """To the end of the match; of who has gone, up to the turn after the window."""
    done = attacked(held, BEHAVIOURS[behaviour])
    usual = attacked(held, BEHAVIOURS["passes at once"])
    until = closings(usual)[1][0] if forfeits(done) else usual.effects[-1][0]
    assert heard(done, until) == heard(usual, until)
    assert heard(done, until)[-1][0] == until


def test_only_the_coup_fourre_closes_it_early() -> None:
    done = attacked(HELD, declaring(10 * MS))
    closed = closings(done)
    early = [
        closed[opened.number]
        for (_, opened), length in zip(windows(done), lengths(done), strict=True)
        if length < FULL
    ]
    assert early
    coups = [at for at, one in effects(done, Played) if one.action.verb is Verb.COUP_FOURRE]
    assert [at for at, _ in early] == coups
    assert None not in {one.answered_by for _, one in early}
    assert lengths(done)[0] == 10 * MS


def test_a_coup_fourre_declared_at_once_is_played_at_once() -> None:
    done = attacked(HELD, declaring(0))
    assert lengths(done)[0] == 0
    assert done.match.roster.tallies[ZERO].coups_fourres >= 1


def test_nobody_hears_anything_before_it_closes() -> None:
    done = attacked(HELD, BEHAVIOURS["passes at once"])
    closed = closings(done)
    for at, opened in windows(done):
        until = closed[opened.number][0]
        others = [
            effect
            for when, effect in effects(done, Tell)
            if at < when < until and effect.bot != done.match.plan.bots_at(0)[opened.seats[0]]
        ]
        assert others == []


def test_a_pass_is_played_when_the_window_closes_and_says_how_long_it_took() -> None:
    done = attacked(HELD, BEHAVIOURS["passes in the middle"])
    at, one = next((at, one) for at, one in effects(done, Played) if one.action is PASS)
    assert at == windows(done)[0][0] + FULL
    assert (one.answered, one.spent, one.fault) == (True, W // 2, None)


@pytest.mark.parametrize(
    ("behaviour", "answered", "fault"),
    [
        ("passes at the last instant", True, None),
        ("passes too late", False, Fault.MISSED_WINDOW),
        ("says nothing", False, Fault.MISSED_WINDOW),
        ("answers with nonsense", False, Fault.ILLEGAL),
        ("goes in the window", False, None),
        ("passes and goes", True, None),
        ("is gone before", False, None),
    ],
)
def test_the_record_says_what_went_on_in_it(
    behaviour: str, answered: bool, fault: Fault | None
) -> None:
    done = attacked(HELD, BEHAVIOURS[behaviour])
    one = next(one for one in played(done) if one.action is PASS)
    assert (one.answered, one.fault) == (answered, fault)


def test_writing_a_prompt_late_does_not_move_the_end() -> None:
    """It is the same for all; what the writing takes is lost to the bot."""
    late = responses(Written(Nanos(30 * MS)), Reply(PASS, Nanos(W + 1)))
    done = attacked(HELD, late)
    assert set(lengths(done)) == {FULL}
    assert faults(done, ZERO)[Fault.MISSED_WINDOW] == faults(done, ZERO)[Fault.LATE]


def test_a_tick_at_the_last_instant_leaves_it_open() -> None:
    simulation = at_the_first_prompt(
        stacked_plan(window=WindowMode.SEALED), in_windows(silent, patient), hostile
    )
    while not windows(simulation):
        simulation.step()
    at, _ = windows(simulation)[0]
    simulation.clock.set(Instant(at + W))
    simulation.handle(Tick())
    assert not effects(simulation, WindowClosed)
    simulation.handle(Sent(ZERO, asked(simulation)[-1][2].prompt_id, simulation.clock()))
    simulation.clock.set(Instant(at + W + 1))
    simulation.handle(Tick())
    assert effects(simulation, WindowClosed)


# -- partners --------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["passes at once", "says nothing", "goes in the window"])
@pytest.mark.parametrize("second", ["passes at once", "says nothing", "passes too late"])
def test_two_partners_are_waited_for_until_the_end(first: str, second: str) -> None:
    """At a table of three teams, where a forfeit is no end."""
    plan = stacked_plan(players=6, window=WindowMode.SEALED)
    scripts = [BEHAVIOURS[first], hostile, eager, BEHAVIOURS[second], eager, eager]
    done = simulate(plan, *scripts)
    assert windows(done)[0][1].seats == (0, 3)
    assert set(lengths(done)) == {FULL}


def test_a_partners_pass_does_not_keep_the_other_from_answering() -> None:
    plan = stacked_plan(players=4, window=WindowMode.SEALED)
    quick = BEHAVIOURS["passes at once"]
    done = simulate(plan, declaring(W), hostile, quick, eager)
    assert closings(done)[1][1].answered_by == 0
    assert lengths(done)[0] == W
    # The pass was never played: the coup fourré has settled it for both.
    first = next(one for one in played(done) if one.stage.name == "RESPOND")
    assert first.seat == 0


def test_of_two_that_answer_at_one_instant_the_first_to_arrive_has_it() -> None:
    held: Held = {0: (Card.GREEN_LIGHT,), 1: (Card.OUT_OF_GAS,), 2: (Card.EXTRA_TANK,)}
    plan = stacked_plan(held, players=4, window=WindowMode.SEALED)
    done = simulate(plan, declaring(W), hostile, declaring(W), eager)
    assert closings(done)[1][1].answered_by == 2
    assert set(faults(done, TWO)) <= {Fault.MISSED_WINDOW, Fault.STALE}


# -- forfeits in a window --------------------------------------------------------------------------


def test_a_forfeit_in_a_window_of_three_teams_does_not_close_it() -> None:
    done = attacked(HELD, BEHAVIOURS["goes in the window"])
    lost_at = effects(done, Forfeited)[0][0]
    opened_at = windows(done)[0][0]
    assert lost_at == opened_at + 10 * MS
    assert closings(done)[1][0] == opened_at + FULL


def test_an_attacker_that_goes_in_the_window_leaves_it_open() -> None:
    attack: Script = lambda prompt: [*hostile(prompt), Leave(Nanos(5 * MS))]  # noqa: E731
    plan = stacked_plan(players=3, window=WindowMode.SEALED)
    done = simulate(plan, declaring(40 * MS), attack, eager)
    assert effects(done, Forfeited)[0][1].forfeit.bot == 1
    assert lengths(done)[0] == 40 * MS
    assert closings(done)[1][1].answered_by == 0


@pytest.mark.parametrize("bot", range(3))
def test_in_random_play_every_window_that_is_not_answered_is_full(bot: int) -> None:
    """Also where a seat is gone from the first prompt on."""
    scripts: list[Script] = [after(7 * MS, hostile), after(60 * MS, patient), patient]
    scripts[bot] = lambda _: [Leave()]
    plan = make_plan(players=3, games=3, hands=4, window=WindowMode.SEALED)
    done = simulate(plan, *scripts)
    closed = closings(done)
    for (at, opened), length in zip(windows(done), lengths(done), strict=True):
        if closed[opened.number][1].answered_by is None:
            assert length == FULL, at
    assert any(
        done.match.plan.bots_at(opened.game)[opened.seats[0]] == BotNo(bot)
        for _, opened in windows(done)
    )
    assert not any(responding(prompt) for _, whom, prompt in asked(done) if whom == bot)
