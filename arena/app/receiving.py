"""What takes uploads in at a server: archives, builds, validation, and the thread for all that."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeVar

from arena.app import play_match
from arena.app.temporary import own_folder
from arena.errors import BotError, HostFault, SubmissionError, quoted
from arena.referee.events import BotNo
from arena.settings import Settings
from arena.storage.store import Store
from arena.submissions.bottoml import FILE_NAME, Manifest
from arena.submissions.limits import Rule
from arena.submissions.manifest import example_bots, read_manifest, require_program
from arena.submissions.store import ArchiveStore
from arena.tournament.building import Build, Builder, DockerBuilder, ImageList
from arena.tournament.intake import Intake, Workshop
from arena.tournament.ladder.health import Health, Probe
from arena.tournament.ladder.ports import Tell
from arena.tournament.matches import MatchSpec, Sandbox, Venue
from arena.tournament.uploads import Desk, Reception, server_places
from arena.tournament.validation import Contestant, tables
from arena.tournament.validation_run import Ring
from arena.tournament.validation_watch import Trial, watched
from arena.workers.pool import MatchPool

__all__ = ["Receiving", "Surroundings", "make_receiving", "play_validation"]

T = TypeVar("T")

_HOUSE: Final = "cautious"
"""The example bot that others are validated against."""


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What the parts of a server share.

    Attributes:
        helpers: Threads for what takes long.
        probe: Raises HostFault if what bots are run in is not there.
        why_no_space: Why nothing is begun for want of room on the disk; empty: there is enough.
        tell: Hears what happens.
    """

    settings: Settings
    store: Store
    helpers: Executor
    probe: Probe
    why_no_space: Callable[[], str]
    tell: Tell


@dataclass(frozen=True)
class Receiving:
    """The reception and what it works with; `runner` runs its builds, `pool` its validations."""

    reception: Reception
    archives: ArchiveStore
    runner: CancellableRunner
    pool: MatchPool

    def stop_now(self) -> None:
        """End what is being built or validated; it is done again at the next start."""
        self.reception.stop()
        self.runner.cancel()
        self.pool.stop()


def make_receiving(around: Surroundings, changed: Callable[[], None] = lambda: None) -> Receiving:
    """Put it together; `changed` is called when another version plays.

    Raises:
        HostFault: a folder cannot be made, or the engine lacks the image of the house's bot.
    """
    folder = around.store.folder
    runner = CancellableRunner()
    places = server_places(folder.path / "archives", folder.path / "artefacts", folder.work)
    places.remove_leftovers()
    pool = MatchPool(1, preload=("arena.app.receiving",))
    intake = Intake(places, _ring(around.settings, pool), _workshop(around.settings, runner))
    entry = Entry(around.settings, around.store)
    bell = _Bell()
    health = Health(around.probe, around.helpers, monotonic, bell.ring)
    desk = Desk(
        book=around.store.uploads,
        intake=intake,
        archives=places.archives,
        health=health,
        why_not=around.why_no_space,
        tell=around.tell,
        monotonic=monotonic,
        changed=changed,
        admit=entry.admit,
    )
    reception = Reception(desk)
    bell.rings = reception.wake
    return Receiving(reception, places.archives, runner, pool)


@dataclass
class _Bell:
    """Wakes somebody who is not there yet."""

    rings: Callable[[], None] = lambda: None

    def ring(self) -> None:
        self.rings()


def _ring(settings: Settings, pool: MatchPool) -> Ring:
    docker = settings.sandbox.kind is Sandbox.DOCKER
    house = read_manifest(example_bots()[_HOUSE])
    return Ring(
        house=Contestant(house, ImageList().id_of(house) if docker else ""),
        play=play_validation,
        pool=pool,
        venue=Venue(
            sandbox=settings.sandbox.kind, runtime=settings.sandbox.runtime, holds_still=docker
        ),
        limits=settings.limits.strict(),
        tables=partial(tables, played=settings.plays),
    )


@dataclass(frozen=True)
class Entry:
    """Who may enter a ladder."""

    settings: Settings
    store: Store

    def admit(self, owner: str, bot: Manifest) -> None:
        """Let a bot in.

        Raises:
            SubmissionError: it plays at none of the ladder's tables, or its owner has enough bots.
        """
        if not tables(bot, self.settings.plays):
            offered = ", ".join(
                f"{one.ruleset} with {one.players} players" for one in self.settings.tables
            )
            raise SubmissionError(
                Rule.MANIFEST, f"it plays at none of this ladder's tables: {offered}", FILE_NAME
            )
        most = self.settings.quota.entrants
        entrants = self.store.entrants
        if entrants.find(owner, bot.name) is None and len(entrants.list(owner, most).items) >= most:
            raise SubmissionError(
                Rule.MANIFEST,
                f"name {quoted(bot.name)}: would be one more bot than the {most} that you may have",
                FILE_NAME,
            )


def play_validation(spec: MatchSpec, bots: frozenset[BotNo]) -> Trial:
    """Play a match of a validation, in a process that is there for nothing else."""
    os.dup2(2, 1)  # what a library prints behind Python's back is no result
    with own_folder():
        return watched(lambda own, watch: play_match(own, watch=watch), spec, bots)


# -- builds -------------------------------------------------------------------------------------


class CancellableRunner:
    """Runs something asynchronous in whatever thread calls; another one may cancel it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None = None
        self._is_over = False

    def __call__(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` to its end.

        Raises:
            HostFault: it was cancelled.
        """
        try:
            return asyncio.run(self._watched(work))
        except asyncio.CancelledError:
            raise HostFault("the server was ended while this was built") from None

    async def _watched(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.ensure_future(work)
        with self._lock:
            if self._is_over:
                task.cancel()
            self._running = (asyncio.get_running_loop(), task)
        try:
            return await task
        finally:
            with self._lock:
                self._running = None

    def cancel(self) -> None:
        """Cancel what runs, and whatever is run later on."""
        with self._lock:
            self._is_over = True
            if self._running is not None:
                loop, task = self._running
                with contextlib.suppress(RuntimeError):  # it has just ended
                    loop.call_soon_threadsafe(task.cancel)


def _workshop(settings: Settings, runner: CancellableRunner) -> Workshop:
    if settings.sandbox.kind is Sandbox.DOCKER:
        builder: Builder = DockerBuilder(runtime=settings.sandbox.runtime)
        return Workshop(builder=builder, image_of=ImageList().id_of, run=runner)
    return Workshop(builder=_NoBuilder(), image_of=_no_image, run=runner)


class _NoBuilder:
    """For a server without containers, where `_no_image` has refused what needs a build."""

    async def build(self, source: Path, bot: Manifest, image: str) -> Build:
        """See `building.Builder`."""
        raise HostFault(f"{bot.name}: there is no sandbox to build in")


def _no_image(bot: Manifest) -> str:
    """The image of a bot where there are none: nothing.

    Raises:
        SubmissionError: it would need one.
    """
    if bot.build:
        raise SubmissionError(
            Rule.MANIFEST,
            f"build {' '.join(bot.build)!r}: this server has no sandbox to build in; it takes bots "
            "that run as they are",
            FILE_NAME,
        )
    try:
        if os.sep not in bot.run[0]:
            require_program(bot, Path(sys.executable).parent)
    except BotError as error:
        raise SubmissionError(Rule.MANIFEST, str(error), FILE_NAME) from None
    return ""
