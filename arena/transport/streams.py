"""One stream between a bot and the referee: messages in and out, and what ends it."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NoReturn

import grpc
import grpc.aio

from arena.errors import quoted
from arena.referee.events import (
    Answered,
    BotNo,
    ForfeitReason,
    Joined,
    MatchOver,
    Message,
    Noted,
    Prompt,
    Sent,
)
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

__all__ = ["LARGEST_MESSAGE", "MESSAGE_BYTES", "TOKEN_KEY", "Calls", "Stream", "StreamEnd"]

TOKEN_KEY: Final = "arena-token"
"""The key of the call's metadata under which a bot shows its token."""

MESSAGE_BYTES: Final = 16 * 1024
"""What a message of a bot may have; an answer has tens."""

LARGEST_MESSAGE: Final = 1024 * 1024
"""From here on gRPC breaks the stream off as soon as a message says how long it is. Up to it we get
to see the message and can tell the bot's author what is wrong."""

_STRAY_CALLS: Final = 16
"""Calls of what a seat does not have before that is an attack: each takes the referee's time."""

_UNREAD: Final = 1000
"""Messages that may wait for a bot before it counts as gone: it does not read any more."""

_MOMENT: Final = 0.01  # seconds
_BREATH: Final = 0.05  # seconds

_Context = grpc.aio.ServicerContext[bytes, bytes]
_Metadata = Iterable[tuple[str, str | bytes]] | None
_PLAY: Final = f"/{SERVICE}/Play"


@dataclass(frozen=True, slots=True)
class StreamEnd:
    """Why a stream has ended, and what that counts as."""

    why: str
    reason: ForfeitReason = ForfeitReason.CRASH


