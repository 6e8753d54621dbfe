"""A ladder's server on loopback with a real store: owners, bots, matches, tokens of every kind."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from arena.app.conducting import desk_of
from arena.storage.facts import Lease, MatchKind, Moment, Receipt, TokenKind, Version
from arena.storage.store import Store, open_store
from arena.submissions.store import ArchiveStore
from arena.tournament.answers import SettingLine
from arena.tournament.ladder.liveview import Live
from arena.tournament.verbs import Ground, PlayedTable, Quotas
from arena.transport.server import Addresses, Servers, ServingLimits, serving
from tests.storage.worlds import World, new_match, report_on

__all__ = [
    "NOW",
    "LadderServer",
    "Template",
    "Tokens",
    "made",
    "make_template",
    "quick_limits",
    "running",
]

NOW = Moment(1_800_000_000_000)
DAY = 24 * 60 * 60 * 1000

LOG = b"CANARY-LOG-OF-ANN \x1b[31m\x00"
RECORD = b"a record, as it was hashed\n" * 5000


@dataclass
class Clock:
    """Calendar time that a test sets."""

    now: int = NOW

    def __call__(self) -> Moment:
        return Moment(self.now)


@dataclass(frozen=True)
class Tokens:
    """The text of a token of every kind; `nobody` is none."""

    ann: str
    ann_reads: str
    bob: str
    admin: str
    worker: str
    revoked: str
    expired: str
    suspended: str
    unknown: str = "arena_owner_" + "0" * 16 + "_" + "0" * 64
    nobody: str = ""


def quick_limits(**changes: Any) -> ServingLimits:
    """Limits for tests that wait for something."""
    usual = ServingLimits(grace=0.5, watch=0.02, wrong_tokens=10_000)
    quick = replace(
        usual, public=replace(usual.public, recheck=0.05), pace=replace(usual.pace, follow=0.02)
    )
    return replace(quick, **changes)


@dataclass
class LadderServer:
    """A server that runs in a thread of its own.

    Attributes:
        over, playing, waiting, set_aside: Numbers of matches between ann and bob, rated but for
            the challenge that waits.
        lease: That of the match that is being played: its seed is a secret.
        upload: The number of an upload of ann's that waits.
    """

    store: Store
    world: World
    clock: Clock
    live: Live
    archives: ArchiveStore
    tokens: Tokens
    ann: Version
    bob: Version
    over: int
    lease: Lease
    waiting: int
    set_aside: int
    upload: int
    servers: Servers | None = None
    loop: asyncio.AbstractEventLoop | None = None
    limits: ServingLimits = field(default_factory=quick_limits)
    quotas: Quotas = field(default_factory=lambda: Quotas(waiting=5, challenges=3))

    @property
    def public(self) -> str:
        assert self.servers is not None
        return self.servers.public

    @property
    def operators(self) -> str:
        assert self.servers is not None
        return self.servers.operators

    def in_loop(self, work: Any) -> None:
        """Do something in the server's event loop, and wait for it."""
        done: Future[None] = Future()

        def do() -> None:
            work()
            done.set_result(None)

        assert self.loop is not None
        self.loop.call_soon_threadsafe(do)
        done.result(10)

    def ground(self) -> Ground:
        store = self.store
        return Ground(
            owners=store.owners,
            tokens=store.tokens,
            uploads=store.uploads,
            entrants=store.entrants,
            matches=store.matches,
            competitions=store.competitions,
            ledger=store.ledger,
            standings=store.standings,
            audit=store.audit,
            records=store.records,
            logs=store.logs,
            switch=store.switch,
            live=self.live,
            clock=self.clock,
            tables=(
                PlayedTable(
                    name="classic-2",
                    ruleset="classic",
                    players=2,
                    teams=((0,), (1,)),
                    terms={"boards": 10},
                ),
            ),
            quotas=self.quotas,
            settings=(SettingLine(name="server.public", value="here", source="default"),),
            server_version="1.2.3",
        )


@dataclass(frozen=True)
class Template:
    """A data folder to copy, which takes less than to make another, and what is in it."""

    data: Path
    now: int
    things: dict[str, Any]


