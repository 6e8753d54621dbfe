"""What the public is told of a match in play: nothing hidden, no timing, windows when over."""

from __future__ import annotations

import json
from dataclasses import asdict
from random import Random

import pytest

from arena.engine.cards import CARDS
from arena.engine.codes import PUBLIC
from arena.engine.rules import apply, legal
from arena.engine.state import Stage
from arena.referee.events import Effect, Forfeited, GameEnded, Played, WindowClosed, WindowOpened
from arena.referee.game import MatchPlan
from arena.referee.limits import Instant, Nanos, WindowMode
from arena.referee.scripted import Leave, Reply, Script, ScriptedSeat
from arena.tournament.ladder.commentary import Commentator, Frame, FrameKind
from tests.engine.exchange import exchange, hidden_places
from tests.referee.plans import make_plan, simulate
from tests.referee.worlds import anything

TABLES = [("classic", 2), ("classic", 4), ("express", 3), ("plateau", 2)]
Timed = tuple[Effect, Instant]


def at_random(rng: Random) -> ScriptedSeat:
    """Plays anything legal, declines most coups fourrés."""
    return ScriptedSeat(lambda prompt: anything(prompt, rng))


def effects_of(plan: MatchPlan, *seats: ScriptedSeat | Script) -> list[Timed]:
    """All that the referee does in a match."""
    return [(effect, Instant(now)) for now, effect in simulate(plan, *seats).effects]


def random_match(preset: str, players: int, seed: int) -> tuple[MatchPlan, list[Timed]]:
    plan = make_plan(
        preset, players, games=2, seed=str(seed), window=WindowMode.SEALED, rotate=True
    )
    rng = Random(seed)
    return plan, effects_of(plan, *[at_random(rng) for _ in range(players)])


def commented(plan: MatchPlan, effects: list[Timed]) -> list[Frame]:
    frames: list[Frame] = []
    commentator = Commentator(plan, frames.append)
    for effect, now in effects:
        commentator(effect, now)
    return frames


def as_bytes(frame: Frame) -> bytes:
    return json.dumps(asdict(frame)).encode()


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_frames_tell_what_a_record_tells_without_hidden_cards(preset: str, players: int) -> None:
    plan, effects = random_match(preset, players, 1)
    frames = commented(plan, effects)
    assert [frame.number for frame in frames] == list(range(len(frames)))
    games = [effect.result for effect, _ in effects if isinstance(effect, GameEnded)]
    over = [frame for frame in frames if frame.kind is FrameKind.GAME_OVER]
    assert [frame.totals for frame in over] == [game.totals for game in games]
    assert [frame.winner for frame in over] == [game.winner for game in games]
    drawn = [event for frame in frames for event in frame.events if "DRAWN" in event]
    assert drawn
    assert not [event for event in drawn if any(card.name in event for card in CARDS)]


@pytest.mark.parametrize(("preset", "players"), TABLES)
@pytest.mark.parametrize("seed", range(3))
def test_exchanging_two_hidden_cards_changes_no_byte(preset: str, players: int, seed: int) -> None:
    plan, effects = random_match(preset, players, seed)
    rng = Random(seed)
    compared = 0
    for start in sorted(rng.sample(range(1, len(effects) - 1), 8)):
        compared += compare_two_worlds(plan, effects, start, rng)
    assert compared > 20


def compare_two_worlds(plan: MatchPlan, effects: list[Timed], start: int, rng: Random) -> int:
    """Exchange two hidden cards after some effects; how many frames then were found equal."""
    told: tuple[list[Frame], list[Frame]] = ([], [])
    here, there = (Commentator(plan, frames.append) for frames in told)
    for effect, now in effects[:start]:
        here(effect, now)
        there(effect, now)
    if there._game is None or there._game.state.over:
        return 0
    places = hidden_places(there._game.state, PUBLIC)
    if len(places) < 2:
        return 0
    there._game.state = exchange(there._game.state, *rng.sample(places, 2))
    before = len(told[0])
    for effect, now in effects[start:]:
        # The end of a hand may tell: the rules look into all hands then (see `secrecy`).
        if not all(goes_on(one, effect) for one in (here, there)):
            break
        here(effect, now)
        there(effect, now)
    assert list(map(as_bytes, told[0])) == list(map(as_bytes, told[1]))
    return len(told[0]) - before


def goes_on(world: Commentator, effect: Effect) -> bool:
    """Whether this can happen in a world, and the hand is not over with it."""
    if not isinstance(effect, Played):
        return True
    game = world._game
    assert game is not None
    if effect.action not in legal(game.state, effect.seat):
        return False
    trial = game.state.copy()
    apply(trial, effect.seat, effect.action)
    return not trial.over


def test_a_window_is_told_of_when_it_is_over() -> None:
    plan, effects = random_match("classic", 2, 3)
    frames: list[Frame] = []
    commentator = Commentator(plan, frames.append)
    windows = 0
    is_open = False
    for effect, now in effects:
        count = len(frames)
        commentator(effect, now)
        if isinstance(effect, WindowOpened):
            is_open, before = True, count
            windows += 1
            attack = f"LAID {effect.attack.name}"
        elif isinstance(effect, WindowClosed):
            is_open = False
            assert any(attack in event for event in frames[before].events)
        elif is_open and not isinstance(effect, Played):
            assert len(frames) == before
    assert windows > 3


@pytest.mark.parametrize("seed", range(3))
def test_what_a_victim_does_in_its_window_moves_no_frame(seed: int) -> None:
    """Passing at once or by silence: the frames, with their seconds, are the same bytes."""

    def match(wait: Nanos | None) -> list[bytes]:
        plan = make_plan("classic", 2, games=2, seed=str(seed), window=WindowMode.SEALED)
        rng = Random(seed)

        def script(prompt: object) -> list[Reply]:
            view = prompt.view  # type: ignore[attr-defined]
            if view.stage is Stage.RESPOND:
                return [] if wait is None else [Reply(view.legal[0], wait)]
            attacks = [action for action in view.legal if action.team is not None]
            return [Reply(rng.choice(attacks or view.legal))]

        return list(map(as_bytes, commented(plan, effects_of(plan, script, script))))

    quick = match(Nanos(1))
    assert quick == match(Nanos(40_000_000))
    assert quick == match(None)


def test_who_forfeits_is_told_without_what_only_its_author_may_know() -> None:
    plan = make_plan("express", 3, games=1)
    asked = 0

    def leaving(prompt: object) -> list[Leave | Reply]:
        nonlocal asked
        asked += 1
        if asked > 3:
            return [Leave(why="bank 0 ms")]
        return [Reply(0)]

    effects = effects_of(plan, leaving, lambda p: [Reply(0)], lambda p: [Reply(0)])
    assert any(isinstance(effect, Forfeited) for effect, _ in effects)
    frames = commented(plan, effects)
    (told,) = [frame for frame in frames if frame.kind is FrameKind.FORFEIT]
    assert (told.bot, told.note) == (0, "CRASH")
    assert not any(b"bank" in as_bytes(frame) for frame in frames)
