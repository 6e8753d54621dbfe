"""Plays the matches of a small ladder under a director and a store, for `arena bench server`."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any, Final

from arena.app.machine import cleaning_up, probe_of
from arena.app.panel import Panel
from arena.app.playing import make_director
from arena.app.rated import calendar
from arena.app.receiving import Surroundings
from arena.cli.planning import images_of
from arena.cli.serverbenchplay import BOTS, Conditions, Played, Stay, summed_up
from arena.errors import HostFault
from arena.settings import MatchSettings, SandboxSettings, ServerSettings, Settings
from arena.storage.facts import (
    Lease,
    MatchKind,
    NewMatch,
    NewVersion,
    Report,
    Seat,
)
from arena.storage.store import Store, open_store
from arena.submissions.artefact import ARTEFACT_LIMITS
from arena.submissions.limits import ArchiveLimits
from arena.submissions.manifest import find_bot
from arena.submissions.packing import pack_folder
from arena.submissions.shelf import Version
from arena.submissions.store import ArchiveStore
from arena.tournament.ladder.director import Director
from arena.tournament.ladder.liveview import Live
from arena.tournament.matches import Sandbox

__all__ = ["play_ladder"]

_NOWHERE: Final = Path()
_MOST_FAILURES: Final = 3
"""Attempts that end without a report: then this machine cannot play."""


def play_ladder(conditions: Conditions, done: Callable[[], None] = lambda: None) -> Played:
    """Play rated matches as a server does, in a data folder of their own.

    Raises:
        HostFault: this machine cannot play.
    """
    assert conditions.sandbox is not None
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-bench-")))
        settings = _settings(conditions, folder / "data")
        stack.enter_context(cleaning_up(settings, lambda text: None))
        store = stack.enter_context(open_store(folder / "data", calendar))
        seats = _enter(store, conditions.sandbox)
        book = _Book(conditions, seats, done)
        helpers = stack.enter_context(ThreadPoolExecutor(4))
        around = Surroundings(
            settings=settings,
            store=store,
            helpers=helpers,
            probe=probe_of(settings),
            why_no_space=lambda: "",
            tell=book.tell,
        )
        live = Live(monotonic, settings.matches.live_delay)
        director = make_director(around, Panel(book, book, lambda: False), live, stack)
        book.director = director
        director.run()
        if book.trouble:
            raise HostFault(book.trouble)
        return summed_up(conditions, [_stay(report) for report in book.reports])


def _settings(conditions: Conditions, data: Path) -> Settings:
    assert conditions.sandbox is not None
    return Settings(
        server=ServerSettings(data=str(data), drain=600),
        sandbox=SandboxSettings(kind=conditions.sandbox),
        matches=MatchSettings(at_once=conditions.at_once, boards=conditions.boards),
    )


def _enter(store: Store, sandbox: Sandbox) -> tuple[Seat, ...]:
    """Enter the bots as if they had been uploaded, each of an owner of its own."""
    artefacts = ArchiveStore(store.folder.path / "artefacts", most=ARTEFACT_LIMITS.upload)
    bots = [find_bot(name) for name in BOTS]
    images = images_of(bots) if sandbox is Sandbox.DOCKER else ("",) * len(bots)
    seats = []
    for bot, image in zip(bots, images, strict=True):
        digest = artefacts.add([pack_folder(bot.folder, ArchiveLimits()).content])
        owner = store.owners.create(f"of-{bot.name}").name
        store.uploads.add(owner, "first", digest, 1)
        begun = store.uploads.begin()
        assert begun is not None
        kept = Version(
            archive=digest, artefact=digest, image=image, manifest=replace(bot, folder=_NOWHERE)
        )
        version = store.uploads.finish_accepted(
            begun.number,
            NewVersion(
                digest=kept.digest,
                archive=digest,
                artefact=digest,
                image=image,
                name=bot.name,
                label=bot.version,
                content=kept.as_bytes(),
                players=bot.players,
                rulesets=bot.rulesets,
            ),
        )
        seats.append(Seat(version.entrant, version.number))
    return tuple(seats)


@dataclass(slots=True)
class _Book:
    """The planner and the judge of this ladder: so many matches of the same two, and then no more.

    Attributes:
        reports: Of all attempts, void ones too: those are played again.
        trouble: Why it has failed.
    """

    conditions: Conditions
    seats: tuple[Seat, ...]
    done: Callable[[], None]
    director: Director | None = None
    completed: int = 0
    failures: int = 0
    reports: list[Report] = field(default_factory=list)
    trouble: str = ""

    def next(self, playing: Collection[NewMatch]) -> NewMatch | None:
        """See `ports.Planner`."""
        if self.completed + len(playing) >= self.conditions.matches:
            return None
        return NewMatch(
            kind=MatchKind.RATED,
            table="classic-2",
            seats=self.seats,
            teams=((0,), (1,)),
            terms=self.conditions.terms.as_json(),
        )

    def recorded(self, lease: Lease, report: Report) -> None:
        """See `ports.Judge`."""
        self.reports.append(report)
        if report.verdict == "VOID":
            return
        self.completed += 1
        self.done()
        if self.completed == self.conditions.matches:
            self._stop("")

    def failed(self, lease: Lease) -> None:
        """See `ports.Judge`."""

    def tell(self, event: str, /, **facts: Any) -> None:
        """See `ports.Tell`."""
        self.failures += event == "attempt failed"
        if facts.get("alert") or self.failures == _MOST_FAILURES:
            self._stop(f"{event}: {facts.get('why', facts)}")

    def _stop(self, trouble: str) -> None:
        self.trouble = self.trouble or trouble
        if self.director is not None:
            self.director.stop()


def _stay(report: Report) -> Stay:
    ended = report.ended / 1000
    return Stay(
        began=ended - report.machine_time / 1000,
        ended=ended,
        answers=tuple(_answers(seat.tally) for seat in report.seats if seat.tally["think_p50_ms"]),
        is_void=report.verdict == "VOID",
    )


def _answers(tally: dict[str, Any]) -> tuple[float, float]:
    return float(tally["think_p50_ms"]), float(tally["think_p99_ms"])
