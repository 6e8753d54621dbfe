"""The helpers for an author's own tests: true to the game, strict with the bot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from arena.engine.actions import parse_action
from arena.engine.rulesets import make_ruleset
from arena.errors import IllegalAction, RuleSetError
from arena.referee.limits import STANDARD, FaultBudget
from arena_sdk import (
    HAZARDS,
    Action,
    Bot,
    EventKind,
    HandResult,
    MatchResult,
    Outcome,
    Prompt,
    RuleSet,
    Stage,
    TimeControl,
    Welcome,
    WindowMode,
    _values,
)
from arena_sdk.testing import play_game, play_hand, prompts
from tests.sdk.bots import Chooses, Diary


def brisk(prompt: Prompt) -> Action:
    """Gets somewhere."""
    drive = prompt.drives[-1:] + prompt.remedies + prompt.attacks
    return prompt.coup_fourre or (drive[0] if drive else prompt.default)


class Random(Bot):
    def choose(self, prompt: Prompt) -> Action:
        return self.rng.choice(prompt.legal)


# -- hands and games --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "players", "teams"),
    [
        *[("classic", 2, 2), ("classic", 3, 3), ("classic", 4, 2), ("classic", 6, 3)],
        *[("leaflet", 2, 2), ("express", 4, 4), ("plateau", 3, 3)],
    ],
)
def test_a_hand_is_played_by_the_rules_asked_for(rules: str, players: int, teams: int) -> None:
    diaries = [Diary(brisk) for _ in range(players)]
    result = play_hand(diaries, rules=rules, seed=3)
    assert len(result.km) == len(result.scores) == teams
    assert bool(result.points) == (rules in ("classic", "leaflet"))
    assert len(result.events) > 20
    for seat, diary in enumerate(diaries):
        ((welcome,),) = diary.told("game_started")
        assert isinstance(welcome, Welcome)
        assert (welcome.seat, welcome.rules.preset) == (seat, rules)
        assert welcome.team == welcome.seating.team_of[seat]
        ((told,),) = diary.told("hand_over")
        assert isinstance(told, HandResult)
        assert told.km == result.km
        assert len(told.events) < len(result.events)


def test_the_same_seed_is_the_same_game() -> None:
    def play(seed: object) -> list[HandResult]:
        return list(play_game([Random(), Random()], seed=seed, hands=2))

    assert play(7) == play("7") != play(8)
    first, second = play(7)
    assert first.events != second.events


def test_a_game_goes_to_its_points() -> None:
    diaries = [Diary(brisk), Diary(brisk)]
    results = play_game(diaries)
    assert [result.game_over for result in results] == [False] * (len(results) - 1) + [True]
    last = results[-1]
    assert max(last.scores) >= 5000
    winner = last.scores.index(max(last.scores))
    assert last.game_winner == winner
    assert [result.hand for result in results] == list(range(len(results)))
    for seat, diary in enumerate(diaries):
        assert diary.told("match_over") == [
            (MatchResult(games=1, won=int(seat == winner), drawn=0, outcome=Outcome.COMPLETED),)
        ]
    assert MatchResult(games=9, won=4, drawn=2, outcome=Outcome.COMPLETED).lost == 3


def test_points_add_up() -> None:
    results = play_game([Diary(brisk), Diary(brisk)], hands=4)
    totals = [0, 0]
    for result in results:
        totals = [total + made for total, made in zip(totals, result.points, strict=True)]
        assert result.scores == tuple(totals)
        assert [sum(sheet.values()) for sheet in result.sheets] == list(result.points)


def test_standing_orders_answer_where_nobody_is_asked() -> None:
    def coups(orders: Callable[[Prompt], tuple[object, ...]]) -> int:
        diaries = [Diary(brisk, orders=orders) for _ in range(2)]  # type: ignore[arg-type]
        results = play_game(diaries, hands=30, window_mode=WindowMode.STANDING)
        assert all("respond" not in diary.hooks for diary in diaries)
        events = [event for result in results for event in result.events]
        return sum(event.kind is EventKind.COUP_FOURRE for event in events)

    assert coups(lambda prompt: HAZARDS) > 0
    assert coups(lambda prompt: ()) == 0


# -- strict -----------------------------------------------------------------------------------


def test_what_a_bot_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        play_hand([Chooses(lambda prompt: 1 / 0), Chooses()])

    class Listens(Chooses):
        def hand_over(self, result: HandResult) -> None:
            raise OSError("in a hook")

    with pytest.raises(OSError, match="in a hook"):
        play_hand([Chooses(), Listens()])


@pytest.mark.parametrize(
    ("choice", "error", "words"),
    [
        (parse_action("extend"), IllegalAction, "seat 0 may not extend now; legal: "),
        ("pass", TypeError, "choose returned 'pass', which is no Action"),
    ],
)
def test_what_is_not_legal_is_refused(choice: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        play_hand([Chooses(lambda prompt: choice), Chooses()])


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(RuleSetError, match="5 players"):
        play_hand([Chooses()] * 5)
    with pytest.raises(RuleSetError, match="klassik"):
        play_hand([Chooses()] * 2, rules="klassik")


# -- prompts ----------------------------------------------------------------------------------


def test_prompts_of_every_kind_can_be_had() -> None:
    top = make_ruleset("express", {"top_choice": True})
    kinds: list[tuple[Stage, RuleSet | str]] = [
        (Stage.PLAY, "classic"),
        (Stage.RESPOND, "classic"),
        (Stage.EXTEND, "leaflet"),
        (Stage.DRAW, "express"),
        (Stage.TOP, top),
    ]
    for kind, rules in kinds:
        found = list(prompts(kind, rules=rules, hands=30))
        assert {prompt.kind for prompt in found} == {kind}
        assert all(prompt.has_choice and prompt.default in prompt.legal for prompt in found)
        assert {prompt.view.seat for prompt in found} == {0, 1}
        assert len({prompt.hand for prompt in found}) > 1


def test_prompts_come_from_real_hands() -> None:
    found = list(prompts(players=4, seed="x", hands=3))
    assert found == sorted(found, key=lambda prompt: prompt.hand)
    assert Counter(prompt.view.seat for prompt in found).keys() == {0, 1, 2, 3}
    again = list(prompts(players=4, seed="x", hands=3))
    assert [prompt.view for prompt in found] == [prompt.view for prompt in again]
    assert found[0].view != next(prompts(players=4, seed="y", hands=3)).view


def test_a_kind_that_never_comes_is_an_error() -> None:
    with pytest.raises(LookupError, match="no TOP or DRAW in 2 hands"):
        next(prompts(Stage.TOP, Stage.DRAW, hands=2))


# -- the limits -------------------------------------------------------------------------------


def test_the_limits_are_those_of_the_referee() -> None:
    for name in ("start_up", "turn", "bank", "response_window"):
        assert getattr(TimeControl(), name) == getattr(STANDARD, name) / 1e9
    ours = _values.FaultBudget()
    for name in ours.__dataclass_fields__:
        assert getattr(ours, name) == getattr(FaultBudget(), name)
    for prompt in prompts(Stage.PLAY, Stage.RESPOND, hands=30):
        responds = prompt.kind is Stage.RESPOND
        assert prompt.time_limit == (0.1 if responds else 1.0)
        assert prompt.bank_left == 30.0
