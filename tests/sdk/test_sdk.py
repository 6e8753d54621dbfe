"""What a bot author gets: the names, and how a bot's answers and failures reach the referee."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

import arena_sdk
from arena.engine.actions import parse_action
from arena.engine.cards import KM
from arena.engine.codes import EventKind
from arena.referee import events
from arena.referee.limits import STANDARD
from arena.referee.scripted import Reply, ScriptedSeat
from arena.transport.convert import response_bytes
from arena_sdk import Action, Bot, Card, Prompt, Stage, run
from arena_sdk._convert import action_message
from arena_sdk._player import Player
from arena_sdk._run import Inbox
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
    player = Player(Chooses(lambda prompt: prompt.legal[-1]))
    for prompt in prompts:
        answer = player.answer(prompt).answer
        assert answer.prompt_id == prompt.prompt_id
        assert answer.legal_index == len(prompt.legal_actions) - 1


def test_a_response_without_the_safety_is_passed_without_asking_the_bot(
    prompts: list[pb.Prompt],
) -> None:
    bot = Chooses(lambda prompt: prompt.legal[-1])
    player = Player(bot)
    for prompt in prompts:
        player.answer(prompt)
    asked = [prompt for prompt in bot.asked if prompt.kind is Stage.RESPOND]
    assert asked
    assert all(len(prompt.legal) == 2 for prompt in asked)
    assert len(asked) < sum(prompt.kind == Stage.RESPOND + 1 for prompt in prompts)


def test_an_illegal_choice_goes_out_as_it_is_for_the_referee_to_refuse(
    prompts: list[pb.Prompt],
) -> None:
    illegal = parse_action("extend")
    answer = Player(Chooses(lambda _: illegal)).answer(prompts[0]).answer
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
    answer = Player(Chooses(choose)).answer(prompts[0]).answer
    assert answer.legal_index == prompts[0].default_index
    told = capsys.readouterr()
    assert "Traceback" in told.err
    assert words in told.err
    assert told.out == ""


def test_prompts_tell_stage_choice_and_time() -> None:
    seat = ScriptedSeat(at_random(1))
    simulate(make_plan("express"), seat, at_random(2))
    bot = Chooses(lambda prompt: prompt.default)
    player = Player(bot)
    for message in sent(seat):
        player.answer(message)
    assert {prompt.kind for prompt in bot.asked} >= {Stage.DRAW, Stage.PLAY}
    assert {prompt.time_limit for prompt in bot.asked if prompt.kind is Stage.PLAY} == {0.1}
    assert bot.asked[0].bank_left == 1.0
    assert all(prompt.has_choice for prompt in bot.asked)


# -- what the bot has missed ------------------------------------------------------------------


class Listener:
    """A seat that the SDK plays at random; every `skips`-th prompt it leaves unanswered."""

    def __init__(self, seed: int, skips: int) -> None:
        rng = Random(seed)
        self.bot = Chooses(lambda prompt: rng.choice(prompt.legal))
        self.prompts = 0
        self._player = Player(self.bot)
        self._skips = skips

    def __call__(self, prompt: events.Prompt) -> list[Reply]:
        message = pb.PlayResponse.FromString(response_bytes(prompt)).prompt
        self.prompts += 1
        if self._skips and self.prompts % self._skips == 0:
            self._player.skip(message)
            return []
        return [Reply(self._player.answer(message).answer.legal_index)]


@pytest.mark.parametrize("skips", [0, 7])
@pytest.mark.parametrize(
    ("preset", "players"),
    [
        *[("classic", 2), ("classic", 3), ("classic", 4), ("classic", 6)],
        *[("express", 2), ("express", 4), ("plateau", 2), ("plateau", 4)],
    ],
)
def test_a_bot_is_shown_every_event_of_a_hand_once(preset: str, players: int, skips: int) -> None:
    listeners = [Listener(seed, skips) for seed in range(players)]
    simulate(make_plan(preset, players, games=2, hands=5), *listeners)
    passed = 0
    for listener in listeners:
        shown = listener.bot.asked
        passed += listener.prompts - len(shown)
        for _, prompts in groupby(shown, lambda prompt: (prompt.game, prompt.hand)):
            expected = 0
            for prompt in prompts:
                view = prompt.view
                assert view.first_event == expected
                assert len(view.history) == view.event_count - view.first_event
                expected = view.event_count
    assert passed  # there were events to be missed


# -- failures are counted ---------------------------------------------------------------------


def test_how_often_a_bot_failed_is_said_in_one_line(
    prompts: list[pb.Prompt], capsys: pytest.CaptureFixture[str]
) -> None:
    def choose(prompt: Prompt) -> Action:
        raise ValueError("oops\nand more " * 100)

    player = Player(Chooses(choose))
    player.report()
    assert capsys.readouterr().err == ""
    player.answer(prompts[0])
    capsys.readouterr()
    player.report()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("arena_sdk: choose raised 1 time (last: ValueError: oops and more oops")
    assert line.endswith("...); default actions were played")
    assert len(line) < 300
    choices = sum(len(prompt.legal_actions) > 1 for prompt in prompts[1:10])
    for prompt in prompts[1:10]:
        player.answer(prompt)
    player.report()
    assert f"choose raised {choices + 1} times (last: " in capsys.readouterr().err


# -- what is worth an answer ------------------------------------------------------------------


def asks(name: str) -> pb.PlayResponse:
    return pb.PlayResponse(prompt=pb.Prompt(prompt_id=name))


def rejects(name: str) -> pb.PlayResponse:
    return pb.PlayResponse(rejection=pb.Rejection(prompt_id=name))


HAND_OVER = pb.PlayResponse(hand_over=pb.HandOver())


class Stream:
    """A stream with messages in it; after them it waits, or `ends`, perhaps with an exception."""

    def __init__(self, *messages: pb.PlayResponse, ends: object = None) -> None:
        self._messages: list[object] = [*messages]
        self._ends = ends

    async def read(self) -> object:
        await asyncio.sleep(0)
        if self._messages:
            return self._messages.pop(0)
        if isinstance(self._ends, Exception):
            raise self._ends
        if self._ends is None:
            await asyncio.get_running_loop().create_future()
        return self._ends


@pytest.mark.parametrize(
    ("messages", "open_prompts"),
    [
        ([asks("a")], "a"),
        ([asks("a"), rejects("a")], ""),
        ([asks("a"), rejects("x")], "a"),
        ([asks("a"), rejects("a"), asks("b")], "b"),
        ([asks("a"), asks("b"), rejects("b"), asks("c")], "c"),
        ([asks("a"), HAND_OVER], ""),
        ([asks("a"), pb.PlayResponse()], "a"),  # something newer than this SDK
    ],
)
def test_of_what_was_read_ahead_only_the_open_prompt_is_answered(
    messages: list[pb.PlayResponse], open_prompts: str
) -> None:
    async def main() -> None:
        inbox = Inbox(Stream(*messages, ends="end").read)
        await inbox.read_ahead()
        found = ""
        while (prompt := await inbox.next_prompt()) is not None:
            found += "" if inbox.closes(prompt) else prompt.prompt_id
        assert found == open_prompts
        await inbox.close()

    asyncio.run(main())


def test_a_quiet_stream_is_not_waited_for() -> None:
    async def main() -> None:
        inbox = Inbox(Stream(asks("a"), asks("b")).read)
        await inbox.read_ahead()
        assert not inbox.is_over
        for closed in (True, False):
            prompt = await inbox.next_prompt()
            assert prompt is not None
            assert inbox.closes(prompt) is closed
        await inbox.close()
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())


@pytest.mark.parametrize(
    "stream",
    [
        Stream(asks("a"), pb.PlayResponse(match_over=pb.MatchOver())),
        Stream(asks("a"), ends="end"),
        Stream(asks("a"), ends=ConnectionError()),
    ],
)
def test_the_end_is_seen_from_afar(stream: Stream) -> None:
    async def main() -> None:
        inbox = Inbox(stream.read)
        seen = [inbox.is_over]
        await inbox.read_ahead()
        assert [*seen, inbox.is_over] == [False, True]
        await inbox.close()

    asyncio.run(main())


@pytest.mark.parametrize("is_read_ahead", [False, True])
def test_what_broke_the_stream_is_told_after_what_came_before(is_read_ahead: bool) -> None:
    async def main() -> None:
        inbox = Inbox(Stream(asks("a"), ends=ConnectionError()).read)
        if is_read_ahead:
            await inbox.read_ahead()
        first = await inbox.next_prompt()
        assert first is not None
        assert not inbox.closes(first)
        with pytest.raises(ConnectionError):
            await inbox.next_prompt()
        await inbox.close()

    asyncio.run(main())


# -- the guide --------------------------------------------------------------------------------


def expressions() -> list[str]:
    """What the first column of the guide's table of prompts and views shows."""
    guide = (Path(__file__).parents[2] / "sdk" / "README.md").read_text()
    _, _, rest = guide.partition("| expression |")
    table, _, _ = rest.partition("\n\n")
    columns = [row.split("|")[1] for row in table.splitlines()[2:]]
    return [found for column in columns for found in re.findall("`([^`]+)`", column)]


@pytest.mark.parametrize("expression", expressions())
def test_what_the_guide_shows_of_a_prompt_can_be_written(
    expression: str, prompts: list[pb.Prompt]
) -> None:
    bot = Chooses(lambda prompt: prompt.legal[0])
    player = Player(bot)
    for message in prompts[:50]:
        player.answer(message)
    for prompt in bot.asked:
        view = prompt.view
        names = {"prompt": prompt, "view": view, "table": view.table, "card": Card.D100}
        known = {"Card": Card, "Stage": Stage, "KM": KM, "EventKind": EventKind}
        assert eval(expression, names | known) is not NotImplemented


def test_the_guide_names_the_default_limits_and_stays_one_page() -> None:
    guide = (Path(__file__).parents[2] / "sdk" / "README.md").read_text()
    words = " ".join(guide.split())
    for name, least in [("start_up", "join: {} s"), ("turn", "{} s free"), ("bank", "{} s in a")]:
        assert least.format(getattr(STANDARD, name) // 10**9) in words
    assert f"{STANDARD.response_window / 1e9} s (`--response-window`)" in words
    assert len(guide.splitlines()) <= 140
