"""Where bots connect: for each seat one socket, one server object, one stream.

The socket is the identity. It lies in a folder that only this user can enter, and the bot is told
its path; nothing else about who it is goes over the wire. The limits on messages and connections
are those of a server that expects tens of bytes from a stranger.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Final, NoReturn

import grpc
import grpc.aio

from arena.errors import BotError, HostFault
from arena.referee.events import MALFORMED, Answered, BotNo, Joined, MatchOver, Message
from arena.referee.limits import Instant
from arena.referee.seat import Deliver
from arena.transport.convert import (
    PROTOCOL_VERSION,
    SERVICE,
    Answer,
    Join,
    MalformedMessage,
    Note,
    read_request,
    response_bytes,
)

__all__ = ["SeatServer", "seat_folder"]

OPTIONS: Final = (
    ("grpc.max_receive_message_length", 16 * 1024),  # an answer is tens of bytes
    ("grpc.max_send_message_length", 256 * 1024),  # catches mistakes of our own
    ("grpc.max_concurrent_streams", 1),
    ("grpc.max_metadata_size", 2048),
    ("grpc.absolute_max_metadata_size", 4096),
    ("grpc.server_handshake_timeout_ms", 5000),
    ("grpc.max_connection_idle_ms", 10000),
    ("grpc.compression_enabled_algorithms_bitset", 1),  # identity only: nothing to gain
    ("grpc.http2.max_ping_strikes", 2),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 10000),
    ("grpc.so_reuseport", 0),
    # Keepalive stays at its two hours: a bot that thinks cannot answer pings, and that it lives is
    # known from its process. No connection age either: it would cut long matches.
)

_UNREAD: Final = 1000
"""Messages that may wait for a bot before it counts as gone: it does not read any more."""

_LONGEST_PATH: Final = 100
"""Bytes in the path of a socket; the system's own limit is 107."""


@contextlib.contextmanager
def seat_folder() -> Iterator[Path]:
    """A new folder for the sockets of one match, for this user alone; removed at the end.

    Raises:
        HostFault: it cannot be made, or its path is too long for a socket.
    """
    try:
        # What a bot did to its folder must not cost the result of the match.
        folder = tempfile.TemporaryDirectory(prefix="arena-", ignore_cleanup_errors=True)
    except OSError as error:
        raise HostFault(f"no folder for sockets: {error.strerror}; set TMPDIR to one") from None
    with folder as name:
        if len(f"{name}/00.sock".encode()) > _LONGEST_PATH:
            raise HostFault(f"{name}: too long for a socket's path; set TMPDIR to a shorter folder")
        yield Path(name)


class SeatServer:
    """The server of one seat. It carries one stream each time it is opened.

    `clock` stamps what arrives, `note` takes the lines that a bot writes for its author.
    """

    def __init__(
        self,
        bot: BotNo,
        path: Path,
        *,
        clock: Callable[[], Instant],
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.address = f"unix:{path}"
        self._bot = bot
        self._clock = clock
        self._note = note
        self._stream: _Stream | None = None

    @contextlib.asynccontextmanager
    async def open(self, deliver: Deliver) -> AsyncIterator[asyncio.Future[str]]:
        """Serve one stream, delivering `Joined` and `Answered`.

        Yields a future with the reason why the stream has ended, once it has.
        """
        stream = self._stream = _Stream(self._bot, deliver, self._clock, self._note)
        server = grpc.aio.server(options=OPTIONS)
        # Bytes in and out: an answer is stamped before anybody parses it.
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            stream.play
        )
        handler = grpc.method_handlers_generic_handler(SERVICE, {"Play": play})
        server.add_generic_rpc_handlers((handler,))
        try:
            server.add_insecure_port(self.address)
        except RuntimeError:
            raise BotError(f"its socket {self.address} cannot be opened") from None
        try:
            await server.start()
            yield stream.ended
        finally:
            self._stream = None
            await server.stop(None)

    def tell(self, message: Message) -> None:
        """Send a message, or drop it if no stream is open; never blocks."""
        if self._stream is not None:
            self._stream.tell(message)


