"""What has come and when, and which prompts are closed already."""

from __future__ import annotations

import asyncio

import pytest

from arena_sdk._inbox import Inbox
from millearena.v1 import match_service_pb2 as pb


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
        arms = []
        while (mail := await inbox.next()) is not None:
            arms.append(mail.message.WhichOneof("message"))
            prompt = mail.message.prompt
            found += "" if inbox.closes(prompt) else prompt.prompt_id
        assert found == open_prompts
        assert arms == [message.WhichOneof("message") for message in messages]
        await inbox.close()

    asyncio.run(main())


def test_a_quiet_stream_is_not_waited_for() -> None:
    async def main() -> None:
        inbox = Inbox(Stream(asks("a"), asks("b")).read)
        await inbox.read_ahead()
        assert not inbox.is_over
        for closed in (True, False):
            mail = await inbox.next()
            assert mail is not None
            assert inbox.closes(mail.message.prompt) is closed
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
        first = await inbox.next()
        assert first is not None
        assert not inbox.closes(first.message.prompt)
        with pytest.raises(ConnectionError):
            await inbox.next()
        await inbox.close()

    asyncio.run(main())


# -- when it came -----------------------------------------------------------------------------


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class TimedStream(Stream):
    """Each message takes so long to come, in seconds of `clock`."""

    def __init__(self, clock: Clock, *steps: tuple[float, pb.PlayResponse]) -> None:
        super().__init__(*(message for _, message in steps), ends="end")
        self._clock = clock
        self._waits = [wait for wait, _ in steps]

    async def read(self) -> object:
        message = await super().read()
        self._clock.now += self._waits.pop(0) if self._waits else 0.0
        return message


def test_a_message_that_is_waited_for_came_just_now() -> None:
    async def main() -> None:
        clock = Clock()
        inbox = Inbox(TimedStream(clock, (5.0, asks("a")), (2.0, asks("b"))).read, clock)
        first, second = await inbox.next(), await inbox.next()
        assert first is not None
        assert second is not None
        assert (first.came, second.came) == (5.0, 7.0)

    asyncio.run(main())


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("is_read_ahead", [False, True])
def test_a_message_that_is_there_may_have_come_while_nobody_looked(
    answered: bool, is_read_ahead: bool
) -> None:
    async def main() -> None:
        clock = Clock()
        steps = [(5.0, asks("a")), (0.0, asks("b")), (0.0, asks("c")), (1.0, asks("d"))]
        inbox = Inbox(TimedStream(clock, *steps).read, clock)
        await inbox.next()
        clock.now = 8.0  # a thought
        if answered:
            inbox.answered()  # what comes now was sent after the answer
            clock.now = 9.0
        if is_read_ahead:
            await inbox.read_ahead()
        mails = [await inbox.next() for _ in range(3)]
        expected = 8.0 if answered else 5.0
        assert [mail and mail.came for mail in mails] == [expected, expected, clock.now]
        await inbox.close()

    asyncio.run(main())
