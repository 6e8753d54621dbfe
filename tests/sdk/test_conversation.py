"""What the SDK says on a stream when it is late, and when the stream has ended meanwhile."""

from __future__ import annotations

import asyncio
import time

import grpc
import pytest

from arena_sdk import (
    Action,
    Bot,
    Prompt,
    Welcome,
)
from arena_sdk._inbox import Inbox
from arena_sdk._player import Player
from arena_sdk._stream import Conversation
from millearena.v1 import match_service_pb2 as pb
from tests.sdk.bots import Chooses, Diary, wire_prompt
from tests.sdk.wire import LONG, OVER, TURNS, welcome


class Wire:
    """A stream whose messages are there already; it ends when the last prompt is answered."""

    def __init__(self, *messages: pb.PlayResponse) -> None:
        self.wrote: list[pb.PlayRequest] = []
        self._left = [pb.PlayResponse(welcome=welcome()), *messages]
        self._last = messages[-1].prompt.prompt_id
        self._answered = asyncio.Event()

    async def read(self) -> object:
        if not self._left:
            await self._answered.wait()
            return pb.PlayResponse(match_over=OVER)
        return self._left.pop(0)

    async def write(self, request: pb.PlayRequest) -> None:
        self.wrote.append(request)
        if request.answer.prompt_id == self._last:
            self._answered.set()

    def meet(self, bot: Bot) -> list[str]:
        """Let a bot hear it all; the prompts that it answered, and its notes."""

        async def main() -> bool:
            return await Conversation(Player(bot), self.write, Inbox(self.read)).run()

        assert asyncio.run(main())
        return [one.answer.prompt_id or one.note.text for one in self.wrote]


def asks(number: int, time_limit: float) -> pb.PlayResponse:
    return pb.PlayResponse(prompt=wire_prompt(TURNS[number], str(number), time_limit))


def rejects(number: int) -> pb.PlayResponse:
    return pb.PlayResponse(rejection=pb.Rejection(prompt_id=str(number)))


SHORT = 0.01  # seconds that a prompt may take
TOO_LONG = 0.02


class Dawdles(Diary):
    """Takes too long for its first question, or in a hook; notes every question."""

    slow_hook = False

    def game_started(self, welcome: Welcome) -> None:
        if self.slow_hook:
            time.sleep(TOO_LONG)

    def choose(self, prompt: Prompt) -> Action:
        if "choose" not in self.hooks and not self.slow_hook:
            time.sleep(TOO_LONG)
        self.note(f"note {len(self.told('choose'))}")
        return super().choose(prompt)


def test_one_slip_costs_one_decision() -> None:
    """What was closed meanwhile is left out, its events are not; notes wait for a good answer."""
    diary = Dawdles()
    wire = Wire(asks(0, SHORT), rejects(0), asks(1, SHORT), rejects(1), asks(2, LONG))
    assert wire.meet(diary) == ["0", "note 0", "note 1", "2"]
    assert diary.hooks.count("rejected") == 2
    _, (last,) = diary.told("choose")
    assert isinstance(last, Prompt)
    assert last.view.first_event == TURNS[1].view.first_event
    assert last.view.history == TURNS[1].view.history + TURNS[2].view.history


def test_a_slow_hook_costs_no_wrong_answer() -> None:
    diary = Dawdles()
    diary.slow_hook = True
    wire = Wire(asks(0, SHORT), rejects(0), asks(1, LONG))
    assert wire.meet(diary) == ["note 0", "1"]
    assert diary.hooks.count("rejected") == 1
    ((prompt,),) = diary.told("choose")
    assert isinstance(prompt, Prompt)
    # It may have come as long ago as the hook began.
    assert prompt.time_left() <= LONG + prompt.bank_left - TOO_LONG


def test_a_long_thought_within_the_limits_is_no_slip() -> None:
    """What it took beyond the free time came out of the bank."""
    wire = Wire(asks(0, SHORT))
    assert wire.meet(Dawdles()) == ["note 0", "0"]


class Cut:
    """A stream whose other end has gone while the bot was thinking: writing fails."""

    def __init__(self, *messages: pb.PlayResponse, error: Exception) -> None:
        self.left = [*messages]
        self.writes = 0
        self._error = error

    async def write(self, request: pb.PlayRequest) -> None:
        self.writes += 1
        raise self._error

    async def read(self) -> object:
        return self.left.pop(0) if self.left else None


def broken() -> Exception:
    empty = grpc.aio.Metadata()
    return grpc.aio.AioRpcError(grpc.StatusCode.INTERNAL, empty, empty, "Internal error from Core")


@pytest.mark.parametrize("error", [broken(), asyncio.InvalidStateError("finished")])
def test_the_end_is_heard_also_by_who_was_thinking(error: Exception) -> None:
    prompt = pb.PlayResponse(prompt=wire_prompt(TURNS[0], "one", LONG))

    async def main(*messages: pb.PlayResponse) -> tuple[bool, Diary, Cut]:
        stream = Cut(*messages, error=error)
        diary = Diary()
        inbox = Inbox(stream.read)
        over = await Conversation(Player(diary), stream.write, inbox).run()
        return over, diary, stream

    over, diary, stream = asyncio.run(main(prompt, prompt, pb.PlayResponse(match_over=OVER)))
    assert over
    assert diary.hooks[-1] == "match_over"
    assert stream.writes == 1
    over, _, _ = asyncio.run(main(prompt))
    assert not over


def test_nothing_is_written_after_the_end() -> None:
    wrote = []

    async def write(request: pb.PlayRequest) -> None:
        wrote.append(request)

    def choose(prompt: Prompt) -> Action:
        time.sleep(0.02)
        return prompt.default

    async def main() -> None:
        late = pb.PlayResponse(prompt=wire_prompt(TURNS[0], "one", 0.01))
        left: list[pb.PlayResponse] = [late, pb.PlayResponse(match_over=OVER)]

        async def read() -> object:
            return left.pop(0) if left else None

        assert await Conversation(Player(Chooses(choose)), write, Inbox(read)).run()

    asyncio.run(main())
    assert wrote == []
