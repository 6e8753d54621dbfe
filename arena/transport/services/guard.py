"""What every call goes through, whatever it asks for.

    request id -> draining? -> whose token, is it enough -> limits -> the method -> answer or status

Methods block, so they run in threads of this guard's own: as many as there are, and a few calls
wait for one; more are refused at once. A stream's token is looked at again and again while the
stream is open. Everything that goes wrong becomes a status in one place.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar, assert_never

import grpc
import grpc.aio
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from arena.storage.tokens import AuthError, AuthReason
from arena.tournament.refusals import Forbidden, Invalid, OverQuota
from arena.transport.auth import Access, Caller, Doorkeeper, bearer, peer_host, require
from arena.transport.failures import trailing
from arena.transport.services.deeds import Deeds
from arena.transport.services.methods import Method, Service, Stream, Unary, Upload
from arena.transport.services.remembered import Remembered, checked_request_id
from arena.transport.services.streaming import OpenStreams, watched
from arena.transport.status import Draining, failure_of

__all__ = ["Guard", "GuardLimits"]

_LOG: Final = logging.getLogger(__name__)
_SANE: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
_LONGEST_ID: Final = 64
_TOO_MUCH: Final = grpc.StatusCode.RESOURCE_EXHAUSTED.name

T = TypeVar("T")
Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardLimits:
    """How much at once.

    Attributes:
        threads: Methods that are at work at the same time.
        waiting: Methods that wait for a thread; more are refused.
        streams, streams_per_peer: Open streams, uploads among them, in all and of one address.
        recheck: Seconds after which the token of an open stream is looked at again.
    """

    threads: int = 8
    waiting: int = 200
    streams: int = 400
    streams_per_peer: int = 40
    recheck: float = 20.0


class Guard:
    """The calls of one server; belongs to an event loop, and is to be closed.

    Attributes:
        observe: Hears of every call when it is over: method, status, seconds.
    """

    def __init__(
        self,
        doorkeeper: Doorkeeper,
        deeds: Deeds,
        limits: GuardLimits = GuardLimits(),
    ) -> None:
        self._doorkeeper = doorkeeper
        self._deeds = deeds
        self._limits = limits
        self._threads = ThreadPoolExecutor(limits.threads, thread_name_prefix="service")
        self._busy = 0
        self._streams = OpenStreams(limits.streams, limits.streams_per_peer)
        self._now = asyncio.get_running_loop().time
        self._remembered = Remembered(self._now)
        self._is_draining = False
        self.observe: Callable[[str, str, float], None] = lambda method, code, seconds: None

    def drain(self) -> None:
        """Take no more calls; streams that follow something end, uploads and answers go on."""
        self._is_draining = True
        self._streams.end_all(Draining())

    def close(self) -> None:
        """Let go of the threads, which end as soon as they have nothing to do."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do something that blocks in a thread of ours.

        Raises:
            OverQuota: too many wait for one.
        """
        if self._busy >= self._limits.threads + self._limits.waiting:
            raise OverQuota("TOO_BUSY", "the server has too much to do; try again in a moment")
        self._busy += 1
        future = asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)
        # Counted until the thread is done with it, not until somebody stops waiting.
        future.add_done_callback(lambda _: self._done())
        return await asyncio.shield(future)

    def _done(self) -> None:
        self._busy -= 1

    def handler(self, service: Service) -> grpc.GenericRpcHandler:
        """A service's methods, for a server."""
        full_name = service.descriptor.full_name
        handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {}
        for declared in service.descriptor.methods:
            make, behave = self._behaviour(service.methods[declared.name])
            handlers[declared.name] = make(
                partial(behave, f"{full_name}/{declared.name}"),
                request_deserializer=_reader(GetMessageClass(declared.input_type).FromString),
                response_serializer=lambda answer: answer.SerializeToString(),
            )
        return grpc.method_handlers_generic_handler(full_name, handlers)

    def _behaviour(self, method: Method) -> tuple[Any, Callable[..., Coroutine[Any, Any, Any]]]:
        """How gRPC is told of a method, and what does it."""
        match method:
            case Unary():
                return grpc.unary_unary_rpc_method_handler, partial(self._unary, method)
            case Stream():
                return grpc.unary_stream_rpc_method_handler, partial(self._stream, method)
            case Upload():
                return grpc.stream_unary_rpc_method_handler, partial(self._upload, method)
            case _:
                assert_never(method)

    # -- the three kinds of call ----------------------------------------------------------------

    async def _unary(self, method: Unary, name: str, request: Any, context: Context) -> Any:
        async def work(call: _Call) -> Message:
            async with asyncio.timeout(method.limit):
                caller = await self._admit(call, method.access)
                await self._note(caller, method.access, request)
                return await self._answer(method, caller, _read(request))

        return await self._guarded(name, context, work)

    async def _answer(self, method: Unary, caller: Caller, request: Any) -> Message:
        if not method.creates:
            return await self.run(method.answer, caller, request)
        key = (caller.shown, caller.method, checked_request_id(request.request_id))
        asked = request.SerializeToString(deterministic=True)
        return await self._remembered.answer(
            key, asked, lambda: self.run(method.answer, caller, request)
        )

    async def _stream(self, method: Stream, name: str, request: Any, context: Context) -> None:
        async def work(call: _Call) -> None:
            caller = await self._admit(call, method.access)
            await self._note(caller, method.access, request)
            with self._streams.opened(call.host) as stream:
                answers = method.answer(caller, _read(request))
                async with (
                    aclosing(answers),
                    watched(stream, self._validity(caller), self._limits.recheck),
                ):
                    async for answer in answers:
                        await context.write(answer)

        await self._guarded(name, context, work)

    async def _upload(
        self, method: Upload, name: str, requests: AsyncIterator[Any], context: Context
    ) -> Any:
        async def pieces() -> AsyncIterator[Any]:
            async for request in requests:
                yield _read(request)

        async def work(call: _Call) -> Message:
            caller = await self._admit(call, method.access)
            with self._streams.opened(call.host, ends_at_drain=False) as stream:
                async with watched(stream, self._validity(caller), self._limits.recheck):
                    answer = await method.answer(caller, pieces())
            return answer

        return await self._guarded(name, context, work)

    # -- what they share ------------------------------------------------------------------------

    async def _guarded(
        self, name: str, context: Context, work: Callable[[_Call], Awaitable[T]]
    ) -> T:
        call = _Call(name, context)
        began, code = self._now(), "OK"
        await context.send_initial_metadata((("x-request-id", call.request_id),))
        try:
            if self._is_draining:
                raise Draining
            return await work(call)
        except Exception as error:
            failure = failure_of(error, name, call.request_id)
            code = failure.code.name
            text, metadata = trailing(failure)
            # Whoever calls too often is not to fill the log as well.
            level = logging.DEBUG if code == _TOO_MUCH else logging.INFO
            _LOG.log(
                level,
                "call %s refused: %s (request %s, from %s)",
                *(name, failure.reason, call.request_id, call.host),
            )
            await self._deeds.refused(
                call.caller, failure.reason, is_denial=isinstance(error, Forbidden)
            )
            await context.abort(failure.code, text, metadata)
            raise AssertionError("abort raises") from None
        except asyncio.CancelledError:
            code = "CANCELLED"
            raise
        finally:
            self.observe(name, code, self._now() - began)

    async def _admit(self, call: _Call, access: Access) -> Caller:
        """Who calls.

        Raises:
            AuthError, OverQuota, Forbidden: not them.
        """
        if access is Access.EVERYONE:
            call.caller = Caller(method=call.name, request_id=call.request_id, peer=call.host)
            return call.caller
        token = bearer(call.metadata)
        self._doorkeeper.admit(token, call.host)
        try:
            principal = await self.run(self._doorkeeper.check, token)
        except AuthError as error:
            self._doorkeeper.was_wrong(token, call.host, error.reason)
            raise
        self._doorkeeper.was_right(token)
        call.caller = Caller(
            method=call.name, request_id=call.request_id, peer=call.host, principal=principal
        )
        require(principal, access)
        return call.caller

    async def _note(self, caller: Caller, access: Access, request: Any) -> None:
        if access is Access.ADMIN:
            await self.run(self._deeds.intended, caller, _read(request))

    def _validity(self, caller: Caller) -> Callable[[], Coroutine[Any, Any, None]]:
        """What raises as soon as a caller's token is no longer accepted."""

        async def check() -> None:
            principal = caller.principal
            if principal is not None and not await self.run(self._doorkeeper.is_valid, principal):
                raise AuthError(AuthReason.REVOKED, "token: is no longer accepted")

        return check


