"""A seat's server as a bot meets it: over its socket, with a client that says what it likes."""

from __future__ import annotations

import asyncio
import contextlib
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path

import grpc
import grpc.aio
import pytest

from arena.errors import HostFault
from arena.referee.events import MALFORMED, Answered, BotNo, Event, Joined, MatchOver, Welcome
from arena.referee.limits import Instant
from arena.transport.seats import SeatServer, seat_folder
from millearena.v1 import match_service_pb2 as pb
from tests.referee.plans import TIME, make_plan

BOT = BotNo(0)
JOIN = pb.PlayRequest(join=pb.Join(protocol_version=1)).SerializeToString()
ANSWER = pb.PlayRequest(answer=pb.Answer(prompt_id="id", legal_index=3)).SerializeToString()

Call = grpc.aio.StreamStreamCall[bytes, bytes]


class Table:
    """A seat's server, what it delivered, and clients of it."""

    def __init__(self, folder: Path) -> None:
        self.notes: list[str] = []
        self.now = 100
        self.path = folder / "0.sock"
        self.server = SeatServer(
            BOT, self.path, clock=lambda: Instant(self.now), note=self.notes.append
        )
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._channels: list[grpc.aio.Channel] = []

    def deliver(self, event: Event) -> None:
        self._events.put_nowait(event)

    async def next_event(self) -> Event:
        return await asyncio.wait_for(self._events.get(), 10)

    def call(self) -> Call:
        # A connection of its own: clients of one process would share one.
        options = [("grpc.use_local_subchannel_pool", 1)]
        channel = grpc.aio.insecure_channel(self.server.address, options=options)
        self._channels.append(channel)
        return channel.stream_stream("/millearena.v1.MatchService/Play")(wait_for_ready=True)

    async def joined(self) -> Call:
        call = self.call()
        await call.write(JOIN)
        assert await self.next_event() == Joined(BOT)
        return call

    async def close(self) -> None:
        for channel in self._channels:
            await channel.close()


Test = Callable[[Table, "asyncio.Future[str]"], Awaitable[None]]


def at_a_table(test: Test) -> None:
    async def main() -> None:
        with seat_folder() as folder:
            table = Table(folder)
            async with asyncio.timeout(20), table.server.open(table.deliver) as ended:
                await test(table, ended)
                await table.close()
            assert list(folder.iterdir()) == []

    asyncio.run(main())


async def refusal(call: Call, first: bytes) -> tuple[grpc.StatusCode, str]:
    """What a call is refused with that says `first`."""
    with contextlib.suppress(grpc.aio.AioRpcError):  # the refusal may be quicker
        await call.write(first)
    return await call.code(), await call.details()


def test_the_folder_is_for_this_user_alone_and_goes_with_the_match() -> None:
    with seat_folder() as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()


def test_a_folder_too_deep_for_a_socket_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    with pytest.raises(HostFault, match="set TMPDIR to a shorter folder"), seat_folder():
        pass
    assert list(deep.iterdir()) == []


def test_join_and_answers_are_delivered_with_the_instant_of_their_arrival() -> None:
    async def test(table: Table, _: asyncio.Future[str]) -> None:
        call = await table.joined()
        for now in (200, 300):
            table.now = now
            await call.write(ANSWER)
            assert await table.next_event() == Answered(BOT, "id", 3, Instant(now))

    at_a_table(test)


def test_bytes_that_are_no_request_and_a_second_join_count_as_malformed() -> None:
    async def test(table: Table, _: asyncio.Future[str]) -> None:
        call = await table.joined()
        for raw in (b"\xff\xff", b"", JOIN):
            await call.write(raw)
            assert await table.next_event() == Answered(BOT, "", MALFORMED, Instant(100))

    at_a_table(test)


