"""The searcher keeps to its time, by a clock that the test moves."""

from __future__ import annotations

import pytest

from arena_sdk import Stage
from arena_sdk.testing import prompts
from tests.example_bots.bots import Ticks, module_of

STEP = 0.01  # what a look at the clock costs here


@pytest.mark.parametrize(("seconds", "limit", "budget"), [(0.05, 1.0, 0.05), (9.0, 0.28, 0.07)])
def test_a_decision_takes_its_seconds_or_a_quarter_of_the_limit(
    seconds: float, limit: float, budget: float
) -> None:
    bot = module_of("searcher").SearcherBot(seconds=seconds, clock=Ticks(STEP))
    looked = 0
    for prompt in prompts(Stage.PLAY, hands=1, seed=4):
        if len(prompt.legal) == 1:
            continue
        before = bot.clock.now
        assert bot.choose(prompt._replace(time_limit=limit)) in prompt.legal
        assert bot.clock.now - before <= budget + 2 * STEP
        looked += 1
        if looked == 12:
            break
    assert looked == 12


def test_a_coup_fourre_needs_no_thinking() -> None:
    bot = module_of("searcher").SearcherBot(clock=Ticks(STEP))
    for prompt in prompts(Stage.RESPOND, hands=10):
        assert bot.choose(prompt) == prompt.coup_fourre or prompt.coup_fourre is None
    assert bot.clock.now == 0.0


def test_the_seconds_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = module_of("searcher")
    monkeypatch.delenv("ARENA_SEARCH_SECONDS", raising=False)
    assert searcher.SearcherBot().seconds == 0.2
    monkeypatch.setenv("ARENA_SEARCH_SECONDS", "0.05")
    assert searcher.SearcherBot().seconds == 0.05
    assert searcher.SearcherBot(seconds=1.5).seconds == 1.5
