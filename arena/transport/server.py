"""The two servers of a ladder: one for authors and everyone, one for operators.

    async with serving(ground, desk, archives, Addresses(...)) as servers:
        ... servers.public, servers.operators are HOST:PORT with the real ports ...
        servers.drain()

Bots connect to neither: each seat has a socket of its own (see `seats`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2  # type: ignore[import-untyped]
from grpc_health.v1.health import aio as health_aio  # type: ignore[import-untyped]
from grpc_health.v1.health_pb2_grpc import (  # type: ignore[import-untyped]
    add_HealthServicer_to_server,
)
from grpc_reflection.v1alpha import reflection  # type: ignore[import-untyped]

from arena.errors import HostFault
from arena.submissions.store import ArchiveStore
from arena.tournament.expectation import expected_uploads
from arena.tournament.verbs import Ground, Lookup
from arena.tournament.verbs_authors import Authors
from arena.tournament.verbs_competitions import CompetitionVerbs, Desk, OrganiserVerbs
from arena.tournament.verbs_operators import Operators
from arena.tournament.verbs_public import Public
from arena.transport.auth import Doorkeeper, WrongTries
from arena.transport.services.bots import Pace, bot_service
from arena.transport.services.competitions import competition_service
from arena.transport.services.deeds import Deeds
from arena.transport.services.guard import Guard, GuardLimits
from arena.transport.services.ladder import ladder_service
from arena.transport.services.methods import Service
from arena.transport.services.operators import operator_service
from arena.transport.services.organisers import organiser_service
from arena.transport.services.receiving import Receiving, UploadLimits
from arena.transport.services.records import record_service
from arena.transport.tls import Tls, require_tls, server_credentials

__all__ = ["Addresses", "Servers", "ServingLimits", "serving"]

_MIB: Final = 2**20
_HEALTH: Final = "grpc.health.v1.Health"

OPTIONS: Final = (
    ("grpc.max_receive_message_length", 128 * 1024),  # a chunk of an upload, and what is around it
    ("grpc.max_send_message_length", 8 * _MIB),  # a page of matches
    ("grpc.max_concurrent_streams", 32),  # of one connection
    ("grpc.max_allowed_incoming_connections", 1000),
    ("grpc.max_metadata_size", 8192),
    ("grpc.absolute_max_metadata_size", 16384),
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.max_connection_idle_ms", 300_000),
    ("grpc.keepalive_time_ms", 60_000),  # who has gone without a word is noticed
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.max_ping_strikes", 3),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 20_000),
    ("grpc.so_reuseport", 0),  # another server on the same port is a mistake, not a partner
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """Where to listen: HOST:PORT, port 0 for any free one.

    Attributes:
        tls: None: plain, which is for loopback only.
        is_proxied: A proxy in front of the public address does TLS.
    """

    public: str = "127.0.0.1:7400"
    operators: str = "127.0.0.1:7401"
    tls: Tls | None = None
    is_proxied: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingLimits:
    """How much, and how often.

    Attributes:
        public, operators: What one of the two does at once.
        wrong_tokens: How many may come from one address at once; see `auth`.
        calls: Calls that are open at once at one server; more are refused.
        grace: Seconds that answers have to get out at the end.
        watch: Seconds between two looks at a match that is watched.
    """

    public: GuardLimits = GuardLimits()  # noqa: RUF009 - frozen
    operators: GuardLimits = GuardLimits(  # noqa: RUF009 - frozen
        waiting=50, streams=20, streams_per_peer=20
    )
    uploads: UploadLimits = UploadLimits()  # noqa: RUF009 - frozen
    pace: Pace = Pace()  # noqa: RUF009 - frozen
    wrong_tokens: int = 20
    calls: int = 1000
    grace: float = 5.0
    watch: float = 1.0


@dataclass(frozen=True, slots=True)
class Servers:
    """Two servers that listen, at `public` and `operators`."""

    public: str
    operators: str
    guards: tuple[Guard, Guard]
    health: Any

    def drain(self) -> None:
        """Take no more calls; to be called in the event loop that serves."""
        for guard in self.guards:
            guard.drain()

    async def say_not_serving(self) -> None:
        """Have health checks fail, so that whoever asks sends people elsewhere."""
        await self.health.enter_graceful_shutdown()


class _Checks(health_aio.HealthServicer):  # type: ignore[misc]
    """Health for who asks now and then; a stream for each of them would be too much."""

    async def Watch(self, _request: Any, context: Any) -> None:  # noqa: N802 - gRPC's name
        await context.abort(grpc.StatusCode.UNIMPLEMENTED, "Watch is not served here; use Check")


@contextlib.asynccontextmanager
async def serving(
    ground: Ground,
    desk: Desk,
    archives: ArchiveStore,
    addresses: Addresses = Addresses(),
    limits: ServingLimits = ServingLimits(),
) -> AsyncIterator[Servers]:
    """Serve until the block ends; then open calls have the grace period.

    Raises:
        InputError: an address beyond loopback without TLS, or a certificate that cannot be read.
        HostFault: an address cannot be listened at.
    """
    require_tls(addresses.public, addresses.tls, is_proxied=addresses.is_proxied)
    require_tls(addresses.operators, addresses.tls)
    now = asyncio.get_running_loop().time
    deeds = Deeds(ground.audit, now)

    def guard_with(limited: GuardLimits) -> Guard:
        # Wrong tokens at one of the two are no matter of the other.
        tries = WrongTries(now, burst=limits.wrong_tokens)
        return Guard(Doorkeeper(ground.tokens, tries), deeds, limited)

    proxied = replace(limits.public, is_proxied=addresses.is_proxied)
    guards = (guard_with(proxied), guard_with(limits.operators))
    health = _Checks()
    async with contextlib.AsyncExitStack() as stack:
        for guard in guards:
            stack.callback(guard.close)
        public = _server(
            limits.calls,
            guards[0],
            health,
            _public(ground, desk, (archives, guards[0]), limits),
        )
        operators = _server(
            limits.calls, guards[1], health, _operators(ground, desk, guards[1]), reflects=True
        )
        ports = []
        for server, address in ((public, addresses.public), (operators, addresses.operators)):
            ports.append(_listen(server, address, addresses.tls))
            await server.start()
            stack.push_async_callback(server.stop, limits.grace)
        await health.set("", health_pb2.HealthCheckResponse.SERVING)
        servers = Servers(ports[0], ports[1], guards, health)
        try:
            yield servers
        finally:
            servers.drain()
            await servers.say_not_serving()


def _public(
    ground: Ground, desk: Desk, uploads: tuple[ArchiveStore, Guard], limits: ServingLimits
) -> Sequence[Service]:
    archives, guard = uploads
    lookup = Lookup(ground)
    public = Public(ground, lookup)
    authors = Authors(ground, lookup, expected_uploads(ground.uploads, ground.clock))
    receiving = Receiving(authors, archives, guard.run, limits.uploads)
    return (
        ladder_service(public),
        record_service(public, guard.run, every=limits.watch),
        bot_service(authors, receiving, guard.run, limits.pace),
        competition_service(CompetitionVerbs(desk), guard.run),
    )


def _operators(ground: Ground, desk: Desk, guard: Guard) -> Sequence[Service]:
    lookup = Lookup(ground)
    expectation = expected_uploads(ground.uploads, ground.clock)
    return (
        operator_service(Operators(ground, lookup, expectation)),
        organiser_service(OrganiserVerbs(desk, lookup)),
        competition_service(CompetitionVerbs(desk), guard.run),
    )


def _server(
    calls: int, guard: Guard, health: Any, services: Sequence[Service], *, reflects: bool = False
) -> grpc.aio.Server:
    server = grpc.aio.server(options=OPTIONS, maximum_concurrent_rpcs=calls)
    server.add_generic_rpc_handlers(tuple(guard.handler(service) for service in services))
    add_HealthServicer_to_server(health, server)
    if reflects:
        names = [service.descriptor.full_name for service in services]
        reflection.enable_server_reflection([*names, _HEALTH, reflection.SERVICE_NAME], server)
    return server


def _listen(server: grpc.aio.Server, address: str, tls: Tls | None) -> str:
    """Bind a server; the address with the port that it has got."""
    try:
        if tls is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, server_credentials(tls))
    except RuntimeError:
        port = 0
    if not port:
        raise HostFault(
            f"address {address}: cannot be listened at; is another server there already?"
        )
    host = address.rpartition(":")[0]
    return f"{host}:{port}" if host else address
