"""What `arena try` puts together: the server's intake, in a folder that is gone afterwards."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.cli.attempts import Attempts
from arena.cli.matchlogs import make_folder
from arena.cli.output import printable, remarks
from arena.errors import HostFault, InputError
from arena.submissions.manifest import example_bots, read_manifest, require_program
from arena.tournament.matches import MatchSpec, Sandbox, Venue
from arena.tournament.validation import Contestant
from arena.workers.pool import MatchPool

if TYPE_CHECKING:
    from arena.referee.events import BotNo
    from arena.submissions.packing import Packed
    from arena.tournament.intake import Accepted, Intake, Listener, Refused, Workshop
    from arena.tournament.validation_watch import Trial

__all__ = ["HOUSE", "Setting", "take_in", "unchecked", "why_no_engine"]

HOUSE: Final = "cautious"
"""The example bot that others are validated against."""

_OWNER: Final = "you"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How a bot is tried.

    Attributes:
        docker: In containers, as on the server; else as plain processes, and nothing is built.
        image: The image to use in place of its own; empty: its own.
        jobs: How many tables are played at once.
        keep: A folder for what is made on the way; None: it is thrown away.
    """

    docker: bool
    image: str = ""
    jobs: int = 1
    keep: Path | None = None


class _Attempts(Attempts):
    """Attempts that are watched."""

    __slots__ = ()

    def watch(self, spec: MatchSpec, bots: frozenset[BotNo]) -> Trial:
        """Play an attempt in this process, which is there for nothing else."""
        os.dup2(2, 1)  # what a library prints behind Python's back is no result
        from arena.app import play_match
        from arena.tournament.validation_watch import watched

        with self._folder(spec):
            return watched(lambda own, watch: play_match(own, watch=watch), spec, bots)


def why_no_engine() -> str:
    """Why there is no engine for containers; empty if there is one."""
    from arena.sandbox.engine import connect

    try:
        connect().close()
    except HostFault as fault:
        return str(fault)
    return ""


def take_in(packed: Packed, setting: Setting, listener: Listener) -> Accepted | Refused:
    """Take a packed bot in, as the server does; nothing is left when this returns or raises.

    Raises:
        HostFault: this machine could not do its part.
    """
    with contextlib.ExitStack() as stack:
        folder = _folder(setting, stack)
        if setting.docker:
            from arena.sandbox.reaper import reaping

            stack.enter_context(reaping(lambda text: remarks().print(printable(text))))
        intake = _intake(setting, folder, stack)
        with (folder / "bot.zip").open("w+b") as file:
            file.write(packed.content)
            file.flush()
            taken = intake.take(file.fileno(), _OWNER, listener, seed=secrets.token_bytes(32))
        if setting.keep is not None:
            _keep_log(taken, folder)
        return taken


def _folder(setting: Setting, stack: contextlib.ExitStack) -> Path:
    if setting.keep is not None:
        make_folder(setting.keep, "--keep")
        return setting.keep
    return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-try-")))


def _keep_log(taken: Accepted | Refused, folder: Path) -> None:
    if taken.build is not None:
        text = "\n".join(taken.build.log)
        try:
            (folder / "build.log").write_text(f"{text}\n", encoding="utf-8")
        except OSError as error:
            raise HostFault(f"{folder}/build.log: {error.strerror}") from None


def _intake(setting: Setting, folder: Path, stack: contextlib.ExitStack) -> Intake:
    """The server's intake over a folder; what it runs ends with `stack`."""
    # Heavy, and only for this.
    from arena.tournament.building import ImageList
    from arena.tournament.intake import Intake, Places
    from arena.tournament.validation_run import Ring

    workshop = _workshop(setting)
    house = read_manifest(example_bots()[HOUSE])
    attempts = _Attempts()
    # After the pool: what it had to kill could clean nothing up.
    stack.callback(attempts.clear_all)
    pool = stack.enter_context(MatchPool(setting.jobs, preload=("arena.app",)))
    records = None if setting.keep is None else folder / "records"
    if records is not None:
        make_folder(records, "--keep")
        if any(records.glob("*.jsonl")):
            raise InputError(f"--keep {folder}: has records already; name an empty folder")
    docker = Venue(sandbox=Sandbox.DOCKER, holds_still=True)
    ring = Ring(
        house=Contestant(house, ImageList().id_of(house) if setting.docker else ""),
        play=attempts.watch,
        pool=pool,
        jobs=setting.jobs,
        venue=replace(docker if setting.docker else Venue(), records=records),
    )
    return Intake(Places.below(folder), ring, workshop)


def _workshop(setting: Setting) -> Workshop | None:
    if not setting.docker:
        return None
    from arena.app import run_until_signalled
    from arena.tournament.building import DockerBuilder, ImageList
    from arena.tournament.intake import Workshop

    images = ImageList(instead=setting.image)
    return Workshop(builder=DockerBuilder(), image_of=images.id_of, run=run_until_signalled)


def unchecked(packed: Packed, first: Path) -> Iterator[str]:
    """What a trial without a sandbox cannot check, in words.

    `first` is where programs are looked for before PATH.

    Raises:
        BotError: the bot's program is not there to be run without a sandbox.
    """
    bot = packed.submission.manifest
    if not bot.build:
        require_program(bot, first)
    yield "that it does without a network, without other folders and without writing to its own"
    yield "that it keeps to the memory, processes and files that a sandbox gives it"
    yield "that it plays on well after it has been held still while others think"
    image = bot.image or bot.language
    yield f"that it runs with the version of its language, and the packages, of the image {image}"
    if bot.build:
        yield f"its build: {' '.join(bot.build)!r} was not run, and what lies in its folder plays"