class Calls(grpc.GenericRpcHandler):
    """What can be called at a seat: `Play`. Calls of anything else are refused, and counted."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        # Bytes in and out: an answer is stamped before anybody parses it.
        self._play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            stream.play
        )

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        method = handler_call_details.method
        if method == _PLAY:
            return self._play
        self._stream.stray(method, handler_call_details.invocation_metadata)
        return None


class Stream:
    """One stream, and the refusal of every other one."""

    def __init__(
        self,
        bot: BotNo,
        token: str,
        clock: Callable[[], Instant],
        note: Callable[[str], None],
        deliver: Deliver,
    ) -> None:
        self.ended: asyncio.Future[StreamEnd] = asyncio.get_running_loop().create_future()
        self._bot = bot
        self._token = token
        self._deliver = deliver
        self._clock = clock
        self._note = note
        self.encode: Callable[[Message], bytes] = response_bytes
        self._taken = False
        self._strays = 0
        self._outbox: asyncio.Queue[Message] = asyncio.Queue()

    def tell(self, message: Message) -> None:
        if self._outbox.qsize() >= _UNREAD:
            self._end(f"left {_UNREAD} messages unread", ForfeitReason.PROTOCOL)
        elif not self.ended.done():
            self._outbox.put_nowait(message)

    def _end(self, why: str, reason: ForfeitReason = ForfeitReason.CRASH) -> None:
        if not self.ended.done():
            self.ended.set_result(StreamEnd(why, reason))

    async def play(self, _requests: object, context: _Context) -> None:
        """Handle `MatchService.Play`."""
        if not self._may_enter(context.invocation_metadata()):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, f"{TOKEN_KEY} is not this seat's")
        if self._taken:
            try:
                # Of one that was broken off it may not be known yet; who comes back has crashed.
                await asyncio.wait([self.ended], timeout=_BREATH)
            finally:  # also if it is reset meanwhile
                self._end("opened a second stream", ForfeitReason.PROTOCOL)
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "this seat is taken")
        self._taken = True
        try:
            if await self._admit(context):
                self._deliver(Joined(self._bot))
                await self._converse(context)
        except grpc.aio.AbortError:
            raise  # gRPC's way to end a refused call
        except grpc.aio.BaseError:
            pass  # what it raises when the other side has gone, or the server has stopped
        except asyncio.CancelledError:
            # The bot broke the connection or reset its stream, or gRPC did it.
            self._end(f"broke its stream off, or sent a message over {LARGEST_MESSAGE:,} bytes")
            raise
        except Exception as error:
            # Ours: gRPC would only log it, so it goes to whoever waits for the end.
            if self.ended.done():
                raise
            self.ended.set_exception(error)
        finally:
            self._end("closed its stream")

    def stray(self, method: str, metadata: _Metadata) -> None:
        """Something else was called; on a port it may have been anybody."""
        self._strays += self._may_enter(metadata)
        if self._strays > _STRAY_CALLS:
            what = f"calls of other methods than Play: {self._strays} made, {_STRAY_CALLS} allowed"
            self._end(f"{what}; the last was {quoted(method)}", ForfeitReason.PROTOCOL)

    def _may_enter(self, metadata: _Metadata) -> bool:
        if not self._token:
            return True
        shown = dict(metadata or ()).get(TOKEN_KEY, "")
        raw = shown if isinstance(shown, bytes) else shown.encode("utf-8", "replace")
        return hmac.compare_digest(raw, self._token.encode())

    async def _admit(self, context: _Context) -> bool:
        try:
            raw = await _read(context)
            if raw is None:
                return False
            request = read_request(raw)
        except MalformedMessage as error:
            return await self._refuse(context, _code_for(error), str(error))
        if not isinstance(request, Join):
            why = "the first message must be a join"
            return await self._refuse(context, grpc.StatusCode.INVALID_ARGUMENT, why)
        asked = request.protocol_version
        if asked != PROTOCOL_VERSION:
            why = f"protocol version {asked} asked for, version {PROTOCOL_VERSION} is spoken here"
            return await self._refuse(context, grpc.StatusCode.FAILED_PRECONDITION, why)
        return True

    async def _refuse(self, context: _Context, code: grpc.StatusCode, why: str) -> NoReturn:
        self._end(why, ForfeitReason.PROTOCOL)
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
        except MalformedMessage as error:
            await self._refuse(context, _code_for(error), str(error))
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _listen(self, context: _Context) -> None:
        while (raw := await _read(context)) is not None:
            self._take(raw, self._clock())

    async def _talk(self, context: _Context) -> None:
        while True:
            # A prompt that has to wait for what was told before it began when it was told: a bot
            # that takes its messages no sooner than it likes would otherwise have time for nothing.
            at_once = self._outbox.empty()
            message = await self._outbox.get()
            raw = self.encode(message)
            if isinstance(message, Prompt) and at_once:
                self._deliver(Sent(self._bot, message.prompt_id, self._clock()))
            await context.write(raw)
            if isinstance(message, MatchOver):
                return

    def _take(self, raw: bytes, at: Instant) -> None:
        request = read_request(raw)
        if isinstance(request, Answer):
            self._deliver(
                Answered(self._bot, request.prompt_id, request.choice, at, request.orders)
            )
        elif isinstance(request, Note):
            self._note(request.text)
            self._deliver(Noted(self._bot))
        else:
            raise MalformedMessage("a second join")


async def _read(context: _Context) -> bytes | None:
    """The next message, None when there will be none.

    Raises:
        _TooLong: it has more bytes than it may have.
    """
    message: object = await context.read()
    if not isinstance(message, bytes):
        # A call that was broken off ends like any other, and is cancelled a moment later.
        await asyncio.sleep(_MOMENT)
        return None
    if len(message) > MESSAGE_BYTES:
        raise _TooLong(f"message: {len(message):,} bytes sent, {MESSAGE_BYTES:,} allowed")
    return message


class _TooLong(MalformedMessage):
    """A message over `MESSAGE_BYTES`."""


def _code_for(error: MalformedMessage) -> grpc.StatusCode:
    if isinstance(error, _TooLong):
        return grpc.StatusCode.RESOURCE_EXHAUSTED
    return grpc.StatusCode.INVALID_ARGUMENT
