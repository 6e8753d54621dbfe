"""A seat's server as a bot meets it: over its socket, with a client that says what it likes."""

from __future__ import annotations

import asyncio
import contextlib
import stat
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import grpc
import grpc.aio
import pytest

from arena.engine.cards import Card
from arena.errors import HostFault
from arena.referee.events import (
    Answered,
    BotNo,
    Event,
    ForfeitReason,
    Joined,
    MatchOver,
    Noted,
    OutcomeKind,
    Prompt,
    Sent,
    Welcome,
)
from arena.referee.limits import Instant
from arena.referee.scripted import ScriptedSeat
from arena.transport.seats import TOKEN_KEY, OpenSeat, SeatServer, StreamEnd, seat_folder
from arena.transport.streams import LARGEST_MESSAGE, MESSAGE_BYTES
from millearena.v1 import match_service_pb2 as pb
from tests.referee.plans import make_plan, simulate

BOT = BotNo(0)
JOIN = pb.PlayRequest(join=pb.Join(protocol_version=1)).SerializeToString()
ANSWER = pb.PlayRequest(answer=pb.Answer(prompt_id="id", legal_index=3)).SerializeToString()
OVER = MatchOver(1, 1, 0, OutcomeKind.COMPLETED, "")
PLAY = "/millearena.v1.MatchService/Play"
PROTOCOL = ForfeitReason.PROTOCOL

Call = grpc.aio.StreamStreamCall[bytes, bytes]


class Table:
    """A seat's server, what it delivered, and clients of it."""

    def __init__(self, place: Path | str) -> None:
        self.notes: list[str] = []
        self.now = 100
        self.server = SeatServer(
            BOT, place, clock=lambda: Instant(self.now), note=self.notes.append, note_bytes=10
        )
        self.seat: OpenSeat | None = None
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._channels: list[grpc.aio.Channel] = []

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[OpenSeat]:
        """Let bots come."""
        async with self.server.open(self._events.put_nowait) as self.seat:
            try:
                yield self.seat
            finally:
                await self.close()

    async def next_event(self) -> Event:
        return await asyncio.wait_for(self._events.get(), 10)

    @property
    def is_quiet(self) -> bool:
        return self._events.empty()

    def call(self, token: str | None = None, method: str = PLAY) -> Call:
        assert self.seat is not None
        # A connection of its own: clients of one process would share one.
        options = [("grpc.use_local_subchannel_pool", 1)]
        channel = grpc.aio.insecure_channel(self.seat.address, options=options)
        self._channels.append(channel)
        shown = self.seat.token if token is None else token
        metadata = ((TOKEN_KEY, shown),) if shown else None
        return channel.stream_stream(method)(wait_for_ready=True, metadata=metadata)

    async def joined(self) -> Call:
        call = self.call()
        await call.write(JOIN)
        assert await self.next_event() == Joined(BOT)
        return call

    async def close(self) -> None:
        for channel in self._channels:
            await channel.close()


Test = Callable[[Table, OpenSeat], Awaitable[None]]


def at_a_table(test: Test, place: str = "") -> None:
    async def main() -> None:
        with seat_folder() as folder:
            table = Table(place or folder / "0.sock")
            async with asyncio.timeout(20), table.open() as seat:
                await test(table, seat)
            assert list(folder.iterdir()) == []

    asyncio.run(main())


async def refusal(call: Call, first: bytes) -> tuple[grpc.StatusCode, str]:
    """What a call is refused with that says `first`."""
    with contextlib.suppress(grpc.aio.AioRpcError):  # the refusal may be quicker
        await call.write(first)
    return await call.code(), await call.details()


# -- places -----------------------------------------------------------------------------------


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


def test_a_port_that_is_taken_is_this_machine_s_fault() -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        second = Table(seat.address)
        with pytest.raises(
            HostFault, match=r"cannot listen at 127.0.0.1:\d+: Address already in use"
        ):
            async with second.open():
                pass

    at_a_table(test, "127.0.0.1:0")


def test_why_a_socket_cannot_be_made_is_told(tmp_path: Path) -> None:
    async def main() -> None:
        place = tmp_path / "seat"
        place.write_text("")  # no folder: what is to lie in it cannot be made
        with pytest.raises(HostFault, match=f"cannot listen at unix:{place}/0: (Not|File)"):
            async with Table(place / "0").open():
                pass

    asyncio.run(main())


def test_a_seat_can_be_opened_again_at_the_same_place() -> None:
    async def main() -> None:
        with seat_folder() as folder:
            table = Table(folder / "0.sock")
            for _ in range(2):
                async with asyncio.timeout(20), table.open() as seat:
                    await table.joined()
                    assert not seat.ended.done()

    asyncio.run(main())


def test_on_a_port_only_who_shows_the_token_may_enter() -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        assert seat.address.startswith("127.0.0.1:")
        assert len(seat.token) == 32
        for wrong in ("x" * 32, seat.token[:-1], seat.token + "0"):
            code, _ = await refusal(table.call(wrong), JOIN)
            assert code is grpc.StatusCode.UNAUTHENTICATED
        assert table.is_quiet
        assert not seat.ended.done()  # whoever it was, the bot is not to blame
        await table.joined()

    at_a_table(test, "127.0.0.1:0")


def test_on_a_socket_nobody_needs_a_token() -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        assert seat.address.startswith("unix:/")
        assert seat.token == ""
        await table.joined()

    at_a_table(test)


# -- what bots say ----------------------------------------------------------------------------


def test_join_and_answers_are_delivered_with_the_instant_of_their_arrival() -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        call = await table.joined()
        for now in (200, 300):
            table.now = now
            await call.write(ANSWER)
            assert await table.next_event() == Answered(BOT, "id", 3, Instant(now))

    at_a_table(test)


