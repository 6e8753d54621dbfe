"""The SDK on the wire: against a referee that says what a test tells it to say."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from arena.engine.actions import PASS
from arena.transport.convert_hand import event_message
from arena_sdk import (
    HAZARDS,
    Action,
    Bot,
    MatchResult,
    Outcome,
    Prompt,
    Rejection,
    Stage,
    Welcome,
)
from arena_sdk._player import Player
from arena_sdk._stream import NoReferee, _within, play
from arena_sdk.testing import prompts
from millearena.v1 import match_service_pb2 as pb
from millearena.v1 import views_pb2
from tests.sdk.bots import Chooses, Diary, wire_prompt
from tests.sdk.referee import Script, Table, referee
from tests.sdk.wire import LONG, OVER, TURNS, welcome


def talk(bot: Bot, script: Script, *, tcp: bool = False, token: str = "") -> Table:
    """Let a bot meet a referee; the talk ends when both have ended."""

    async def main() -> Table:
        async with asyncio.timeout(60), referee(script, tcp=tcp) as table:
            await play(Player(bot), table.address, token=token)
        return table

    return asyncio.run(main())


# -- a whole talk -----------------------------------------------------------------------------


@pytest.mark.parametrize("tcp", [False, True], ids=["socket", "port"])
def test_a_bot_joins_answers_and_leaves(tcp: bool) -> None:
    async def script(table: Table) -> None:
        await table.hear()
        await table.tell(welcome=welcome())
        for number, prompt in enumerate(TURNS[:20]):
            await table.tell(prompt=wire_prompt(prompt, f"id-{number}", LONG))
            answer = await table.answer()
            assert answer.prompt_id == f"id-{number}"
            assert answer.legal_index == len(prompt.legal) - 1
        await table.tell(match_over=OVER)

    bot = Chooses(lambda prompt: prompt.legal[-1])
    bot.name, bot.version = "hasty", "1.2"
    table = talk(bot, script, tcp=tcp)
    join = table.heard[0].join
    assert (join.protocol_version, join.bot_name, join.bot_version) == (1, "hasty", "1.2")
    assert join.sdk.split()[0] == "arena_sdk"
    assert len(join.sdk.split()) == 2
    assert len(bot.asked) == len(table.heard) - 1 == 20
    assert "arena-token" not in table.metadata


def test_what_has_no_name_is_called_by_its_class() -> None:
    async def script(table: Table) -> None:
        await table.hear()
        await table.tell(match_over=OVER)

    assert talk(Chooses(), script).heard[0].join.bot_name == "Chooses"


def test_everything_that_the_referee_says_reaches_a_hook() -> None:
    played = TURNS[0].default

    async def script(table: Table) -> None:
        await table.hear()
        await table.tell(welcome=welcome())
        await table.tell(prompt=wire_prompt(TURNS[0], "one", LONG))
        await table.answer()
        await table.tell(
            rejection=pb.Rejection(
                prompt_id="one",
                reason=pb.REJECTION_REASON_ILLEGAL,
                detail="not legal",
                strikes=1,
                played=wire_prompt(TURNS[0]).legal_actions[TURNS[0].legal.index(played)],
            )
        )
        events = map(event_message, TURNS[0].view.history)
        await table.tell(hand_over=pb.HandOver(end=views_pb2.HAND_END_BLOCKED, events=events))
        await table.tell(match_over=OVER)

    diary = Diary()
    talk(diary, script)
    assert diary.hooks == [
        *("game_started", "hand_started", "saw", "choose", "rejected", "saw", "hand_over"),
        "match_over",
    ]
    ((started,),) = diary.told("game_started")
    assert isinstance(started, Welcome)
    assert started.rules == TURNS[0].view.rules
    ((rejection,),) = diary.told("rejected")
    assert isinstance(rejection, Rejection)
    assert (rejection.played, rejection.strikes) == (played, 1)
    assert diary.told("saw") == [(TURNS[0].view.history,)] * 2
    assert diary.told("match_over") == [
        (MatchResult(games=1, won=1, drawn=0, outcome=Outcome.COMPLETED),)
    ]


def test_a_response_without_the_safety_is_passed() -> None:
    attack = next(prompts(Stage.RESPOND, hands=50))
    hopeless = attack._replace(
        legal=(PASS,), default=PASS, view=attack.view._replace(legal=(PASS,))
    )

    async def script(table: Table) -> None:
        await table.hear()
        await table.tell(welcome=welcome())
        await table.tell(prompt=wire_prompt(hopeless, "w", LONG))
        answer = await table.answer()
        assert (answer.prompt_id, answer.legal_index) == ("w", 0)
        await table.tell(match_over=OVER)

    bot = Chooses()
    bot.note("not now: how long a pass takes must tell nothing")
    table = talk(bot, script)
    assert bot.asked == []
    assert [one.WhichOneof("message") for one in table.heard] == ["join", "answer"]


def test_the_token_goes_with_the_call_and_nowhere_else(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def script(table: Table) -> None:
        await table.hear()
        await table.tell(welcome=welcome())
        await table.tell(prompt=wire_prompt(TURNS[0], "one", LONG))
        await table.answer()
        await table.tell(match_over=OVER)

    bot = Chooses(lambda prompt: 1 / 0)
    table = talk(bot, script, token="s3cret")
    assert table.metadata["arena-token"] == "s3cret"
    assert "s3cret" not in str(table.heard)
    told = capfd.readouterr()
    assert "ZeroDivisionError" in told.err
    assert "s3cret" not in told.err + told.out


# -- notes and orders -------------------------------------------------------------------------


class Talks(Bot):
    """Notes something whenever it can."""

    def game_started(self, welcome: Welcome) -> None:
        self.note("started, and this is too long to be kept")

    def choose(self, prompt: Prompt) -> Action:
        for number in range(5):
            self.note(number)
        return prompt.default

    def rejected(self, rejection: Rejection) -> None:
        self.note("rejected")


def test_notes_come_before_the_answer_and_within_the_budget(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def script(table: Table) -> None:
        await table.hear()
        await table.tell(welcome=welcome(messages=4))
        for number in range(2):
            await table.tell(prompt=wire_prompt(TURNS[number], "p", LONG))
            await table.answer()
            await table.tell(rejection=pb.Rejection(prompt_id="p"))
        await table.tell(match_over=OVER)

    table = talk(Talks(), script)
    heard = [one.WhichOneof("message") for one in table.heard]
    assert heard == ["join", *["note"] * 3, "answer", *["note"] * 3, "answer"]
    assert table.notes == ["started, and this is", "0", "1", "rejected", "0", "1"]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (pb.WINDOW_MODE_STANDING, [card + 1 for card in HAZARDS]),
        (pb.WINDOW_MODE_SEALED, []),
    ],
)
def test_orders_go_with_every_answer_where_they_stand(
    mode: pb.WindowMode, expected: list[int]
) -> None:
    async def script(table: Table) -> None:
        await table.hear()
        await table.tell(welcome=welcome(mode))
        for prompt in TURNS[:3]:
            await table.tell(prompt=wire_prompt(prompt, "p", LONG))
            assert list((await table.answer()).coup_fourre_on) == expected
        await table.tell(match_over=OVER)

    diary = Diary(orders=lambda prompt: HAZARDS)
    talk(diary, script)
    assert diary.hooks.count("choose") == 3


# -- newer referees ---------------------------------------------------------------------------


def test_what_is_newer_is_passed_over_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    newer = wire_prompt(TURNS[0], "newer", LONG)
    newer.view.stage = 77  # type: ignore[assignment]
    newer.default_index = 1
    bad_welcome = welcome()
    bad_welcome.rule_set.family = 77  # type: ignore[assignment]

    async def script(table: Table) -> None:
        await table.hear()
        assert table.context is not None
        await table.tell(welcome=bad_welcome)
        await table.context.write(pb.PlayResponse.FromString(b"\xa2\x38\x01x"))  # a new arm
        await table.tell(welcome=welcome())
        await table.tell(prompt=newer)
        answer = await table.answer()
        assert (answer.prompt_id, answer.legal_index) == ("newer", 1)
        await table.tell(prompt=wire_prompt(TURNS[0], "known", LONG))
        assert (await table.answer()).prompt_id == "known"
        await table.tell(match_over=OVER)

    diary = Diary()
    player = Player(diary)

    async def main() -> None:
        async with asyncio.timeout(60), referee(script) as table:
            await play(player, table.address)

    asyncio.run(main())
    assert diary.hooks.count("game_started") == diary.hooks.count("choose") == 1
    assert diary.hooks[-1] == "match_over"
    player.report()
    (line,) = capsys.readouterr().err.splitlines()
    assert "arena_sdk: 3 messages newer than this SDK passed over (last: prompt: ValueError" in line


# -- the end ----------------------------------------------------------------------------------


async def refuse(table: Table) -> None:
    await table.hear()
    assert table.context is not None
    await table.context.abort(grpc.StatusCode.UNAUTHENTICATED, "this seat has another token")


async def refuse_unheard(table: Table) -> None:
    assert table.context is not None
    await table.context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "this seat is taken")


async def end_early(table: Table) -> None:
    await table.hear()
    await table.tell(welcome=welcome())


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (refuse, "^UNAUTHENTICATED: this seat has another token$"),
        (refuse_unheard, "^RESOURCE_EXHAUSTED: this seat is taken$"),
        (end_early, "^the referee ended the stream before the match was over$"),
    ],
)
def test_a_talk_that_ends_otherwise_says_why(script: Script, words: str) -> None:
    with pytest.raises(NoReferee, match=words):
        talk(Chooses(), script)


def test_a_referee_that_is_not_there_is_not_waited_for_for_ever() -> None:
    async def main() -> None:
        await play(Player(Chooses()), "unix:/nowhere/at/all", patience=0.1)

    with pytest.raises(NoReferee, match=r"^nobody has answered for 0\.1 s$"):
        asyncio.run(main())


def test_time_in_which_it_was_held_still_is_no_waiting() -> None:
    """Whoever is held still between its join and the end of that call finds its timers over."""

    async def held(seconds: float) -> bool:
        loop = asyncio.get_running_loop()
        clock, jump = loop.time, 0.0
        loop.time = lambda: clock() + jump  # type: ignore[method-assign]
        written = asyncio.Event()

        async def write() -> None:
            await written.wait()

        waiting = asyncio.ensure_future(_within(30.0, write()))
        await asyncio.sleep(0)
        jump = seconds
        for _ in range(3):
            await asyncio.sleep(0)
        written.set()
        return await waiting

    assert asyncio.run(held(3600.0))
