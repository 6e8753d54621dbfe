"""How a client speaks to a ladder's server: one channel, a token, and errors in one clear line."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeVar

import grpc

from arena.errors import HostFault, InputError, quoted
from arena.transport.failures import Failure, read_failure
from arena.transport.texts import one_line
from arena.transport.tls import channel_credentials, is_loopback

__all__ = ["Connected", "Server", "ServerError", "ServerFault", "Wire"]

T = TypeVar("T")
Self = TypeVar("Self", bound="Connected")

_PAGE: Final = 200
_OPTIONS: Final = (
    ("grpc.max_receive_message_length", 16 * 2**20),
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
)
_OURS: Final = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)
"""What whoever asked can do something about."""

_LOGIN: Final = {
    "TOKEN_EXPIRED": "; ask the operator for a new one, then `arena login`",
    "TOKEN_REVOKED": "; ask the operator for a new one, then `arena login`",
}


class ServerError(InputError):
    """The server refuses what was asked; `reason` is the protocol's word, empty if it has none."""

    def __init__(self, text: str, reason: str = "", facts: dict[str, str] | None = None) -> None:
        super().__init__(text)
        self.reason = reason
        self.facts = facts or {}


class ServerFault(HostFault):
    """The server cannot be reached, or has a fault of its own; `reason` as above."""

    def __init__(self, text: str, reason: str = "", facts: dict[str, str] | None = None) -> None:
        super().__init__(text)
        self.reason = reason
        self.facts = facts or {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where a server is, and how it is spoken to.

    Attributes:
        address: HOST:PORT.
        ca: A PEM file of who has signed its certificate; None: whom the system trusts.
        tls: None: unless the address is this machine's and no `ca` is given.
        timeout: Seconds for a call with one answer.
    """

    address: str
    token: str = ""
    ca: Path | None = None
    tls: bool | None = None
    timeout: float = 30.0

    @property
    def speaks_tls(self) -> bool:
        """Whether the connection is encrypted."""
        if self.tls is not None:
            return self.tls
        return self.ca is not None or not is_loopback(self.address)


class Wire:
    """A connection, made when it is first needed; to be closed.

    Raises:
        InputError: the address or the certificate's file cannot be right, or the token is to go
            in the clear beyond this machine.
    """

    def __init__(self, server: Server) -> None:
        _check(server)
        self._server = server
        # A proxy of the environment is for the world outside.
        proxy = (("grpc.enable_http_proxy", int(not is_loopback(server.address))),)
        options = (*_OPTIONS, *proxy)
        if server.speaks_tls:
            credentials = channel_credentials(server.ca)
            self.channel = grpc.secure_channel(server.address, credentials, options)
        else:
            self.channel = grpc.insecure_channel(server.address, options)

    def close(self) -> None:
        """Let go of the connection; again is no fault."""
        self.channel.close()

    def call(self, method: Any, request: Any, *, timeout: float | None = None) -> Any:
        """The answer of a method with one; raises ServerError, ServerFault."""
        with self._clear():
            return method(
                request, timeout=timeout or self._server.timeout, metadata=self._metadata()
            )

    def stream(self, method: Any, request: Any) -> Iterator[Any]:
        """The answers of a method with many; the call ends when nobody wants the next one."""
        answers = method(request, metadata=self._metadata())
        try:
            with self._clear():
                yield from answers
        finally:
            answers.cancel()

    def send(self, method: Any, requests: Iterator[Any], *, timeout: float) -> Any:
        """The answer of a method that is sent many requests."""
        with self._clear():
            return method(requests, timeout=timeout, metadata=self._metadata())

    def pages(
        self, method: Any, request: Any, field: str, convert: Callable[[Any], T]
    ) -> Iterator[T]:
        """Everything in a list, page by page; `field` is where an answer has its lines."""
        request.page_size = _PAGE
        while True:
            answer = self.call(method, request)
            lines: Iterable[Any] = getattr(answer, field)
            yield from map(convert, lines)
            if not answer.next_page_token:
                return
            request.page_token = answer.next_page_token

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        token = self._server.token
        return (("authorization", f"Bearer {token}"),) if token else ()

    @contextlib.contextmanager
    def _clear(self) -> Iterator[None]:
        try:
            yield
        except grpc.RpcError as error:
            raise self._explained(error) from None
        except ValueError as error:
            if "closed channel" in str(error):
                raise ServerFault(f"server {self._server.address}: is closed already") from None
            raise

    def _explained(self, error: Any) -> ServerError | ServerFault:
        failure = read_failure(error)
        if failure is None:
            return self._unanswered(error)
        text = f"server {self._server.address}: {failure.text}{_LOGIN.get(failure.reason, '')}"
        return _kind(failure)(text, failure.reason, dict(failure.facts))

    def _unanswered(self, error: Any) -> ServerError | ServerFault:
        """What failed without a word of a server of this kind."""
        where = f"server {self._server.address}"
        code, details = error.code(), one_line(error.details() or "", 300)
        if code is grpc.StatusCode.UNIMPLEMENTED:
            return ServerError(
                f"{where}: does not know this call; is it the right address, and as new as this?"
            )
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            return ServerFault(f"{where}: no answer in {self._server.timeout:g} s")
        if code is grpc.StatusCode.UNAVAILABLE:
            return ServerFault(f"{where}: {_unavailable(details, self._server)}")
        return ServerFault(f"{where}: {code.name.lower().replace('_', ' ')}: {details}")


def _kind(failure: Failure) -> type[ServerError] | type[ServerFault]:
    return ServerError if failure.code in _OURS else ServerFault


def _unavailable(details: str, server: Server) -> str:
    lower = details.lower()
    if "certificate_verify_failed" in lower or "certificate verify failed" in lower:
        return "its certificate is not trusted; give the PEM file of who has signed it (--ca)"
    if ("hostname" in lower and "verif" in lower) or "peer name" in lower:
        return "its certificate is for another name"
    if "wrong_version_number" in lower or "wrong version number" in lower:
        return "speaks no TLS, and TLS was asked for"
    if "ssl" in lower or "handshake" in lower:
        return f"the TLS connection failed: {details}"
    if "socket closed" in lower and not server.speaks_tls:
        return "closed the connection at once; does it speak TLS? Give the PEM file (--ca)"
    return f"cannot be reached; is it running? ({details})"


def _check(server: Server) -> None:
    host, _, port = server.address.rpartition(":")
    is_port = port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65_536
    if not server.address.startswith("unix:") and not (host and is_port):
        raise InputError(
            f"server {quoted(server.address)}: must be HOST:PORT, such as 127.0.0.1:7400"
        )
    if not (server.token.isascii() and server.token.isprintable()):
        raise InputError("token: holds characters that no token has; copy it again")
    if server.token and not server.speaks_tls and not is_loopback(server.address):
        raise InputError(f"server {server.address}: the token would travel in the clear; use TLS")


class Connected:
    """Somebody with a connection to a server, which is let go of at the end of a `with`.

    `ca` is a PEM file of who has signed the server's certificate. TLS is spoken unless the server
    is on this machine and no `ca` is given; `tls` says otherwise.

    Raises:
        InputError: address, token or file cannot be right.
    """

    def __init__(
        self,
        address: str,
        token: str = "",
        *,
        ca: Path | None = None,
        tls: bool | None = None,
        timeout: float = 30.0,
    ) -> None:
        self._wire = Wire(Server(address=address, token=token, ca=ca, tls=tls, timeout=timeout))

    def close(self) -> None:
        """Let go of the connection; again is no fault."""
        self._wire.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
