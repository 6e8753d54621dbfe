"""Records that are right: whatever bots and host do, what was written is verified and replayed."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.engine.actions import Verb
from arena.referee.entries import Entry, name_of
from arena.referee.events import OutcomeKind, Played
from arena.referee.game import MatchPlan
from arena.referee.limits import FaultBudget, WindowMode
from arena.referee.record import Chain
from arena.referee.replay import Asked, coups_fourres, load
from arena.referee.scripted import Script, ScriptedSeat
from tests.referee.plans import (
    FORGIVING,
    MS,
    after,
    at_random,
    hostile,
    make_plan,
    once,
    patient,
    played,
    prompts,
    responding,
    silent,
    simulate,
)
from tests.referee.recorded import (
    chained,
    erratic,
    members,
    place,
    record_of,
    recorded,
    said_by,
    verified,
)

ROOT = Path(__file__).parents[2]
TABLES = [
    *(("classic", players) for players in (2, 3, 4, 6)),
    *((preset, players) for preset in ("express", "plateau") for players in (2, 3, 4)),
    ("leaflet", 3),
]
STRICT = FaultBudget(max_strikes=1, surplus_messages=0)
USUAL = FaultBudget(max_strikes=3, surplus_messages=5)


@st.composite
def matches(draw: st.DrawFn) -> tuple[MatchPlan, list[Script | ScriptedSeat]]:
    """Any table, any mode, bots that do everything wrong at some rate; some do not even join."""
    preset, players = draw(st.sampled_from(TABLES))
    plan = make_plan(
        preset,
        players,
        games=draw(st.integers(1, 2)),
        seed=str(draw(st.integers(0, 2**32))),
        window=draw(st.sampled_from(WindowMode)),
        faults=draw(st.sampled_from([FORGIVING, USUAL, STRICT])),
        rotate=draw(st.booleans()),
        play_on=draw(st.booleans()),
    )
    rate = draw(st.sampled_from([0, 0.02, 0.1, 0.3]))
    seed = draw(st.integers(0, 2**32))
    absent = draw(st.sampled_from([0, 0, 0, 0.3]))
    seats: list[Script | ScriptedSeat] = [
        ScriptedSeat(
            erratic(seed + bot, rate, stalls=bot == 0),
            joins=lambda life, bot=bot: Random(f"{seed}/{bot}/{life}").random() >= absent,  # type: ignore[misc]
        )
        for bot in range(players)
    ]
    return plan, seats


@given(match=matches())
@settings(max_examples=60)
def test_whatever_bots_do_the_record_holds(
    match: tuple[MatchPlan, list[Script | ScriptedSeat]],
) -> None:
    plan, seats = match
    simulation = simulate(plan, *seats)
    lines = record_of(simulation)
    right = verified(lines)
    assert simulation.match.verdict is not None
    assert right.verdict.kind == simulation.match.verdict.kind
    assert (right.lines, right.games) == (len(lines), len(simulation.match.results))
    assert right.actions == len(played(simulation))
    assert right.head == json.loads(lines[-1])["chain"]


# -- what is in it ----------------------------------------------------------------------------


def test_chain_is_as_specified() -> None:
    """Worked out by hand from the words of the README: SHA-256 over hash, length and body."""
    chain = Chain()
    first = hashlib.sha256(b'{"t":"a"}').digest()
    assert chain.add(b'{"t":"a"}') == first.hex()
    second = hashlib.sha256(first + b"\x00\x00\x00\x07" + b'{"t":1}').digest()
    assert chain.add(b'{"t":1}') == second.hex()


def test_every_line_is_json_of_its_own_and_says_what_it_is_first() -> None:
    lines = recorded(make_plan(), erratic(1), erratic(2))
    for line in lines:
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert next(iter(json.loads(line))) == "t"
        assert list(json.loads(line))[-1] == "chain"


def test_readme_explains_every_line_and_every_member() -> None:
    text = (ROOT / "arena" / "referee" / "README.md").read_text(encoding="utf-8")
    explained = text.partition("## The lines")[2].partition("## What is checked")[0]
    first, *others = recorded(make_plan(), erratic(1), erratic(2))
    for name in [*members(first), *SHAPES]:
        assert name == "t" or f"`{name}`" in explained or f"**{name}**" in explained, name
    for kind, names in SHAPES.items():
        assert all(f"`{name}`" in explained for name in names), kind
    assert {str(members(line)["t"]) for line in others} <= SHAPES.keys()


SHAPES = {
    name_of(line): line._fields  # the lines as the reader knows them
    for line in get_args(Entry)
}


def test_every_action_is_in_it_with_its_times() -> None:
    simulation = simulate(make_plan("express", 3), erratic(1), erratic(2), erratic(3))
    lines = [line for line in said_by(record_of(simulation)) if line["t"] == "play"]
    effects: list[Played] = played(simulation)
    assert len(lines) == len(effects) > 50
    for line, effect in zip(lines, effects, strict=True):
        assert (line["action"], line["spent"]) == (effect.action.text, effect.spent)
        assert (line["lag"], line["bank"]) == (effect.lag, effect.bank_left)
        assert (line["fault"], line["prompt"]) == (effect.fault, effect.prompt)


def test_every_rejection_is_in_it_as_the_bot_was_told() -> None:
    lines = recorded(make_plan(faults=USUAL), once([]), patient)
    rejected = members(lines[place(lines, "rejected")])
    assert rejected["reason"] == "TIMED_OUT"
    assert (rejected["bot"], rejected["prompt"], rejected["strikes"]) == (0, 1, 1)
    assert str(rejected["detail"]).startswith("no answer to prompt 1 within 100 ms")
    after = members(lines[place(lines, "rejected") + 1])
    assert (after["t"], after["fault"], after["answered"]) == ("play", "timed_out", False)


def test_window_is_written_before_anybody_is_asked() -> None:
    """In the order of effects, which the driver performs after the record has seen them."""
    simulation = simulate(make_plan(seed="attack"), hostile, hostile)
    lines = said_by(record_of(simulation))
    kinds = Counter(line["t"] for line in lines)
    assert kinds["window"] == kinds["closed"] > 0
    before = [lines[at - 1] for at, line in enumerate(lines) if line["t"] == "window"]
    assert all(" on " in str(line["action"]) for line in before)


@pytest.mark.parametrize("hashseed", ["0", "1", "random"])
def test_head_does_not_depend_on_the_hash_seed(hashseed: str) -> None:
    """A process of its own plays, records, verifies and replays; the head is always the same."""
    program = """