class _Stream:
    """One stream, and the refusal of every other one."""

    def __init__(
        self,
        bot: BotNo,
        deliver: Deliver,
        clock: Callable[[], Instant],
        note: Callable[[str], None],
    ) -> None:
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._bot = bot
        self._deliver = deliver
        self._clock = clock
        self._note = note
        self._taken = False
        self._outbox: asyncio.Queue[Message] = asyncio.Queue()

    def tell(self, message: Message) -> None:
        if self._outbox.qsize() >= _UNREAD:
            self._end(f"left {_UNREAD} messages unread")
        elif not self.ended.done():
            self._outbox.put_nowait(message)

    def _end(self, why: str) -> None:
        if not self.ended.done():
            self.ended.set_result(why)

    async def play(self, _requests: object, context: _Context) -> None:
        """Handle `MatchService.Play`."""
        if self._taken:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "this seat is taken")
        self._taken = True
        try:
            if await self._admit(context):
                self._deliver(Joined(self._bot))
                await self._converse(context)
        except grpc.aio.AbortError:
            raise  # gRPC's way to end a refused call
        except _BROKEN:
            pass
        except Exception as error:
            # Ours: gRPC would only log it, so it goes to whoever waits for the end.
            if self.ended.done():
                raise
            self.ended.set_exception(error)
        finally:
            # Also when the bot breaks the connection: the handler is cancelled then.
            self._end("closed its stream")

    async def _admit(self, context: _Context) -> bool:
        raw = await _read(context)
        if raw is None:
            return False
        try:
            request = read_request(raw)
        except MalformedMessage as error:
            return await self._refuse(context, grpc.StatusCode.INVALID_ARGUMENT, str(error))
        if not isinstance(request, Join):
            why = "the first message must be a join"
            return await self._refuse(context, grpc.StatusCode.INVALID_ARGUMENT, why)
        asked = request.protocol_version
        if asked != PROTOCOL_VERSION:
            why = f"protocol version {asked} asked for, version {PROTOCOL_VERSION} is spoken here"
            return await self._refuse(context, grpc.StatusCode.FAILED_PRECONDITION, why)
        return True

    async def _refuse(self, context: _Context, code: grpc.StatusCode, why: str) -> NoReturn:
        self._end(f"was refused: {why}")
        await context.abort(code, why)
        raise AssertionError("abort raises")

    async def _converse(self, context: _Context) -> None:
        """Carry messages both ways until the bot has no more to say, or nothing is left to tell."""
        ways = [
            asyncio.create_task(self._listen(context)),
            asyncio.create_task(self._talk(context)),
        ]
        try:
            done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in done:
                way.result()
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _listen(self, context: _Context) -> None:
        while (raw := await _read(context)) is not None:
            self._take(raw, self._clock())

    async def _talk(self, context: _Context) -> None:
        while True:
            message = await self._outbox.get()
            await context.write(response_bytes(message))
            if isinstance(message, MatchOver):
                return

    def _take(self, raw: bytes, at: Instant) -> None:
        try:
            request = read_request(raw)
        except MalformedMessage:
            request = Answer("", MALFORMED)
        match request:
            case Answer(prompt_id, choice):
                self._deliver(Answered(self._bot, prompt_id, choice, at))
            case Note(text):
                self._note(text)
            case Join():  # a second one
                self._deliver(Answered(self._bot, "", MALFORMED, at))


async def _read(context: _Context) -> bytes | None:
    """The next message, None when there will be none."""
    message: object = await context.read()
    return message if isinstance(message, bytes) else None


_Context = grpc.aio.ServicerContext[bytes, bytes]

_BROKEN: Final = (grpc.aio.InternalError, grpc.aio.UsageError)
"""What gRPC raises when the other side of a stream has gone."""
