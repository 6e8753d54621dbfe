"""A ladder's server as one process: put together, run until it is told to end, drained, let go of.

    main thread       event loop: the calls of authors, everyone and operators; signals
    director          plays matches, in processes of their own
    reception         takes uploads in, builds in containers, validates in processes
    conductor         has competitions go on
    reaper, metrics   what their names say

SIGTERM, SIGINT and SIGHUP drain: no match and no upload begins, what is played may come to its end
for as long as the settings say. A second one ends at once. Whatever was not recorded then is
played again: the store says so, not this process.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Final

import structlog

from arena.app.conducting import Conducting, make_conducting
from arena.app.grounds import ground_of
from arena.app.logging import log_to
from arena.app.machine import cleaning_up, probe_of
from arena.app.metrics import Metrics, serve_metrics
from arena.app.operator import Addresses, keep_operator_login, operator_file
from arena.app.panel import make_panel
from arena.app.places import crowded, matches_at_once
from arena.app.playing import make_director
from arena.app.rated import calendar
from arena.app.receiving import Receiving, Surroundings, make_receiving
from arena.app.standing import free_or_none, standing_of
from arena.app.telling import CountingJudge, Teller
from arena.app.trust import require_addresses, require_sandbox
from arena.errors import HostFault
from arena.sandbox.policy import MIB
from arena.settings import ServerSettings, Settings
from arena.storage.store import Store, open_store
from arena.tournament.ladder.director import Director
from arena.tournament.ladder.liveview import Live
from arena.transport.server import Addresses as Listening
from arena.transport.server import Servers, serving
from arena.transport.tls import Tls

__all__ = ["run_server"]

_BETWEEN_RENEWALS: Final = 3600.0  # seconds
_UNBUILT: Final = 10.0
"""Seconds that the reception has to let go of what it was told to end."""


def run_server(settings: Settings, *, trusts_authors: bool, say: Callable[[str], None]) -> None:
    """Run a server until a signal ends it; `say` has what a person at a terminal wants to know.

    Raises:
        InputError: a setting is wrong, or two do not go together.
        HostFault: this machine cannot do its part, or another server has the data folder.
    """
    require_addresses(settings)
    lines = require_sandbox(settings, trusts_authors=trusts_authors)
    log_to(sys.stderr)
    if not sys.stderr.isatty():  # then every line is JSON
        say = _log_note
    for line in filter(None, [*lines, crowded(settings)]):
        say(line)
    with contextlib.ExitStack() as stack:
        server = _put_together(settings, stack)
        asyncio.run(_serve(server, say))


@dataclass(kw_only=True)
class _Server:
    """All of it, put together and not yet begun."""

    settings: Settings
    store: Store
    live: Live
    director: Director
    receiving: Receiving
    conducting: Conducting
    tell: Teller
    threads: list[threading.Thread] = field(default_factory=list)
    failed: str = ""
    """Why it ends although nobody has told it to."""


def _put_together(settings: Settings, stack: contextlib.ExitStack) -> _Server:
    """Make everything; what is made is let go of with `stack`, the last first."""
    tell = Teller()
    stack.enter_context(cleaning_up(settings, tell.trouble))
    store = stack.enter_context(
        open_store(
            Path(settings.server.data),
            calendar,
            url=settings.server.database,
            parameters=settings.rating,
        )
    )
    if store.parameters_differ:
        tell(
            "ratings differ",
            alert=True,
            why="[rating] has other values than the ratings that "
            "are stored; `arena admin rebuild` works them out with the new ones",
        )
    store.remove_leftovers()
    helpers = stack.enter_context(ThreadPoolExecutor(4, thread_name_prefix="helper"))
    around = Surroundings(
        settings=settings,
        store=store,
        helpers=helpers,
        probe=probe_of(settings),
        why_no_space=lambda: _why_no_space(settings, store),
        tell=tell,
    )
    conducting = make_conducting(store, calendar, tell, lambda: director.wake())  # noqa: PLW0108 - made later
    panel = make_panel(settings, store, tell, conducting)
    panel = replace(panel, judge=CountingJudge(panel.judge, tell))
    live = Live(monotonic, settings.matches.live_delay)
    director = make_director(around, panel, live, stack)
    receiving = make_receiving(around, changed=director.wake)
    stack.callback(receiving.pool.shutdown)
    stack.callback(receiving.stop_now)
    return _Server(
        settings=settings,
        store=store,
        live=live,
        director=director,
        receiving=receiving,
        conducting=conducting,
        tell=tell,
    )


def _why_no_space(settings: Settings, store: Store) -> str:
    free, floor = free_or_none(store.folder.path), settings.server.free_space * MIB
    return "" if free >= floor else f"{free:,} bytes are free, and {floor:,} have to be"


# -- running ------------------------------------------------------------------------------------


async def _serve(server: _Server, say: Callable[[str], None]) -> None:
    ends = _Ends(asyncio.get_running_loop())
    settings = server.settings
    with contextlib.ExitStack() as stack:
        stack.enter_context(ends.at_signals())
        metrics = _serve_metrics(server, stack)
        ground = replace(
            ground_of(settings, server.store, server.live, calendar),
            on_upload=server.receiving.reception.wake,
            on_match=server.director.wake,
        )
        async with serving(
            ground, server.conducting.desk, server.receiving.archives, _addresses(settings)
        ) as found:
            for guard in found.guards:
                guard.observe = server.tell.answered
            await asyncio.to_thread(_keep_login, server, found, say)
            _begin(server, ends)
            try:
                _announce(server, found, metrics, say)
                await _until_told(server, ends, found)
            finally:
                await _drain(server, ends, found)
    if server.failed:
        raise HostFault(server.failed)


def _addresses(settings: Settings) -> Listening:
    server = settings.server
    tls = None
    if server.certificate:
        tls = Tls(Path(server.certificate), Path(server.key))
    return Listening(
        public=server.public, operators=server.operators, tls=tls, is_proxied=server.proxied
    )


def _serve_metrics(server: _Server, stack: contextlib.ExitStack) -> str:
    """Serve metrics, if somebody wants them: at which HOST:PORT."""
    settings = server.settings
    if not settings.server.metrics:
        return ""
    places = matches_at_once(settings)
    metrics = Metrics(lambda: standing_of(server.store, calendar, server.director.status, places))
    served = serve_metrics(metrics, settings.server.metrics)
    stack.callback(served.close)
    server.tell.metrics = metrics
    return served.address


def _keep_login(server: _Server, found: Servers, say: Callable[[str], None]) -> None:
    """See to it that operators of this machine can get in."""
    addresses = Addresses(
        public=found.public,
        operators=found.operators,
        ca=str(Path(server.settings.server.certificate).resolve())
        if server.settings.server.certificate
        else "",
    )
    if keep_operator_login(server.store, calendar, addresses):
        data = server.store.folder.path
        option = "" if str(data) == ServerSettings().data else f" --data {data}"
        say(f"a token for operators is in {operator_file(data)}; `arena admin` finds it there")
        say(
            f"an owner: arena admin owner new NAME{option}; a token for it: arena admin token new "
            f"NAME{option}"
        )


def _announce(server: _Server, found: Servers, metrics: str, say: Callable[[str], None]) -> None:
    """Say that it is there, and where."""
    places = matches_at_once(server.settings)
    what = f"{places} at once" if places > 1 else "one at a time"
    say(f"the ladder is open: authors at {found.public}, operators at {found.operators}")
    say(
        f"matches: {what}, in {server.settings.sandbox.kind}; metrics: {metrics or 'nowhere'}; "
        "Ctrl-C ends it"
    )
    server.tell(
        "ready", public=found.public, operators=found.operators, metrics=metrics, at_once=places
    )
    _notify("READY=1")


def _notify(state: str) -> None:
    """Tell the service manager, if one has started us and wants to know."""
    address = os.environ.get("NOTIFY_SOCKET")
    if address:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as one:
            one.connect(f"\0{address[1:]}" if address.startswith("@") else address)
            one.send(state.encode())


class _Ends:
    """How often somebody has said that it shall end."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.told = asyncio.Event()
        self.again = asyncio.Event()

    def tell(self) -> None:
        """It shall end; once more: at once."""
        (self.again if self.told.is_set() else self.told).set()

    def tell_from_thread(self) -> None:
        """The same, from another thread."""
        with contextlib.suppress(RuntimeError):  # the loop is over: it is ending already
            self._loop.call_soon_threadsafe(self.tell)

    @contextlib.contextmanager
    def at_signals(self) -> Iterator[None]:
        """Have signals say so."""
        # What whoever started us had ignored stays so: `nohup` is meant to outlive the terminal.
        numbers = [
            one
            for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
            if signal.getsignal(one) is not signal.SIG_IGN
        ]
        for number in numbers:
            self._loop.add_signal_handler(number, self.tell)
        try:
            yield
        finally:
            for number in numbers:
                self._loop.remove_signal_handler(number)


