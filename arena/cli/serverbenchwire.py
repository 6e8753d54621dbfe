"""Asks a full store through the services of a server, in a process of its own, over loopback."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Final

from arena.app.rated import calendar
from arena.cli.serverbenchasks import PAGE, Asked, ask, page_tokens
from arena.cli.serverbenchfill import BOTS_OF_ONE, Size
from arena.errors import HostFault
from arena.settings import Settings
from arena.storage.store import open_store
from arena.tournament.ladder.liveview import Live
from arena.workers.pool import MatchPool

if TYPE_CHECKING:
    from arena.transport.asking import Asker

__all__ = ["ask_service"]

_PATIENCE: Final = 60.0  # seconds for it to begin


def _serve(report: Callable[[object], None], folder: Path) -> None:
    """Serve a data folder until SIGTERM: a task for a pool. Nothing is played."""
    from arena.app.signals import run_until_signalled

    with contextlib.suppress(KeyboardInterrupt):
        run_until_signalled(_serving(report, folder))


async def _serving(report: Callable[[object], None], folder: Path) -> None:
    from arena.app.conducting import desk_of
    from arena.app.grounds import ground_of
    from arena.submissions.store import ArchiveStore
    from arena.transport.server import Addresses, serving

    with open_store(folder, calendar) as store:
        ground = ground_of(Settings(), store, Live(monotonic), calendar)
        archives = ArchiveStore(folder / "archives")
        addresses = Addresses(public="127.0.0.1:0", operators="127.0.0.1:0")
        async with serving(ground, desk_of(store, calendar), archives, addresses) as servers:
            report((servers.public, os.getpid()))
            await asyncio.Event().wait()


def ask_service(folder: Path, size: Size, count: int, clients: int) -> Iterator[Asked]:
    """Ask for what everybody may see: one visitor alone, and some at once.

    Raises:
        HostFault: the server has not begun.
    """
    from arena.transport.asking import Asker

    told: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
    with MatchPool(1) as pool:
        future = pool.submit_reporting(_serve, told.put, folder)  # type: ignore[arg-type]
        future.add_done_callback(lambda _: told.put(("", 0)))
        address, process = told.get(timeout=_PATIENCE)
        if not address:
            raise HostFault(f"the server of the bench has not begun: {future.exception()}")
        try:
            with contextlib.ExitStack() as stack:
                askers = [stack.enter_context(Asker(address)) for _ in range(clients)]
                for one in askers:
                    one.standings(1, "")  # the connection is there
                yield from _ask_all(askers, size, count, process)
        finally:
            pool.stop(future)


def _ask_all(askers: list[Asker], size: Size, count: int, process: int) -> Iterator[Asked]:
    random = Random(4)
    first = askers[0]
    tokens = page_tokens(lambda token: first.standings(PAGE, token))

    def standings(asker: Asker) -> object:
        return asker.standings(PAGE, random.choice(tokens))

    def matches(asker: Asker) -> object:
        number = random.randint(1, size.entrants)
        return asker.matches(f"owner-{1 + (number - 1) // BOTS_OF_ONE}/bot-{number}", PAGE)

    def match(asker: Asker) -> object:
        return asker.explained(random.randint(1, size.matches))

    questions: tuple[tuple[str, Callable[[Asker], object], float | None], ...] = (
        ("page of standings, gRPC", standings, 50),
        ("page of an entrant's matches, gRPC", matches, None),
        ("match with its explanation, gRPC", match, None),
    )
    for name, question, target in questions:
        yield ask(name, [_bound(question, first)], count, target=target, process=process)
    questions_at_once = [_bound(standings, one) for one in askers]
    name = f"page of standings, gRPC, {len(askers)} visitors at once"
    yield ask(name, questions_at_once, count, target=50, process=process)


def _bound(question: Callable[[Asker], object], asker: Asker) -> Callable[[], object]:
    return lambda: question(asker)
