"""What a bot can use besides: standing orders, notes, chance of its own."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from arena_sdk import (
    HAZARDS,
    SAFETY_FOR,
    Card,
    Stage,
    WindowMode,
)
from arena_sdk._player import Player
from arena_sdk.testing import prompts
from tests.sdk.bots import Chooses, Diary, welcome

# -- standing orders --------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [mode for mode in WindowMode if mode is not WindowMode.STANDING])
def test_orders_are_asked_for_only_where_they_are_given(mode: WindowMode) -> None:
    diary = Diary(orders=lambda prompt: HAZARDS)
    player = Player(diary)
    prompt = next(prompts(Stage.PLAY))
    assert player.orders(prompt) == ()
    player.welcome(welcome(mode))
    assert player.orders(prompt) == ()
    player.welcome(welcome(WindowMode.STANDING))
    assert player.orders(prompt) == HAZARDS
    assert diary.hooks.count("standing_orders") == 1


def test_by_default_what_can_be_answered_is_ordered() -> None:
    player = Player(Chooses())
    player.welcome(welcome(WindowMode.STANDING))
    held = 0
    for prompt in prompts(Stage.PLAY):
        hand = prompt.view.cards
        orders = player.orders(prompt)
        assert list(orders) == [one for one in HAZARDS if SAFETY_FOR[one] in hand]
        held += bool(orders)
    assert held


@pytest.mark.parametrize(
    ("orders", "words"),
    [
        ([Card.RIGHT_OF_WAY], "standing_orders returned RIGHT_OF_WAY, which is no hazard"),
        (None, "TypeError"),
        ([99], "99 is not a valid Card"),
    ],
)
def test_orders_that_are_none_give_no_order(
    orders: Any, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    player = Player(Diary(orders=lambda prompt: orders))
    player.welcome(welcome(WindowMode.STANDING))
    assert player.orders(next(prompts(Stage.PLAY))) == ()
    assert words in capsys.readouterr().err


# -- notes ------------------------------------------------------------------------------------


def test_notes_are_as_many_and_as_long_as_the_budget_says() -> None:
    bot = Chooses()
    player = Player(bot)
    bot.note("before anybody has said how many")
    player.welcome(welcome(messages_per_prompt=3, note_bytes=5))
    for text in ("one\ntwo", "ééé", "too many"):
        bot.note(text)
    assert player.notes.take() == ["one t", "éé"]
    assert player.notes.dropped == 2
    bot.note(4)
    bot.note("\ud800")
    assert player.notes.take() == ["4", "?"]
    assert player.notes.take() == []


@pytest.mark.parametrize("messages", [0, 1])
def test_where_only_answers_are_taken_nothing_is_noted(messages: int) -> None:
    bot = Chooses()
    player = Player(bot)
    player.welcome(welcome(messages_per_prompt=messages))
    bot.note("hello")
    assert player.notes.take() == []
    assert player.notes.dropped == 1


def test_notes_that_no_answer_took_along_end_in_the_log(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bot = Chooses()
    bot.note("before it plays")
    assert capsys.readouterr().err == "before it plays\n"
    player = Player(bot)
    player.welcome(welcome())
    bot.note("we have lost")
    player.report()
    assert capsys.readouterr().err == "we have lost\n"


def test_an_author_s_own_names_are_left_alone() -> None:
    class Own(Chooses):
        def __init__(self) -> None:
            super().__init__()
            self._notes = ["mine"]
            self.saw = ()  # type: ignore[assignment, method-assign]

    bot = Own()
    prompt = next(one for one in prompts(Stage.PLAY) if one.view.events)
    assert Player(bot).answer(prompt) is prompt.default
    assert bot._notes == ["mine"]


# -- chance -----------------------------------------------------------------------------------


def test_chance_comes_from_the_seed_of_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_BOT_SEED", "12")
    first, again = Chooses().rng.random(), Chooses().rng.random()
    assert first == again == Random("12").random()
    bot = Chooses()
    Player(bot, seed="13")
    assert bot.rng.random() == Random("13").random()
    assert bot.rng is bot.rng
    monkeypatch.delenv("ARENA_BOT_SEED")
    assert Chooses().rng.random() == Chooses().rng.random() != first


def test_a_bot_s_own_chance_is_left_alone() -> None:
    class Own(Chooses):
        def __init__(self) -> None:
            super().__init__()
            self.rng = Random(99)

    bot = Own()
    Player(bot, seed="13")
    assert bot.rng.random() == Random(99).random()
