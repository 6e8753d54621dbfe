"""When a bot is asked and told what, on the SDK's own values."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, repeat
from random import Random
from typing import Any

import pytest

from arena.engine.actions import PASS, parse_action
from arena_sdk import (
    Action,
    Bot,
    Event,
    EventKind,
    Prompt,
    Stage,
    testing,
)
from arena_sdk._player import Player
from arena_sdk.testing import play_game, prompts
from tests.sdk.bots import HAND_OVER, MATCH_OVER, Chooses, Diary, welcome

TABLES = [
    *[("classic", 2), ("classic", 3), ("classic", 4), ("classic", 6)],
    *[("express", 2), ("express", 4), ("plateau", 2), ("plateau", 4)],
]


def at_random(seed: int) -> Callable[[Prompt], Action]:
    """Mostly plays, so that something happens."""
    rng = Random(seed)
    return lambda prompt: rng.choice(prompt.plays or prompt.attacks or prompt.legal)


# -- the order of things ----------------------------------------------------------------------


def test_hooks_come_in_the_order_of_the_game() -> None:
    diary = Diary(at_random(1))
    results = play_game([diary, Diary(at_random(2))], hands=3)
    assert diary.hooks[0] == "game_started"
    assert diary.hooks[-1] == "match_over"
    assert diary.told("hand_started") == [(0, 0), (0, 1), (0, 2)]
    begins = [at for at, hook in enumerate(diary.hooks) if hook == "hand_started"]
    ends = [at for at, hook in enumerate(diary.hooks) if hook == "hand_over"]
    assert begins == [1, ends[0] + 1, ends[1] + 1]
    assert ends[2] == len(diary.hooks) - 2
    assert len(results) == 3


@pytest.mark.parametrize("skips", [0, 7])
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_event_of_a_hand_is_shown_once(
    preset: str, players: int, skips: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The questions that the SDK answers itself, or finds closed, bring events as well."""
    skipped = []

    class Skipping(Player):
        asked = 0

        def answer(self, prompt: Prompt) -> Action:
            self.asked += 1
            if skips and self.asked % skips == 0:
                skipped.append(prompt)
                self.skip(prompt)
                return prompt.default
            return super().answer(prompt)

    monkeypatch.setattr(testing, "Player", Skipping)
    diaries = [Diary(at_random(seed)) for seed in range(players)]
    results = play_game(diaries, rules=preset, hands=4)
    assert bool(skipped) is bool(skips)
    for seat, diary in enumerate(diaries):
        hands = in_hands(diary)
        assert len(hands) == len(results)
        for lines, result in zip(hands, results, strict=True):
            seen = [event for hook, *told in lines if hook == "saw" for event in told[0]]
            assert len(seen) == len(result.events)
            assert all(map(agrees, seen, result.events, repeat(seat)))
            assert all(event.card is not None for event in seen if is_own_draw(event, seat))
            for before, line in pairwise(lines):
                if line[0] in ("choose", "respond") and line[1].view.events:
                    assert before == ("saw", line[1].view.history)


def in_hands(diary: Diary) -> list[list[tuple[Any, ...]]]:
    """What a bot was told, hand by hand, from the second hook of each on."""
    hands: list[list[tuple[Any, ...]]] = []
    for line in diary.lines:
        if line[0] == "hand_started":
            hands.append([])
        elif hands:
            hands[-1].append(line)
    return hands


def is_own_draw(event: Event, seat: int) -> bool:
    return event.kind is EventKind.DRAWN and event.seat == seat


def agrees(event: Event, public: Event, seat: int) -> bool:
    """Whether a seat has seen an event as it is: everybody's, and the card too if it is its own."""
    if event.seat != seat or event.card is None:
        return event == public
    return event._replace(card=None) == public._replace(card=None) and public.card in (
        None,
        event.card,
    )


def test_a_hand_in_which_nothing_was_asked_is_told_of_all_the_same() -> None:
    diary = Diary()
    player = Player(diary)
    player.hand_over(HAND_OVER)
    assert diary.hooks == ["hand_started", "hand_over"]


def test_events_of_a_hand_that_breaks_off_are_not_lost() -> None:
    prompt = next(prompt for prompt in prompts() if prompt.view.events)
    endings: list[Callable[[Player], object]] = [
        lambda player: player.match_over(MATCH_OVER),
        lambda player: player.welcome(welcome()),
        lambda player: player.answer(prompt._replace(hand=prompt.hand + 1)),
    ]
    for ending in endings:
        diary = Diary()
        player = Player(diary)
        player.skip(prompt)
        assert diary.lines == []
        ending(player)
        assert diary.lines[:2] == [
            ("hand_started", prompt.game, prompt.hand),
            ("saw", prompt.view.history),
        ]
        assert "saw" not in diary.hooks[2:3]


# -- questions --------------------------------------------------------------------------------


def test_a_response_without_the_safety_is_passed_without_asking_the_bot() -> None:
    bots = [Chooses(at_random(seed)) for seed in range(2)]
    answered: list[tuple[Prompt, Action]] = []

    class Listening(Player):
        def answer(self, prompt: Prompt) -> Action:
            answered.append((prompt, super().answer(prompt)))
            return answered[-1][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(testing, "Player", Listening)
        play_game(bots, hands=30)
    passes = [(one, action) for one, action in answered if one.legal == (PASS,)]
    assert passes
    assert all(action is PASS for _, action in passes)
    asked = [prompt for bot in bots for prompt in bot.asked]
    assert len(asked) == len(answered) - len(passes)
    assert {len(one.legal) for one in asked if one.kind is Stage.RESPOND} == {2}


def test_an_attack_is_answered_by_respond_which_asks_choose() -> None:
    attack = next(prompts(Stage.RESPOND, hands=50))
    turn = next(prompts(Stage.PLAY))
    diary = Diary()
    for bot, hook in ((diary, "respond"), (Chooses(), "")):
        player = Player(bot)
        assert player.answer(attack) is attack.default
        assert player.answer(turn) is turn.default
        if hook:
            assert [one for one in diary.hooks if one in ("choose", "respond")] == [
                "respond",
                "choose",
            ]
        else:
            assert isinstance(bot, Chooses)
            assert [prompt.kind for prompt in bot.asked] == [Stage.RESPOND, Stage.PLAY]


def test_an_illegal_choice_goes_out_as_it_is_for_the_referee_to_refuse() -> None:
    prompt = next(prompts(Stage.PLAY))
    extend = parse_action("extend")
    assert extend not in prompt.legal
    assert Player(Chooses(lambda _: extend)).answer(prompt) is extend


def test_a_bot_must_choose() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Bot()  # type: ignore[abstract]