from tests.referee.recorded import *
from tests.referee.plans import *
from arena.referee.replay import load
lines = recorded(make_plan("express", 4, games=2, rotate=True), *map(erratic, range(4)))
replay = load(io.BytesIO(b"".join(lines)))
print(replay.verified.head, [str(step.action) for step in replay.steps][-1])
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": hashseed},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        timeout=120,
    )
    lines = recorded(make_plan("express", 4, games=2, rotate=True), *map(erratic, range(4)))
    assert done.stdout.split()[0] == json.loads(lines[-1])["chain"]


def test_same_match_twice_is_the_same_record() -> None:
    first, again = (recorded(make_plan("plateau", 3), *map(erratic, range(3))) for _ in range(2))
    assert first == again


# -- replay -----------------------------------------------------------------------------------


def test_replay_has_every_action_and_the_states_between_them() -> None:
    plan = make_plan("express", 2, games=2, rotate=True)
    simulation = simulate(plan, at_random(1), at_random(2))
    replay = load(io.BytesIO(b"".join(record_of(simulation))))
    effects = played(simulation)
    assert [step.action for step in replay.steps] == [effect.action for effect in effects]
    assert [(step.game, step.hand) for step in replay.steps] == [
        (effect.game, effect.hand) for effect in effects
    ]
    for game in replay.games:
        for hand in game.hands:
            for step in hand.steps:
                assert hand.state(step.place).stage == step.stage
            assert hand.state(len(hand.steps)).over