@dataclass(slots=True)
class _Call:
    """One call; `caller` is known once it was admitted."""

    name: str
    context: Context
    caller: Caller | None = None
    metadata: tuple[tuple[str, str | bytes], ...] = field(init=False)
    request_id: str = field(init=False)
    host: str = field(init=False)

    def __post_init__(self) -> None:
        self.metadata = tuple(self.context.invocation_metadata() or ())
        self.host = peer_host(self.context.peer())
        self.request_id = _request_id(self.metadata)


def _request_id(metadata: tuple[tuple[str, str | bytes], ...]) -> str:
    """What the caller calls its request, if that is sane; else a name by chance."""
    for name, value in metadata:
        is_sane = isinstance(value, str) and 0 < len(value) <= _LONGEST_ID and set(value) <= _SANE
        if name == "x-request-id" and is_sane:
            return str(value)
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True)
class _Unreadable:
    """Bytes that are no request: refused inside of the call, with a status like all others."""

    problem: str


def _reader(read: Callable[[bytes], Message]) -> Callable[[bytes], Message | _Unreadable]:
    def reads(raw: bytes) -> Message | _Unreadable:
        try:
            return read(raw)
        except (DecodeError, ValueError, RecursionError) as error:
            return _Unreadable(type(error).__name__)

    return reads


def _read(request: Message | _Unreadable) -> Any:
    if isinstance(request, _Unreadable):
        raise Invalid("request", f"cannot be read as the method's request ({request.problem})")
    return request
