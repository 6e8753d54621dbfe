"""Runs what `arena bench server` measures, part by part; see `serverbench`."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rich.progress import Progress, TaskID

from arena.app.rated import calendar
from arena.cli import serverbenchasks as asks
from arena.cli.output import remarks
from arena.cli.planning import images_of
from arena.cli.serverbenchasks import Asked, Rebuild, Recorded
from arena.cli.serverbenchfill import Size, fill
from arena.cli.serverbenchladder import play_ladder
from arena.cli.serverbenchplay import BOTS, Conditions, Cost, Played, cost_of, play_part
from arena.cli.serverbenchwire import ask_service
from arena.errors import HostFault, InputError
from arena.storage.store import open_store
from arena.submissions.manifest import find_bot
from arena.tournament.matches import Sandbox

__all__ = ["Found", "Order", "measure"]

_PER_HOUR: Final = 3600.0
_CLIENTS: Final = 8
_ROUNDS: Final = 3  # matches for each place


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be measured, and in which sizes.

    Attributes:
        parts: Some of the words of `serverbench.Part`.
        keep: The folder to fill, or to use if it is filled; None: one that goes again.
    """

    parts: Collection[str]
    stored: Size
    requests: int
    rebuilt: int
    recorded: int
    boards: int
    hands: int | None
    keep: Path | None


@dataclass(slots=True)
class Found:
    """All that was measured; what was left out is empty or None.

    Attributes:
        machine: What a match takes of a busy machine: seconds of all its places together.
        processor: The same in seconds of a processor for referee and bots alone, so that what else
            goes on at the machine does not matter.
    """

    requests: list[Asked] = field(default_factory=list)
    rebuild: Rebuild | None = None
    recording: Recorded | None = None
    play: list[Played] = field(default_factory=list)
    machine: Cost | None = None
    processor: Cost | None = None
    boards: int = 0


def measure(order: Order, progress: Progress) -> Found:
    """Measure what is asked for.

    Raises:
        HostFault: the folder that was kept holds something else, or this machine cannot play.
    """
    found = Found(boards=order.boards)
    if {"requests", "matchmaker"} & set(order.parts):
        with _folder(order.keep) as folder:
            found.requests += _ask(folder, order, progress)
    if "recording" in order.parts:
        task = progress.add_task("recording", total=1)
        found.recording = asks.measure_recording(order.recorded)
        progress.advance(task)
    if "rebuild" in order.parts:
        task = progress.add_task("filling and rebuilding", total=order.rebuilt)
        size = Size(min(order.stored.entrants, 1000), order.rebuilt)
        found.rebuild = asks.measure_rebuild(size, lambda done: progress.advance(task, done))
    if "play" in order.parts:
        _play(found, order, progress)
    return found


@contextlib.contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        yield Path(folder) / "data"


def _ask(folder: Path, order: Order, progress: Progress) -> Iterator[Asked]:
    size, count, parts = order.stored, order.requests, order.parts
    filling = progress.add_task("filling a data folder", total=size.matches)
    with open_store(folder, calendar) as store:
        fill(store, size, lambda done: progress.advance(filling, done))
        asking = progress.add_task("asking", total=None)
        if "requests" in parts:
            yield from _counted(asks.ask_store(store, size, count), progress, asking)
        if "matchmaker" in parts:
            yield from _counted(asks.measure_matchmaker(store, count), progress, asking)
    if "requests" in parts:
        yield from _counted(ask_service(folder, size, count, _CLIENTS), progress, asking)


def _counted(asked: Iterator[Asked], progress: Progress, task: TaskID) -> Iterator[Asked]:
    for one in asked:
        progress.advance(task)
        yield one


# -- playing --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Programme:
    """What is played: the parts of a server, matches of two lengths, and under a server."""

    parts: Sequence[Conditions]
    lengths: Sequence[Conditions]
    served: Sequence[Conditions]


def _programme(order: Order, kind: Sandbox, cores: int) -> _Programme:
    boards, short = order.boards, max(1, order.boards // 5)

    def line(name: str, sandbox: Sandbox | None, places: int = cores, **more: Any) -> Conditions:
        usual: dict[str, Any] = {"boards": boards, "hands": order.hands}
        usual["matches"] = _ROUNDS * places
        return Conditions(name=name, sandbox=sandbox, at_once=places, **usual | more)

    is_docker = kind is Sandbox.DOCKER
    where = "containers" if is_docker else "processes"
    return _Programme(
        parts=[
            line("in process", None, is_sealed=False),
            line("processes, prompt windows", Sandbox.PROCESS, is_sealed=False),
            line("processes, sealed windows", Sandbox.PROCESS),
            *([line("containers, sealed windows", kind)] if is_docker else []),
        ],
        lengths=[
            line(f"{where}, prompt, {number} boards", kind, boards=number, is_sealed=False)
            for number in (short, boards)
        ],
        served=[
            line(f"server, {where}, {short} boards", kind, boards=short),
            *(
                line(f"server, {where}, {boards} boards", kind, places)
                for places in (cores, 2 * cores, 3 * cores)
            ),
        ],
    )


def _play(found: Found, order: Order, progress: Progress) -> None:
    cores = len(os.sched_getaffinity(0))
    programme = _programme(order, _kind(), cores)
    first = [*programme.parts, *programme.lengths]
    total = sum(one.matches for one in (*first, *programme.served))
    task = progress.add_task("playing", total=total)
    for several, play in ((first, play_part), (programme.served, play_ladder)):
        for one in several:
            progress.update(task, description=f"playing: {one.name}, {one.at_once} at once")
            played = play(one, lambda: progress.advance(task))
            found.play.append(played)
            progress.console.print(
                f"{one.name}, {one.at_once} at once: {played.per_hour:,.0f} matches an hour, "
                f"{played.stay:.1f} s each, {played.voids} void",
                soft_wrap=True,
            )
    few, many = found.play[len(programme.parts) : len(first)]
    both = programme.lengths[0].boards, programme.lengths[1].boards
    found.machine = cost_of(_PER_HOUR / few.per_hour, _PER_HOUR / many.per_hour, both)
    found.processor = cost_of(few.processor or 0.0, many.processor or 0.0, both)


def _kind() -> Sandbox:
    """Containers, if bots can be run in them here."""
    try:
        images_of([find_bot(name) for name in BOTS])
    except (HostFault, InputError) as error:
        remarks().print(f"without containers: {error}", soft_wrap=True)
        return Sandbox.PROCESS
    return Sandbox.DOCKER
