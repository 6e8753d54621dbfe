"""Each example bot plays by every rule set, always legally, and again the same way."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from arena.engine.rulesets import OPTIONS, Family, Value, make_ruleset
from arena.errors import RuleSetError
from arena_sdk import Action, Bot, Prompt
from arena_sdk.testing import play_game, play_hand
from tests.example_bots.bots import EXAMPLES, make_bot

NEW = ("racer", "saboteur", "keeper", "searcher")
SEATS = [
    *(("classic", seats) for seats in (2, 3, 4, 6)),
    *((family, seats) for family in ("express", "plateau") for seats in (2, 3, 4)),
]
COMPANY = ("cautious", "random", "saboteur", "racer", "keeper")

VALUES: dict[str, tuple[Value, ...]] = {
    "target": (700,),
    "max_200": (0, 1, None),
    "discard_visible": (True, False),
    "safety_km": (0, 25, 100),
    "coup_fourre_km": (0, 300),
    "express_stall_rounds": (0, 2),
}
"""Values to try of options that are more than a choice between words."""


def options_to_try(family: Family) -> list[dict[str, Value]]:
    """Every option of a family away from its default, one at a time, and the extension."""
    found: list[dict[str, Value]] = []
    for name, option in OPTIONS.items():
        words = ("reshuffle", "discard", "play_out", "empty_at_turn_start", "any", "dujardin")
        for value in VALUES.get(name, (True, False, *words)):
            try:
                make_ruleset(family, {name: value})
            except RuleSetError:
                continue
            if family in option.defaults and value != option.defaults[family]:
                found.append({name: value})
    if family is Family.CLASSIC:
        found.append({"target": 700, "extension": True})
    return found


def table(name: str, seats: int) -> list[Bot]:
    """The bot at seat 0, and mixed company."""
    return [make_bot(name), *(make_bot(COMPANY[at % len(COMPANY)]) for at in range(seats - 1))]


@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize(("family", "seats"), SEATS)
def test_hands_in_mixed_company_are_legal(name: str, family: str, seats: int) -> None:
    for seed in range(1 if name == "searcher" else 4):
        play_hand(table(name, seats), rules=make_ruleset(family, players=seats), seed=seed)


@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("family", Family)
def test_every_option(name: str, family: Family) -> None:
    tried = options_to_try(family)
    assert tried
    for options in tried:
        for seed in range(1 if name == "searcher" else 3):
            play_hand(table(name, 2), rules=make_ruleset(family, options), seed=seed)


class Writes(Bot):
    """Another bot, whose answers are written down."""

    def __init__(self, bot: Bot, answers: list[str]) -> None:
        self.bot = bot
        self.answers = answers

    def choose(self, prompt: Prompt) -> Action:
        self.bot.rng = self.rng
        action = self.bot.choose(prompt)
        self.answers.append(action.text)
        return action


def answers_of(make: Callable[[], Bot], seed: int) -> list[str]:
    answers: list[str] = []
    play_game([Writes(make(), answers), make_bot("cautious")], seed=seed, hands=1)
    return answers


@pytest.mark.parametrize("name", NEW)
def test_the_same_seed_gives_the_same_hand(name: str) -> None:
    first = answers_of(lambda: make_bot(name, worlds=10), 5)
    assert len(first) > 10
    assert first == answers_of(lambda: make_bot(name, worlds=10), 5)


KEEPER_ALONE = """
import sys
from arena_sdk.testing import play_game
sys.path.insert(0, sys.argv[1])
from keeper_bot import KeeperBot
for family in ("classic", "express", "plateau"):
    for result in play_game([KeeperBot(), KeeperBot()], rules=family, seed=3, hands=3):
        print(result.events)
"""


def test_keeper_does_not_depend_on_hashes() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", KEEPER_ALONE, str(EXAMPLES / "keeper")],
            env={"PYTHONHASHSEED": hash_seed, "ARENA_BOT_SEED": hash_seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for hash_seed in ("0", "1", "77")
    }
    assert len(outputs) == 1
    assert outputs.pop().count("PLAYED") > 100