def test_notes_go_to_the_log_and_not_to_the_match() -> None:
    async def test(table: Table, _: asyncio.Future[str]) -> None:
        call = await table.joined()
        await call.write(pb.PlayRequest(note=pb.Note(text="hm")).SerializeToString())
        await call.write(ANSWER)
        assert isinstance(await table.next_event(), Answered)
        assert table.notes == ["hm"]

    at_a_table(test)


def test_messages_arrive_and_the_stream_closes_well_after_the_end_of_the_match() -> None:
    async def test(table: Table, ended: asyncio.Future[str]) -> None:
        call = await table.joined()
        plan = make_plan()
        table.server.tell(Welcome(plan.seat_of(BOT, 0), plan.seating, plan.rules, TIME, 0, 1))
        table.server.tell(MatchOver(1, 1, 0))
        said = [pb.PlayResponse.FromString(raw).WhichOneof("message") async for raw in call]
        assert said == ["welcome", "match_over"]
        assert await call.code() is grpc.StatusCode.OK
        assert await ended == "closed its stream"

    at_a_table(test)


@pytest.mark.parametrize("how", ["half-close", "cancel", "disconnect"])
def test_a_bot_that_leaves_is_noticed(how: str) -> None:
    async def test(table: Table, ended: asyncio.Future[str]) -> None:
        call = await table.joined()
        assert not ended.done()
        if how == "half-close":
            await call.done_writing()
        elif how == "cancel":
            call.cancel()
        else:
            await table.close()
        assert await ended == "closed its stream"

    at_a_table(test)


def test_a_second_stream_is_refused_and_the_first_one_goes_on() -> None:
    async def test(table: Table, ended: asyncio.Future[str]) -> None:
        first = await table.joined()
        assert await refusal(table.call(), JOIN) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "this seat is taken",
        )
        await first.write(ANSWER)
        assert isinstance(await table.next_event(), Answered)
        assert not ended.done()

    at_a_table(test)


@pytest.mark.parametrize(
    ("raw", "code", "why"),
    [
        (
            pb.PlayRequest(join=pb.Join(protocol_version=2)).SerializeToString(),
            grpc.StatusCode.FAILED_PRECONDITION,
            "protocol version 2 asked for, version 1 is spoken here",
        ),
        (ANSWER, grpc.StatusCode.INVALID_ARGUMENT, "the first message must be a join"),
        (b"", grpc.StatusCode.INVALID_ARGUMENT, "PlayRequest.message is not set"),
    ],
    ids=["version", "answer", "nothing"],
)
def test_a_first_message_that_is_no_join_is_refused_and_told(
    raw: bytes, code: grpc.StatusCode, why: str
) -> None:
    async def test(table: Table, ended: asyncio.Future[str]) -> None:
        told, details = await refusal(table.call(), raw)
        assert told is code
        assert why in details
        assert why in await ended

    at_a_table(test)


def test_a_message_over_the_limit_ends_the_stream() -> None:
    async def test(table: Table, ended: asyncio.Future[str]) -> None:
        call = await table.joined()
        await call.write(bytes(17 * 1024))
        assert await call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert await ended == "closed its stream"

    at_a_table(test)


def test_a_bot_that_reads_nothing_is_gone_when_too_much_waits_for_it() -> None:
    async def test(table: Table, ended: asyncio.Future[str]) -> None:
        await table.joined()
        for _ in range(1001):
            table.server.tell(MatchOver(1, 1, 0))
        assert ended.result() == "left 1000 messages unread"

    at_a_table(test)


def test_a_bug_of_ours_comes_out_where_the_end_of_the_stream_is_waited_for() -> None:
    async def test(table: Table, ended: asyncio.Future[str]) -> None:
        await table.joined()
        table.server.tell("no message")  # type: ignore[arg-type]
        with pytest.raises(AssertionError):
            await ended

    at_a_table(test)


def test_what_is_told_to_nobody_is_dropped() -> None:
    with seat_folder() as folder:
        Table(folder).server.tell(MatchOver(1, 1, 0))