def test_replay_knows_every_prompt_that_a_bot_was_sent() -> None:
    """Also those that a partner's coup fourré withdrew, which no line names."""
    plan = make_plan("classic", 4, games=6, seed="withdrawn")
    scripts = (hostile, patient, hostile, after(10 * MS, patient))
    seats = [ScriptedSeat(script) for script in scripts]
    replay = load(io.BytesIO(b"".join(recorded(plan, *seats))))
    asked: list[Asked] = [one for game in replay.games for hand in game.hands for one in hand.asked]
    answered = {(step.bot, step.said.prompt) for step in replay.steps if step.said.prompt}
    for bot, seat in enumerate(seats):
        numbers = [prompt.number for prompt in prompts(seat)]
        assert [one.number for one in asked if one.bot == bot] == numbers
    assert len(asked) > len(answered)


def test_coups_fourres_are_found() -> None:
    plan = make_plan("classic", 2, games=8, seed="coup")
    simulation = simulate(plan, hostile, patient)
    found = coups_fourres(load(io.BytesIO(b"".join(record_of(simulation)))))
    made = [one for one in played(simulation) if one.action.verb is Verb.COUP_FOURRE]
    assert [step.said.at for step in found] == [
        members(line)["at"] for line in record_of(simulation) if b'"action":"coup_fourre' in line
    ]
    assert len(found) == len(made) > 0


# -- how attempts end -------------------------------------------------------------------------


def test_forfeit_ends_with_a_result_for_the_game_that_was_not_finished() -> None:
    lines = recorded(make_plan(faults=STRICT, games=2), silent, patient)
    right = verified(lines)
    assert right.verdict.kind == OutcomeKind.FORFEIT
    assert right.games == 1
    assert right.verdict.ranks == [1, 0]


def test_nobody_joins() -> None:
    absent = [ScriptedSeat(joins=lambda life: False) for _ in range(2)]
    right = verified(recorded(make_plan(), *absent))
    assert (right.verdict.kind, right.actions, right.games) == ("FORFEIT", 0, 1)


def test_void_has_no_ranks_and_reveals_its_seeds_all_the_same() -> None:
    fails = next(
        lines
        for seed in range(1000)
        if b'"kind":"VOID"' in (lines := recorded(make_plan(), erratic(seed, 0.5), patient))[-1]
    )
    right = verified(fails)
    assert right.verdict.ranks is None
    assert right.verdict.void == "out of memory"


def test_sealed_and_standing_windows_are_verified_too() -> None:
    for mode in WindowMode:
        plan = make_plan("classic", 4, window=mode, seed="windows", games=4)
        lines = recorded(plan, *(erratic(bot, 0) for bot in range(4)))
        kinds = Counter(members(line)["t"] for line in lines)
        assert kinds["window"] > 3
        assert verified(lines).games == 4


def test_responses_are_prompts_of_their_own_in_every_mode_but_standing() -> None:
    for mode in WindowMode:
        plan = make_plan(window=mode, seed="attack")
        seats = [ScriptedSeat(hostile), ScriptedSeat(hostile)]
        replay = load(io.BytesIO(b"".join(recorded(plan, *seats))))
        responses = [one for one in replay.steps if one.said.kind == "RESPOND"]
        assert responses
        were_asked = any(responding(prompt) for seat in seats for prompt in prompts(seat))
        assert were_asked is (mode is not WindowMode.STANDING)
        assert all(bool(one.said.prompt) is were_asked for one in responses)


def test_chained_by_hand_is_the_same_record() -> None:
    """The forger of the other tests writes what the referee writes, if he changes nothing."""
    lines = recorded(make_plan(), erratic(1), erratic(2))
    assert chained(said_by(lines)) == lines
