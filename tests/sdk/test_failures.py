"""What a bot raises: it goes on, its log says so; in strict play it ends."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from arena_sdk import (
    Action,
    Card,
    Event,
    HandResult,
    MatchResult,
    Prompt,
    Rejection,
    Stage,
    Welcome,
    WindowMode,
)
from arena_sdk._failures import StrictFailure, StrictFailures
from arena_sdk._player import Player
from arena_sdk.testing import prompts
from tests.sdk.bots import HAND_OVER, MATCH_OVER, REJECTION, Chooses, welcome


@pytest.mark.parametrize(
    ("choose", "words"),
    [
        (lambda prompt: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda prompt: None, "TypeError: choose returned None, which is no Action"),
        (lambda prompt: "pass", "TypeError: choose returned 'pass', which is no Action"),
        (lambda prompt: prompt.legal.nothing, "AttributeError: 'tuple' object has no attribute"),
    ],
)
def test_a_bot_that_fails_plays_the_default_and_says_so_in_its_log(
    choose: Callable[[Prompt], object], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    prompt = next(prompts(Stage.PLAY))
    assert Player(Chooses(choose)).answer(prompt) is prompt.default
    told = capsys.readouterr()
    assert told.err.startswith("Traceback")
    assert words in told.err
    assert told.out == ""


def test_the_traceback_begins_in_the_bot(capsys: pytest.CaptureFixture[str]) -> None:
    class Fails(Chooses):
        def choose(self, prompt: Prompt) -> Action:
            raise OSError

    Player(Fails()).answer(next(prompts(Stage.PLAY)))
    steps = re.findall(r'File "([^"]+)"', capsys.readouterr().err)
    assert steps == [__file__]


class Broken(Chooses):
    """Raises in every hook."""

    def game_started(self, welcome: Welcome) -> None:
        raise OSError("game_started")

    def hand_started(self, game: int, hand: int) -> None:
        raise OSError("hand_started")

    def saw(self, events: tuple[Event, ...]) -> None:
        raise OSError("saw")

    def rejected(self, rejection: Rejection) -> None:
        raise OSError("rejected")

    def hand_over(self, result: HandResult) -> None:
        raise OSError("hand_over")

    def match_over(self, result: MatchResult) -> None:
        raise OSError("match_over")


HOOKS: dict[str, Callable[[Player, Prompt], object]] = {
    "game_started": lambda player, prompt: player.welcome(welcome()),
    "hand_started": lambda player, prompt: player.answer(prompt),
    "saw": lambda player, prompt: player.answer(prompt),
    "rejected": lambda player, prompt: player.rejected(REJECTION),
    "hand_over": lambda player, prompt: player.hand_over(HAND_OVER),
    "match_over": lambda player, prompt: player.match_over(MATCH_OVER),
}


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_that_raises_ends_nothing(hook: str, capsys: pytest.CaptureFixture[str]) -> None:
    prompt = next(prompts(Stage.PLAY))
    bot = Broken(lambda prompt: prompt.legal[0])
    player = Player(bot)
    HOOKS[hook](player, prompt)
    assert f"OSError: {hook}\n" in capsys.readouterr().err
    assert player.answer(prompt) is prompt.legal[0]
    player.report()
    assert f"{hook} raised " in capsys.readouterr().err.splitlines()[-1]


def test_how_often_a_bot_failed_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    def choose(prompt: Prompt) -> Action:
        raise ValueError("oops\nand more " * 100)

    player = Player(Chooses(choose))
    player.report()
    assert capsys.readouterr().err == ""
    asked = list(prompts(Stage.PLAY))
    player.answer(asked[0])
    capsys.readouterr()
    player.report()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("arena_sdk: choose raised 1 time (last: ValueError: oops and more oops")
    assert line.endswith("...); default actions were played")
    assert len(line) < 300
    for prompt in asked[1:10]:
        player.answer(prompt)
    player.report()
    assert "choose raised 10 times (last: " in capsys.readouterr().err


def test_the_last_line_has_all_that_went_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    attack = next(prompts(Stage.RESPOND, hands=50))

    class Both(Broken):
        def respond(self, prompt: Prompt) -> Action:
            raise KeyError(1)

    player = Player(Both(lambda prompt: prompt.default))
    player.answer(attack)
    player.notes.add("nobody has welcomed it")
    player.passed_over("prompt: KeyError: 25")
    capsys.readouterr()
    player.report()
    assert capsys.readouterr().err == (
        "arena_sdk: hand_started raised 1 time (last: OSError: hand_started); "
        "saw raised 1 time (last: OSError: saw); "
        "respond raised 1 time (last: KeyError: 1); default actions were played; "
        "1 note dropped, 0 fit an answer; "
        "1 message newer than this SDK passed over (last: prompt: KeyError: 25)\n"
    )


@pytest.mark.parametrize("hook", [*HOOKS, "choose", "standing_orders"])
def test_strict_play_ends_with_the_first_exception_after_its_traceback(
    hook: str, capsys: pytest.CaptureFixture[str]
) -> None:
    class Fails(Chooses):
        def choose(self, prompt: Prompt) -> Action:
            if hook == "choose":
                raise OSError("choose")
            return super().choose(prompt)

        def standing_orders(self, prompt: Prompt) -> tuple[Card, ...]:
            raise OSError("standing_orders")

    if hook in HOOKS:
        setattr(Fails, hook, getattr(Broken, hook))
    player = Player(Fails(), failures=StrictFailures())
    prompt = next(one for one in prompts(Stage.PLAY) if one.view.events)
    act = HOOKS.get(hook, Player.answer)
    if hook == "standing_orders":
        player.welcome(welcome(WindowMode.STANDING))
        act = Player.orders
    with pytest.raises(StrictFailure, match=f"^{hook} raised OSError: {hook}$"):
        act(player, prompt)
    assert f"OSError: {hook}\n" in capsys.readouterr().err


def test_an_exit_is_no_failure() -> None:
    def leave(prompt: Prompt) -> Action:
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        Player(Chooses(leave)).answer(next(prompts(Stage.PLAY)))