def make_template(path: Path) -> Template:
    """Owners, bots, matches and tokens in a new data folder."""
    clock = Clock()
    with open_store(path / "data", clock) as store:
        world = World(store)
        ann, bob = world.bots("ann", "bob")
        world.owners("carl")
        tokens = _tokens(store, clock)
        over = _played(store, world, ann, bob)
        lease = world.lease(ann, bob)
        challenge = new_match(ann, bob, kind=MatchKind.CHALLENGE, requested_by="ann")
        things = {
            "tokens": tokens,
            "ann": ann,
            "bob": bob,
            "over": over,
            "lease": lease,
            "waiting": store.matches.create(challenge),
            "upload": store.uploads.add("ann", "a-request", "a" * 64, 1000).number,
            "set_aside": _set_aside(store, world, (ann, bob)),
        }
    return Template(path / "data", clock.now, things)


@contextlib.contextmanager
def made(path: Path, template: Template) -> Iterator[LadderServer]:
    """All of it but the server, in a folder of its own."""
    clock = Clock(template.now)
    data = path / "data"
    shutil.copytree(template.data, data)
    with open_store(data, clock) as store:
        world = World(store)
        world._requests = 1000  # those of the template have been made
        yield LadderServer(
            store=store,
            world=world,
            clock=clock,
            live=Live(lambda: clock() / 1000, delay=0.0),
            archives=ArchiveStore(data / "archives"),
            **template.things,
        )


def _tokens(store: Store, clock: Clock) -> Tokens:
    def issue(
        kind: TokenKind, owner: str | None, scopes: Sequence[str] | None = None, life: int = DAY
    ) -> tuple[str, str]:
        text, token = store.tokens.issue(kind, owner, scopes, life)
        return text, token.public

    expired = issue(TokenKind.OWNER, "ann", life=1)[0]
    revoked, public = issue(TokenKind.OWNER, "ann")
    store.tokens.revoke(public)
    suspended = issue(TokenKind.OWNER, "carl")[0]
    store.owners.suspend("carl", "for a test")
    clock.now += 10
    return Tokens(
        ann=issue(TokenKind.OWNER, "ann")[0],
        ann_reads=issue(TokenKind.OWNER, "ann", ["read"])[0],
        bob=issue(TokenKind.OWNER, "bob")[0],
        admin=issue(TokenKind.ADMIN, None)[0],
        worker=issue(TokenKind.WORKER, None)[0],
        revoked=revoked,
        expired=expired,
        suspended=suspended,
    )


def _played(store: Store, world: World, ann: Version, bob: Version) -> int:
    lease = world.lease(ann, bob)
    report = report_on(lease)
    logs = (store.logs.put(LOG), store.logs.put(b"bob's"))
    seats = tuple(replace(seat, log=log) for seat, log in zip(report.seats, logs, strict=True))
    record = store.records.put(RECORD)
    full = replace(report, seats=seats, record=record)
    assert store.matches.record(full) is Receipt.RECORDED
    return lease.match


def _set_aside(store: Store, world: World, versions: Sequence[Version]) -> int:
    lease: Lease | None = world.lease(*versions)
    number = lease.match if lease else 0
    while lease is not None:
        assert store.matches.release(lease.match, lease.attempt, lease.token, "the engine is gone")
        match = store.matches.find(number)
        assert match is not None
        if match.state == "set_aside":
            break
        waiting = store.matches.lease("worker", 60_000)
        assert waiting is not None
        if waiting.match != number:  # the challenge that waits too: give it back, uncounted
            held, waiting = waiting, store.matches.lease("worker", 60_000)
            store.matches.release(held.match, held.attempt, held.token, "not now", counts=False)
        lease = waiting
    return number


@contextlib.contextmanager
def running(server: LadderServer, addresses: Addresses | None = None) -> Iterator[LadderServer]:
    """Have it serve, in a thread of its own, on ports of its own."""
    where = addresses or Addresses(public="127.0.0.1:0", operators="127.0.0.1:0")
    begun: Future[None] = Future()
    stop = asyncio.Event()

    async def serve() -> None:
        server.loop = asyncio.get_running_loop()
        try:
            desk = desk_of(server.store, server.clock)
            serves = serving(server.ground(), desk, server.archives, where, server.limits)
            async with serves as servers:
                server.servers = servers
                begun.set_result(None)
                await stop.wait()
        except BaseException as error:
            if begun.done():
                raise
            begun.set_exception(error)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), name="server")
    thread.start()
    try:
        begun.result(20)
        yield server
    finally:
        if server.loop is not None and not server.loop.is_closed():
            with contextlib.suppress(RuntimeError):  # it has ended by itself
                server.loop.call_soon_threadsafe(stop.set)
        thread.join(20)
        assert not thread.is_alive()
