"""Playing a case in containers, and what could be seen of it and of this machine meanwhile."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from arena.sandbox.containers import LABEL
from arena.sandbox.engine import connect
from arena.sandbox.images import resolve
from arena.sandbox.slots import folders_of, state_folder
from arena.submissions.manifest import Manifest
from arena.tournament.matches import MatchSpec, Sandbox, Venue
from tests.hostile.cases import BOXED, Case, read_case
from tests.hostile.gauge import Gauged, gauging, groups_of, processes_of
from tests.hostile.house import (
    MARK,
    Seen,
    folder_for_files,
    left_here,
    play,
    spec_of,
    standard_error,
)

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["QUIET_BOX", "boxed", "left_in_boxes", "observe_boxed", "packed"]

QUIET_BOX: Final = BOXED / "honest_player.py"
"""The case in which nobody does wrong, in containers."""

HERE: Final = Path(__file__).parent
ALONG: Final = ("wire.py", "inside.py", "spying.py", "channels.py")
"""Modules that every bot gets along, where it would import them from here."""

CANARY: Final = "canary"
"""How the words begin that a bot searches for (`boxed/searches_for_words.py`)."""

_SETTLING: Final = 5.0  # seconds


def observe_boxed(path: Path) -> Seen:
    """Play the case of a bot's file in containers, in this very process."""
    case = read_case(path)
    mark = os.environ[MARK] = secrets.token_hex(16)
    with (
        standard_error() as errors,
        TemporaryDirectory() as records,
        TemporaryDirectory() as bots,
        folder_for_files() as folder,
        contextlib.closing(connect()) as engine,
    ):
        spec = boxed(spec_of(case, Path(records)), case, Path(bots), engine)
        with gauging(Path(engine.info()["DockerRootDir"]), folder) as machine:
            seen = play(spec, Path(records))
        seen.machine = machine
        seen.left = [*left_here(folder, mark), *left_in_boxes(engine, machine)]
        sys.stderr.flush()
        errors.seek(0)
        seen.errors = errors.read().decode(errors="replace")
    return seen


def boxed(spec: MatchSpec, case: Case, folder: Path, engine: APIClient) -> MatchSpec:
    """The same in containers; `folder` gets the bots' own folders."""
    image = resolve(engine, "python").id
    venue = Venue(
        records=spec.venue.records,
        sandbox=Sandbox.DOCKER,
        images=(image,) * len(spec.bots),
        holds_still=not case.ponders,
    )
    files = (case.path, *[case.opponent] * case.honest)
    bots = tuple(packed(path, folder, bot) for bot, path in enumerate(files))
    return replace(spec, bots=bots, venue=venue)


def packed(path: Path, where: Path, bot: int) -> Manifest:
    """A bot of one file, in a folder of its own with all that it imports.

    Everything that is only its own, or only ours, is a word that nobody else may ever read.
    """
    folder = where / f"{CANARY}-folder-{bot}"
    os.environ["HOSTILE_WORD"] = f"{CANARY}-environment-{bot}"
    shutil.copytree(HERE, folder / "tests" / "hostile", ignore=_all_but_modules)
    shutil.copy(path, folder / path.name)
    (folder / "words.txt").write_text(f"{CANARY}-file-{bot}")
    return Manifest(
        name=f"{CANARY}-name-{bot}",
        version=f"{CANARY}-version-{bot}",
        language="python",
        run=("python3", path.name, f"{CANARY}-argument-{bot}"),
        folder=folder,
    )


def _all_but_modules(_: str, names: list[str]) -> list[str]:
    return [name for name in names if name not in ALONG]


# -- what is left -------------------------------------------------------------------------------


def left_in_boxes(engine: APIClient, machine: Gauged) -> list[str]:
    """What is left of a match; what is on its way out gets the time for it."""
    until = time.monotonic() + _SETTLING
    while (found := list(_left(engine, machine))) and time.monotonic() < until:
        time.sleep(0.05)
    return found


def _left(engine: APIClient, machine: Gauged) -> Iterator[str]:
    state = state_folder()
    for pid, groups in processes_of(machine.users):
        # A number may be another seat's by now; that one is in a container of its own.
        if "/arena" not in groups or any(ident in groups for ident in machine.containers):
            yield f"process {pid} of a seat's user"
    lines = Path("/proc/net/unix").read_text(errors="replace")
    for life in machine.lives:
        label = f"{LABEL}={life}"
        for one in engine.containers(all=True, filters={"label": label}):
            yield f"container {one['Id'][:12]} ({one['State']})"
        for place in (*folders_of(life), state / "lives" / life):
            if place.exists():
                yield f"folder {place}"
    for name in set(re.findall(rf"{state}/slots/(\w+)/", lines)):
        if not (state / "owners" / name).exists():
            yield f"socket in the slot {name}, which is no more"
    for ident in machine.containers:
        yield from (f"control group {group}" for group in groups_of(ident))