def _begin(server: _Server, ends: _Ends) -> None:
    """Begin the threads that play and take in; one that ends by a mistake ends the server."""

    def body(run: Callable[[], None]) -> None:
        try:
            run()
        except BaseException as error:
            server.failed = f"a thread has ended by a mistake: {error!r}"
            server.tell("mistake", alert=True, why=server.failed)
        ends.tell_from_thread() if server.failed else None

    for name, run in (
        ("director", server.director.run),
        ("reception", server.receiving.reception.run),
        ("conductor", server.conducting.run),
    ):
        thread = threading.Thread(target=body, args=(run,), name=name, daemon=True)
        thread.start()
        server.threads.append(thread)


async def _until_told(server: _Server, ends: _Ends, found: Servers) -> None:
    """Wait for the end; meanwhile the operators' token is renewed in time."""
    while True:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_BETWEEN_RENEWALS):
                await ends.told.wait()
                return
        await asyncio.to_thread(_keep_login, server, found, _nothing)


def _log_note(text: str) -> None:
    structlog.get_logger("arena").info("note", text=text)


def _nothing(text: str) -> None:
    """Nobody is told."""


async def _drain(server: _Server, ends: _Ends, found: Servers) -> None:
    """Begin nothing more, and wait for what is under way as long as that may take."""
    playing = server.director.status().playing
    server.tell("draining", matches=len(playing), seconds=server.settings.server.drain)
    _notify("STOPPING=1")
    await found.say_not_serving()
    server.director.stop()
    server.receiving.reception.stop()
    server.conducting.stop()
    over = asyncio.ensure_future(asyncio.to_thread(_join, server.threads))
    again = asyncio.ensure_future(ends.again.wait())
    # The director has a limit of its own; here is that of uploads.
    drain = server.settings.server.drain
    await asyncio.wait([over, again], timeout=drain, return_when=asyncio.FIRST_COMPLETED)
    if not over.done():
        server.director.stop()
        server.receiving.stop_now()
        await asyncio.wait([over], timeout=_UNBUILT)
    again.cancel()
    server.tell("ended")


def _join(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join()
