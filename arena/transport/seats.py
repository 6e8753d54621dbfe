"""Where bots connect: for each seat one socket, one server object, one stream.

A socket is an identity. It lies in a folder that only this user can enter, and the bot is told its
path; nothing else about who it is goes over the wire. On a loopback port, which everybody on the
machine can reach, a token in the call's metadata says who it is. The limits on messages and
connections are those of a server that expects tens of bytes from a stranger.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import secrets
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import grpc.aio

from arena.errors import HostFault
from arena.referee.events import BotNo, Message
from arena.referee.limits import Instant
from arena.referee.seat import Deliver
from arena.sandbox.guard import remove_tree
from arena.transport.convert import response_bytes
from arena.transport.streams import LARGEST_MESSAGE, TOKEN_KEY, Calls, Stream, StreamEnd

__all__ = ["TOKEN_KEY", "OpenSeat", "SeatServer", "StreamEnd", "seat_folder"]

CONNECTIONS: Final = 8
"""What a seat may hold open. A bot needs one; each is a descriptor of the referee."""

OPTIONS: Final = (
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.max_send_message_length", 256 * 1024),  # catches mistakes of our own
    ("grpc.max_concurrent_streams", 1),
    ("grpc.max_allowed_incoming_connections", CONNECTIONS),
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

_LONGEST_PATH: Final = 100
"""Bytes in the path of a socket; the system's own limit is 107."""

_ODD: Final = re.compile(r"[^A-Za-z0-9/._+=@~ -]")
"""What gRPC would read as something else in `unix:` and a path."""


@contextlib.contextmanager
def seat_folder() -> Iterator[Path]:
    """A new folder for the sockets of one match, for this user alone; removed at the end.

    Raises:
        HostFault: it cannot be made, or its path is too long for a socket.
    """
    try:
        name = tempfile.mkdtemp(prefix="arena-")
    except OSError as error:
        raise HostFault(f"no folder for sockets: {error.strerror}; set TMPDIR to one") from None
    try:
        if len(f"{name}/00.sock".encode()) > _LONGEST_PATH:
            raise HostFault(f"{name}: too long for a socket's path; set TMPDIR to a shorter folder")
        if odd := _ODD.search(name):
            raise HostFault(f"{name}: {odd[0]!r} has no place in an address; set TMPDIR to another")
        yield Path(name)
    finally:
        # Whatever a bot did in there must not cost the result of the match.
        remove_tree(name)


class SeatServer:
    """The server of one seat. It carries one stream each time it is opened.

    `clock` stamps what arrives, `note` takes the lines that a bot writes for its author, of which
    `note_bytes` are kept. `place` is the path of a socket, which is an identity by itself, or a
    loopback address such as `127.0.0.1:0`, where the bot has to show `token`.
    """

    def __init__(
        self,
        bot: BotNo,
        place: Path | str,
        *,
        clock: Callable[[], Instant],
        note: Callable[[str], None] = lambda _: None,
        note_bytes: int = 500,
    ) -> None:
        self.token = "" if isinstance(place, Path) else secrets.token_hex(16)
        self._place = place
        self._make = partial(Stream, bot, self.token, clock, partial(_keep, note, note_bytes))
        self.encode: Callable[[Message], bytes] = response_bytes
        self._stream: Stream | None = None

    @contextlib.asynccontextmanager
    async def open(self, deliver: Deliver, shared: Path | None = None) -> AsyncIterator[OpenSeat]:
        """Serve one stream, delivering `Joined`, `Sent`, `Answered` and `Noted`.

        `shared` is the path of a socket in place of the seat's own: in a folder that only one
        sandbox sees, whose program is another user.

        Raises:
            HostFault: the place cannot be listened at.
        """
        stream = self._stream = self._make(deliver)
        stream.encode = self.encode
        server = grpc.aio.server(options=OPTIONS)
        server.add_generic_rpc_handlers((Calls(stream),))
        try:
            address = self._listen(server) if shared is None else _listen_at(server, shared)
            await server.start()
            if shared is not None:
                # Connecting takes the right to write; who gets there at all, its folder decides.
                os.chmod(shared, 0o666)  # noqa: S103
            yield OpenSeat(address, self.token, stream.ended)
        finally:
            self._stream = None
            await server.stop(None)

    def _listen(self, server: grpc.aio.Server) -> str:
        """Take the seat's place; the address where that is."""
        place = self._place
        if isinstance(place, Path):
            try:
                _make_way(place)
            except OSError as error:
                raise HostFault(f"cannot listen at unix:{place}: {error.strerror}") from None
        return _listen_at(server, place)

    def tell(self, message: Message) -> None:
        """Send a message, or drop it if no stream is open; never blocks."""
        if self._stream is not None:
            self._stream.tell(message)


def _listen_at(server: grpc.aio.Server, place: Path | str) -> str:
    """Take a place; the address where that is."""
    address = place if isinstance(place, str) else f"unix:{place}"
    try:
        port = server.add_insecure_port(address)
    except (OSError, RuntimeError):
        raise HostFault(f"cannot listen at {address}: {_why_not(place)}") from None
    return f"{address.rpartition(':')[0]}:{port}" if isinstance(place, str) else address


def _why_not(place: Path | str) -> str:
    """Why nobody can listen at a place: gRPC does not say, so the system is asked again."""
    kind = socket.AF_UNIX if isinstance(place, Path) else socket.AF_INET
    with socket.socket(kind) as probe:
        try:
            if isinstance(place, Path):
                probe.bind(str(place))
                place.unlink()
            else:
                host, _, port = place.rpartition(":")
                probe.bind((host, int(port)))
        except OSError as error:
            return error.strerror or str(error)
        except ValueError:
            return "no address and port"
    return "gRPC refuses it"


def _make_way(place: Path) -> None:
    """Whatever a bot of an earlier leg left of the folder, a socket can be made there."""
    place.parent.mkdir(mode=0o700, exist_ok=True)
    place.parent.chmod(0o700)
    if os.path.lexists(place):
        place.rename(place.with_name(secrets.token_hex(8)))


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat that waits for its bot.

    Attributes:
        address: Where the bot connects.
        token: What it has to show there; empty for a socket.
        ended: Why its stream has ended, once it has.
    """

    address: str
    token: str
    ended: asyncio.Future[StreamEnd]


def _keep(note: Callable[[str], None], most: int, text: str) -> None:
    """Hand on what is kept of a note."""
    note(text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore"))