def test_an_answer_carries_standing_orders() -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        call = await table.joined()
        answer = pb.Answer(prompt_id="id", legal_index=0)
        answer.coup_fourre_on.extend([Card.ACCIDENT + 1, Card.D100 + 1, 99])  # type: ignore[list-item]
        await call.write(pb.PlayRequest(answer=answer).SerializeToString())
        event = await table.next_event()
        assert isinstance(event, Answered)
        assert event.orders == {Card.ACCIDENT}

    at_a_table(test)


def test_notes_go_to_the_log_cut_to_their_length_and_are_counted() -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        call = await table.joined()
        for text in ("hm", "x" * 11, "€" * 4):
            await call.write(pb.PlayRequest(note=pb.Note(text=text)).SerializeToString())
            assert await table.next_event() == Noted(BOT)
        assert table.notes == ["hm", "x" * 10, "€" * 3]

    at_a_table(test)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"\xff\xff", "not a PlayRequest"),
        (b"", "PlayRequest.message is not set"),
        (JOIN, "a second join"),
    ],
    ids=["garbage", "nothing", "join"],
)
def test_what_is_no_request_breaks_the_protocol(raw: bytes, why: str) -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        call = await table.joined()
        code, details = await refusal(call, raw)
        assert code is grpc.StatusCode.INVALID_ARGUMENT
        assert why in details
        end = await seat.ended
        assert end.reason is PROTOCOL
        assert why in end.why
        assert table.is_quiet

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
    async def test(table: Table, seat: OpenSeat) -> None:
        told, details = await refusal(table.call(), raw)
        assert told is code
        assert why in details
        end = await seat.ended
        assert why in end.why
        assert end.reason is PROTOCOL
        assert table.is_quiet

    at_a_table(test)


@pytest.mark.parametrize("size", [MESSAGE_BYTES + 1, LARGEST_MESSAGE + 1])
def test_a_message_over_the_limit_breaks_the_protocol(size: int) -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        call = await table.joined()
        with contextlib.suppress(grpc.aio.AioRpcError):
            await call.write(bytes(size))
        assert await call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        end = await seat.ended
        if size <= LARGEST_MESSAGE:
            assert end == StreamEnd(
                f"message: {size:,} bytes sent, {MESSAGE_BYTES:,} allowed", PROTOCOL
            )
        assert table.is_quiet

    at_a_table(test)


# -- what bots are told -----------------------------------------------------------------------


def told_to_a_seat() -> tuple[Welcome, Prompt]:
    """A welcome and a prompt of a real match."""
    seats = [ScriptedSeat(), ScriptedSeat()]
    simulate(make_plan(), *seats)
    messages = [message for seat in seats for message in seat.told]
    welcome = next(one for one in messages if isinstance(one, Welcome))
    return welcome, next(one for one in messages if isinstance(one, Prompt))


def test_messages_arrive_and_the_stream_closes_well_after_the_end_of_the_match() -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        call = await table.joined()
        welcome, prompt = told_to_a_seat()
        table.server.tell(welcome)
        table.server.tell(prompt)
        table.server.tell(OVER)
        said = [pb.PlayResponse.FromString(raw).WhichOneof("message") async for raw in call]
        assert said == ["welcome", "prompt", "match_over"]
        assert await call.code() is grpc.StatusCode.OK
        assert await seat.ended == StreamEnd("closed its stream")

    at_a_table(test)


def test_the_clock_of_a_prompt_starts_when_it_is_written() -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        await table.joined()
        _, prompt = told_to_a_seat()
        table.now = 777
        table.server.tell(prompt)
        assert await table.next_event() == Sent(BOT, prompt.prompt_id, Instant(777))

    at_a_table(test)


def test_what_is_told_to_nobody_is_dropped() -> None:
    with seat_folder() as folder:
        Table(folder / "0.sock").server.tell(OVER)


def test_a_bug_of_ours_comes_out_where_the_end_of_the_stream_is_waited_for() -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        await table.joined()
        table.server.tell("no message")  # type: ignore[arg-type]
        with pytest.raises(AssertionError):
            await seat.ended

    at_a_table(test)


# -- ends -------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["half-close", "cancel", "disconnect"])
def test_a_bot_that_leaves_is_noticed(how: str) -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        call = await table.joined()
        assert not seat.ended.done()
        if how == "half-close":
            await call.done_writing()
        elif how == "cancel":
            call.cancel()
        else:
            await table.close()
        assert (await seat.ended).reason is ForfeitReason.CRASH

    at_a_table(test)


def test_a_second_stream_is_refused_and_breaks_the_protocol() -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        await table.joined()
        assert await refusal(table.call(), JOIN) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "this seat is taken",
        )
        assert await seat.ended == StreamEnd("opened a second stream", PROTOCOL)

    at_a_table(test)


def test_another_method_is_not_there_and_one_call_of_it_is_no_attack() -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        call = table.call(method="/millearena.v1.MatchService/Cheat")
        code, _ = await refusal(call, JOIN)
        assert code is grpc.StatusCode.UNIMPLEMENTED
        assert not seat.ended.done()
        await table.joined()

    at_a_table(test)


def test_a_bot_that_reads_nothing_is_gone_when_too_much_waits_for_it() -> None:
    async def test(table: Table, seat: OpenSeat) -> None:
        await table.joined()
        for _ in range(1001):
            table.server.tell(OVER)
        assert seat.ended.result() == StreamEnd("left 1000 messages unread", PROTOCOL)

    at_a_table(test)
