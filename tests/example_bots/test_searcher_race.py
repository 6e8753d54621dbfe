"""The searcher leaves its usual action only for one that is better by more than its doubt."""

from __future__ import annotations

from random import Random

import pytest

from arena_sdk import Stage
from arena_sdk.simulate import determinize
from arena_sdk.testing import prompts
from tests.example_bots.bots import Ticks, module_of

searcher = module_of("searcher")
STEP = 0.01  # what a look at the clock costs here
ENOUGH = searcher.ROUND


@pytest.mark.parametrize(
    ("these", "those", "errors"),
    [
        ([7] * ENOUGH, [7] * ENOUGH, 0.0),
        ([9] * (ENOUGH - 1), [0] * (ENOUGH - 1), 0.0),  # too few worlds to tell
        ([9] * ENOUGH, [4] * ENOUGH, 5e9),  # the same in every world: no doubt is left
        ([0, 4] * 8, [0] * 16, 2 / (4 * (4 / 15) ** 0.5 / 4)),
    ],
)
def test_gain_is_counted_in_standard_errors(
    these: list[int], those: list[int], errors: float
) -> None:
    assert searcher.gain(these, those) == pytest.approx(errors)
    assert searcher.gain(those, these) == pytest.approx(-errors)


@pytest.mark.parametrize(("gain", "leaves"), [(1, True), (0, False), (-1, False)])
def test_only_a_better_action_is_chosen_over_the_usual_one(
    monkeypatch: pytest.MonkeyPatch, gain: int, leaves: bool
) -> None:
    """In these worlds, everything but the usual action gains so many points."""
    bot = searcher.SearcherBot(seconds=(ENOUGH + 0.5) * STEP, clock=Ticks(STEP))
    looked = 0
    for prompt in prompts(Stage.PLAY, hands=1, seed=4):
        if len(prompt.legal) < 3:
            continue
        bot.rng = Random(looked)
        usual = searcher.by_rules(determinize(prompt.view, bot.rng), prompt.view.seat)
        monkeypatch.setattr(
            searcher, "play_out", lambda _, __, action, best=usual: gain * (action is not best)
        )
        assert (bot.choose(prompt) is not usual) == leaves
        looked += 1
    assert looked > 10


def test_without_time_for_worlds_the_rules_decide() -> None:
    bot = searcher.SearcherBot(seconds=0.0, clock=Ticks(STEP))
    looked = 0
    for prompt in prompts(Stage.PLAY, hands=2, seed=4):
        bot.rng = Random(looked)
        world = determinize(prompt.view, Random(looked + 1))  # other hidden cards, same answer
        assert bot.choose(prompt) is searcher.by_rules(world, prompt.view.seat)
        looked += 1
    assert looked > 20
