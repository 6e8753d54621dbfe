"""What a bot that searches gets is the engine itself."""

from __future__ import annotations

from random import Random

import pytest

from arena.engine import rules, scoring
from arena.engine import view as views
from arena_sdk import simulate
from arena_sdk.testing import prompts


def test_it_is_the_engine() -> None:
    assert simulate.apply is rules.apply
    assert simulate.legal is rules.legal
    assert simulate.determinize is views.determinize
    assert simulate.hand_result is scoring.hand_result


@pytest.mark.parametrize(("preset", "players"), [("classic", 4), ("express", 3), ("plateau", 2)])
def test_a_world_is_played_on_and_the_original_stays(preset: str, players: int) -> None:
    rng = Random(1)
    for prompt in list(prompts(rules=preset, players=players, hands=2))[::9]:
        seen = prompt.view
        world = simulate.determinize(seen, rng)
        assert simulate.view(world, seen.seat, seen.first_event) == seen
        trial = simulate.copy(world)
        simulate.apply(trial, seen.seat, prompt.legal[-1])
        while not trial.over:
            seat = simulate.asked(trial)[0]
            simulate.apply(trial, seat, rng.choice(simulate.legal(trial, seat)))
        assert simulate.view(world, seen.seat, seen.first_event) == seen
        result = simulate.hand_result(trial)
        made = result.points or result.km
        leads = [simulate.lead(trial, team) for team in range(len(made))]
        for team, points in enumerate(made):
            others = max(points for other, points in enumerate(made) if other != team)
            assert leads[team] == points - others
        assert max(leads) >= 0


def test_there_is_no_lead_before_the_end() -> None:
    world = simulate.determinize(next(prompts(hands=1)).view, Random(1))
    with pytest.raises(ValueError, match="not over"):
        simulate.lead(world, 0)
