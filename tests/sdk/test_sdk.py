"""What a bot author gets: the names, and how a bot's answers and failures reach the referee."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

import arena_sdk
from arena.engine.actions import parse_action
from arena.referee import events
from arena.referee.scripted import ScriptedSeat
from arena.transport.convert import response_bytes
from arena_sdk import Action, Bot, Prompt, Stage, run
from arena_sdk._convert import action_message
from arena_sdk._run import _answer
from millearena.v1 import match_service_pb2 as pb
from tests.referee.plans import at_random, hostile, make_plan, patient, simulate


def test_the_public_surface_is_deliberate() -> None:
    visible = {
        name
        for name, value in vars(arena_sdk).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    }
    assert visible == set(arena_sdk.__all__)
    assert (
        list(arena_sdk.__all__)
        == sorted(arena_sdk.__all__)
        == [
            "Action",
            "Bot",
            "Card",
            "Prompt",
            "Stage",
            "TableView",
            "Verb",
            "View",
            "run",
        ]
    )


def test_a_bot_starts_without_what_only_the_command_line_needs() -> None:
    code = "import sys, arena_sdk; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {
        "typer",
        "rich",
        "click",
        "arena.cli",
        "arena.referee",
        "importlib.metadata",
    }


def test_without_an_address_a_bot_says_how_it_is_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ARENA_ADDRESS", raising=False)
    with pytest.raises(SystemExit, match="ARENA_ADDRESS is not set; start the bot with `arena"):
        run(Chooses(lambda prompt: prompt.default))


def test_a_bot_must_choose() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Bot()  # type: ignore[abstract]


class Chooses(Bot):
    def __init__(self, choose: object) -> None:
        self._choose = choose
        self.asked: list[Prompt] = []

    def choose(self, prompt: Prompt) -> Action:
        self.asked.append(prompt)
        return self._choose(prompt)  # type: ignore[operator, no-any-return]


def sent(seat: ScriptedSeat) -> list[pb.Prompt]:
    return [
        pb.PlayResponse.FromString(response_bytes(message)).prompt
        for message in seat.told
        if isinstance(message, events.Prompt)
    ]


@pytest.fixture(scope="module")
def prompts() -> list[pb.Prompt]:
    seat = ScriptedSeat(patient)
    simulate(make_plan(games=2, hands=20), seat, hostile)
    return sent(seat)


def test_a_choice_is_answered_by_its_place_in_the_list(prompts: list[pb.Prompt]) -> None:
    bot = Chooses(lambda prompt: prompt.legal[-1])
    for prompt in prompts:
        answer = _answer(bot, prompt).answer
        assert answer.prompt_id == prompt.prompt_id
        assert answer.legal_index == len(prompt.legal_actions) - 1


def test_a_response_without_the_safety_is_passed_without_asking_the_bot(
    prompts: list[pb.Prompt],
) -> None:
    bot = Chooses(lambda prompt: prompt.legal[-1])
    for prompt in prompts:
        _answer(bot, prompt)
    asked = [prompt for prompt in bot.asked if prompt.kind is Stage.RESPOND]
    assert asked
    assert all(len(prompt.legal) == 2 for prompt in asked)
    assert len(asked) < sum(prompt.kind == Stage.RESPOND + 1 for prompt in prompts)


def test_an_illegal_choice_goes_out_as_it_is_for_the_referee_to_refuse(
    prompts: list[pb.Prompt],
) -> None:
    illegal = parse_action("extend")
    answer = _answer(Chooses(lambda _: illegal), prompts[0]).answer
    assert answer.WhichOneof("choice") == "action"
    assert answer.action == action_message(illegal)


@pytest.mark.parametrize(
    ("choose", "words"),
    [
        (lambda prompt: 1 / 0, "ZeroDivisionError"),
        (lambda prompt: None, "choose returned None, which is no Action"),
        (lambda prompt: "pass", "choose returned 'pass', which is no Action"),
    ],
)
def test_a_bot_that_fails_answers_with_the_default_and_says_so_in_its_log(
    choose: object, words: str, prompts: list[pb.Prompt], capsys: pytest.CaptureFixture[str]
) -> None:
    answer = _answer(Chooses(choose), prompts[0]).answer
    assert answer.legal_index == prompts[0].default_index
    told = capsys.readouterr()
    assert "Traceback" in told.err
    assert words in told.err
    assert told.out == ""


def test_prompts_tell_stage_choice_and_time() -> None:
    seat = ScriptedSeat(at_random(1))
    simulate(make_plan("express"), seat, at_random(2))
    bot = Chooses(lambda prompt: prompt.default)
    for message in sent(seat):
        _answer(bot, message)
    assert {prompt.kind for prompt in bot.asked} >= {Stage.DRAW, Stage.PLAY}
    assert {prompt.time_limit for prompt in bot.asked if prompt.kind is Stage.PLAY} == {0.1}
    assert bot.asked[0].bank_left == 1.0
    assert all(prompt.has_choice for prompt in bot.asked)
