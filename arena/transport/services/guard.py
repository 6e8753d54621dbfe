"""What every call goes through, whatever it asks for.

    request id -> draining? -> who pays -> whose token, is it enough -> the request -> limits
        -> the method -> answer or status

All of it begins with the headers of a call: gRPC is told that every method takes a stream, as the
wire is the same, so that who never sends a request is counted and has little time for it. Methods
block, so they run in threads; see `lanes`. A stream's token is looked at again and again while the
stream is open. Everything that goes wrong becomes a status in one place.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar, assert_never

import grpc
import grpc.aio
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from arena.storage.tokens import AuthError, AuthReason
from arena.tournament.refusals import Forbidden, Invalid, OverQuota, TooSlow
from arena.transport.auth import Access, Caller, Doorkeeper, bearer, require
from arena.transport.failures import trailing
from arena.transport.services.deeds import Deeds
from arena.transport.services.lanes import Lane, LaneLimits
from arena.transport.services.methods import UNARY_LIMIT, Method, Service, Stream, Unary, Upload
from arena.transport.services.payers import Kind, Payer, Shares, caller_host
from arena.transport.services.refusallog import RefusalLog
from arena.transport.services.remembered import Remembered, checked_request_id
from arena.transport.services.streaming import OpenStreams, watched
from arena.transport.status import Draining, failure_of

__all__ = ["Guard", "GuardLimits"]

_LOG: Final = logging.getLogger(__name__)
_SANE: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
_LONGEST_ID: Final = 64
_TOO_MUCH: Final = grpc.StatusCode.RESOURCE_EXHAUSTED.name
_NOBODY: Final = Payer(Kind.PASSER, "")
_PAYER: Final[ContextVar[Payer]] = ContextVar("payer", default=_NOBODY)

T = TypeVar("T")
Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardLimits:
    """How much at once, of each kind of payer (see `payers`), and of one payer.

    Attributes:
        threads: Methods that are at work at the same time, of each kind; one payer leaves one.
        waiting, waiting_each: Methods that wait for a thread; more are refused.
        calls, calls_each: Calls that are open, whatever they do.
        streams, streams_per_peer: Open streams, uploads among them.
        recheck: Seconds after which the token of an open stream is looked at again.
        request: Seconds that a call has for its request.
        taking: Seconds that a caller has to take an answer, or a part of one.
        is_proxied: Calls from this machine come through a proxy, which says for whom.
    """

    threads: int = 4
    waiting: int = 200
    waiting_each: int = 24
    calls: int = 300
    calls_each: int = 64
    streams: int = 200
    streams_per_peer: int = 40
    recheck: float = 20.0
    request: float = 10.0
    taking: float = 30.0
    is_proxied: bool = False


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
        self._lanes = {kind: Lane(_lane_limits(limits), f"{kind.value}s") for kind in Kind}
        self._calls = Shares(limits.calls, limits.calls_each)
        self._streams = OpenStreams(limits.streams, limits.streams_per_peer)
        self._now = asyncio.get_running_loop().time
        self._remembered = Remembered(self._now)
        self._refusals = RefusalLog(self._now)
        self._is_draining = False
        self.observe: Callable[[str, str, float], None] = lambda method, code, seconds: None

    def drain(self) -> None:
        """Take no more calls; streams that follow something end, uploads and answers go on."""
        self._is_draining = True
        self._streams.end_all(Draining())

    def close(self) -> None:
        """Let go of the threads, which end as soon as they have nothing to do."""
        for lane in self._lanes.values():
            lane.close()

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do something that blocks in a thread of ours, for whoever pays for this call.

        Raises:
            OverQuota: too many wait for one.
        """
        payer = _PAYER.get()
        return await self._lanes[payer.kind].run(payer.name, work, *arguments)

    def handler(self, service: Service) -> grpc.GenericRpcHandler:
        """A service's methods, for a server."""
        full_name = service.descriptor.full_name
        handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {}
        for declared in service.descriptor.methods:
            behave = self._behaviour(service.methods[declared.name])
            handlers[declared.name] = grpc.stream_stream_rpc_method_handler(
                partial(behave, f"{full_name}/{declared.name}"),
                request_deserializer=_reader(GetMessageClass(declared.input_type).FromString),
                response_serializer=lambda answer: answer.SerializeToString(),
            )
        return grpc.method_handlers_generic_handler(full_name, handlers)

    def _behaviour(self, method: Method) -> Callable[..., Coroutine[Any, Any, None]]:
        match method:
            case Unary():
                return partial(self._unary, method)
            case Stream():
                return partial(self._stream, method)
            case Upload():
                return partial(self._upload, method)
            case _:
                assert_never(method)

    # -- the three kinds of call ----------------------------------------------------------------

    async def _unary(
        self, method: Unary, name: str, requests: AsyncIterator[Any], context: Context
    ) -> None:
        async def work(call: _Call, caller: Caller) -> None:
            async with asyncio.timeout(method.limit):
                request = await self._request(requests)
                await self._note(caller, method.access, request)
                answer = await self._answer(method, caller, _read(request))
            await self._send(call, answer)

        await self._guarded(name, method.access, context, work)

    async def _answer(self, method: Unary, caller: Caller, request: Any) -> Message:
        if not method.creates:
            return await self.run(method.answer, caller, request)
        key = (caller.shown, caller.method, checked_request_id(request.request_id))
        asked = request.SerializeToString(deterministic=True)
        return await self._remembered.answer(
            key, asked, lambda: self.run(method.answer, caller, request)
        )

    async def _stream(
        self, method: Stream, name: str, requests: AsyncIterator[Any], context: Context
    ) -> None:
        async def work(call: _Call, caller: Caller) -> None:
            request = await self._request(requests)
            await self._note(caller, method.access, request)
            with self._streams.opened(call.payer) as stream:
                answers = method.answer(caller, _read(request))
                async with (
                    aclosing(answers),
                    watched(stream, self._validity(caller), self._limits.recheck),
                ):
                    async for answer in answers:
                        await self._send(call, answer)

        await self._guarded(name, method.access, context, work)

    async def _upload(
        self, method: Upload, name: str, requests: AsyncIterator[Any], context: Context
    ) -> None:
        async def pieces() -> AsyncIterator[Any]:
            async for request in requests:
                yield _read(request)

        async def work(call: _Call, caller: Caller) -> None:
            with self._streams.opened(call.payer, ends_at_drain=False) as stream:
                async with watched(stream, self._validity(caller), self._limits.recheck):
                    answer = await method.answer(caller, pieces())
            await self._send(call, answer)

        await self._guarded(name, method.access, context, work)

    # -- what they share ------------------------------------------------------------------------

    async def _guarded(
        self,
        name: str,
        access: Access,
        context: Context,
        work: Callable[[_Call, Caller], Awaitable[None]],
    ) -> None:
        call = _Call(name, context, self._limits.is_proxied)
        began, code = self._now(), "OK"
        try:
            await context.send_initial_metadata((("x-request-id", call.request_id),))
            if self._is_draining:
                raise Draining
            caller = await self._admit(call, access)
            with self._paying(call):
                await work(call, caller)
        except Exception as error:
            code = await self._refuse(call, error)
        except asyncio.CancelledError:
            code = "CANCELLED"
            raise
        finally:
            self.observe(name, code, self._now() - began)

    async def _refuse(self, call: _Call, error: Exception) -> str:
        """End a call with a status; its code."""
        failure = failure_of(error, call.name, call.request_id)
        text, metadata = trailing(failure)
        line = (
            f"call {call.name} refused: {failure.reason} "
            f"(request {call.request_id}, from {call.host})"
        )
        # Whoever calls too often is not to fill the log as well.
        if failure.code.name == _TOO_MUCH:
            _LOG.debug("%s", line)
        else:
            self._refusals.refused(line)
        await self._deeds.refused(
            call.caller, failure.reason, is_denial=isinstance(error, Forbidden)
        )
        call.context.set_code(failure.code)
        call.context.set_details(text)
        call.context.set_trailing_metadata(metadata)
        return failure.code.name

    @contextmanager
    def _paying(self, call: _Call) -> Iterator[None]:
        """Count a call while it is open, and have its work done in its payer's turn.

        Raises:
            OverQuota: too many of this payer are open.
        """
        if not self._calls.add(call.payer):
            raise OverQuota(
                "TOO_BUSY",
                f"too many calls are open: at most {self._limits.calls_each} at once from one "
                "address or of one owner; try again in a moment",
                wait_seconds=1,
            )
        before = _PAYER.set(call.payer)
        try:
            yield
        finally:
            _PAYER.reset(before)
            self._calls.remove(call.payer)

    async def _admit(self, call: _Call, access: Access) -> Caller:
        """Who calls, and who pays for it.

        Raises:
            AuthError, OverQuota, Forbidden: not them.
        """
        token = bearer(call.metadata)
        who = partial(Caller, method=call.name, request_id=call.request_id, peer=call.host)
        if holder := self._doorkeeper.holder(token):
            call.payer = Payer(Kind.HOLDER, holder)
        if access is Access.EVERYONE or (access is Access.OPTIONAL and not token):
            call.caller = who()
            return call.caller
        if token and not holder:
            call.payer = Payer(Kind.DOOR, call.host)
        with self._paying(call):
            async with asyncio.timeout(UNARY_LIMIT):
                principal = await self._doorkeeper.principal(token, call.host, self.run)
        call.payer = Payer(Kind.HOLDER, self._doorkeeper.holder(token))
        call.caller = who(principal=principal)
        require(principal, access)
        return call.caller

    async def _request(self, requests: AsyncIterator[Any]) -> Any:
        """The one request of a call.

        Raises:
            TooSlow, Invalid: it does not come.
        """
        try:
            async with asyncio.timeout(self._limits.request):
                request = await anext(requests, None)
        except TimeoutError:
            wait = f"{self._limits.request:g} s"
            raise TooSlow("TOO_SLOW", f"the request has not come within {wait}") from None
        if request is None:
            raise Invalid("request", "has not come")
        return request

    async def _send(self, call: _Call, answer: Message) -> None:
        """Send an answer to whoever takes it; one who does not is left alone."""
        try:
            async with asyncio.timeout(self._limits.taking):
                await call.context.write(answer)
        except TimeoutError:
            # No status gets through either: the connection is full of what is not taken.
            raise asyncio.CancelledError from None

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


def _lane_limits(limits: GuardLimits) -> LaneLimits:
    return LaneLimits(
        threads=limits.threads,
        threads_each=max(1, limits.threads - 1),
        waiting=limits.waiting,
        waiting_each=limits.waiting_each,
    )


@dataclass(slots=True)
class _Call:
    """One call; `caller` is known once it was admitted."""

    name: str
    context: Context
    is_proxied: bool
    caller: Caller | None = None
    payer: Payer = field(init=False)
    metadata: tuple[tuple[str, str | bytes], ...] = field(init=False)
    request_id: str = field(init=False)
    host: str = field(init=False)

    def __post_init__(self) -> None:
        self.metadata = tuple(self.context.invocation_metadata() or ())
        self.host = caller_host(self.context.peer(), self.metadata, is_proxied=self.is_proxied)
        self.payer = Payer(Kind.PASSER, self.host)
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
