"""What `arena try` puts together: the server's intake, in a folder that is gone afterwards."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.cli.attempts import Attempts
from arena.cli.builds import require_built
from arena.cli.matchlogs import make_folder
from arena.cli.output import printable, remarks
from arena.errors import HostFault, InputError, quoted
from arena.sandbox.slots import clear_dead, life, owned_folder
from arena.submissions.manifest import example_bots, read_manifest
from arena.tournament.matches import MatchSpec, Sandbox, Venue
from arena.tournament.validation import Contestant
from arena.workers.pool import MatchPool

if TYPE_CHECKING:
    from arena.referee.events import BotNo
    from arena.submissions.bottoml import Manifest
    from arena.tournament.building import Build
    from arena.tournament.intake import Accepted, Intake, Listener, Refused, Workshop
    from arena.tournament.validation_watch import Trial

__all__ = [
    "HOUSE",
    "Setting",
    "require_image",
    "require_runnable",
    "take_in",
    "unchecked",
    "why_no_engine",
]

HOUSE: Final = "cautious"
"""The example bot that others are validated against."""

_OWNER: Final = "you"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How a bot is tried.

    Attributes:
        why_no_docker: Why bots run as plain processes and nothing is built; empty: they run in
            containers, as on the server.
        image: The image to use in place of its own; empty: its own.
        jobs: How many tables are played at once.
        keep: A folder for what is made on the way; None: it is thrown away.
    """

    why_no_docker: str = ""
    image: str = ""
    jobs: int = 1
    keep: Path | None = None

    @property
    def docker(self) -> bool:
        """Whether there are containers."""
        return not self.why_no_docker


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


def require_image(name: str) -> None:
    """Refuse an image that is neither one of a language nor known to the engine.

    Raises:
        HostFault: the engine does not answer.
        InputError: there is no such image.
    """
    from arena.sandbox.engine import connect
    from arena.sandbox.images import ALSO_KNOWN_AS, Language, find

    languages = sorted({*Language, *ALSO_KNOWN_AS})
    with contextlib.closing(connect()) as engine:
        if name not in languages and find(engine, name) is None:
            raise InputError(
                f"--image {quoted(name)}: there is no such image: name one of the languages "
                f"{', '.join(languages)}, or an image that the engine has"
            )


def require_runnable(bot: Manifest) -> None:
    """Refuse a bot whose program is not there to be run without a sandbox.

    One that a build makes is not looked for, and one of the bot's own only if its folder is known.

    Raises:
        BotError: it is not there.
    """
    is_own = os.sep in bot.run[0]
    if not bot.build and not (is_own and bot.folder == Path()):
        require_built(bot)


def take_in(upload: bytes | Path, setting: Setting, listener: Listener) -> Accepted | Refused:
    """Take in an archive, as the server does; nothing is left when this returns or raises.

    `upload` is what is in it, or the file that it is.

    Raises:
        HostFault: this machine could not do its part, or has no sandbox to build in.
        InputError: it is no file, or a program to run it without a sandbox is not there.
    """
    with contextlib.ExitStack() as stack:
        folder = _folder(setting, stack)
        if setting.docker:
            from arena.sandbox.reaper import reaping

            stack.enter_context(reaping(lambda text: remarks().print(printable(text))))
        intake = _intake(setting, folder, stack)
        archive = stack.enter_context(_archive(upload, folder))
        taken = intake.take(archive, _OWNER, listener, seed=secrets.token_bytes(32))
        if setting.keep is not None:
            _keep_log(taken, folder)
        return taken


def _folder(setting: Setting, stack: contextlib.ExitStack) -> Path:
    if setting.keep is not None:
        make_folder(setting.keep, "--keep")
        return setting.keep
    clear_dead()  # what one that was killed has left
    return stack.enter_context(owned_folder(stack.enter_context(life())))


@contextlib.contextmanager
def _archive(upload: bytes | Path, folder: Path) -> Iterator[int]:
    """The descriptor of an archive, which is written to `folder` if it is no file yet."""
    if isinstance(upload, bytes):
        with (folder / "bot.zip").open("w+b") as file:
            file.write(upload)
            file.flush()
            yield file.fileno()
        return
    try:
        descriptor = os.open(upload, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise InputError(f"{upload}: cannot be read: {error.strerror}") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise InputError(f"{upload}: is neither a folder nor a file")
        yield descriptor
    finally:
        os.close(descriptor)


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


class _NoBuilder:
    """Builds nothing, and says so; `why` there is no sandbox."""

    def __init__(self, why: str) -> None:
        self._why = why

    async def build(self, source: Path, bot: Manifest, image: str) -> Build:
        """See `building.Builder`."""
        raise HostFault(
            f"whether {bot.name} {bot.version} would be accepted cannot be told without Docker "
            f"({self._why}): its build {' '.join(bot.build)!r} is run in a sandbox only"
        )


def _no_image(bot: Manifest) -> str:
    require_runnable(bot)
    return ""


def _workshop(setting: Setting) -> Workshop:
    from arena.app import run_until_signalled
    from arena.tournament.building import DockerBuilder, ImageList
    from arena.tournament.intake import Workshop

    if not setting.docker:
        builder = _NoBuilder(setting.why_no_docker)
        return Workshop(builder=builder, image_of=_no_image, run=run_until_signalled)
    images = ImageList(instead=setting.image)
    return Workshop(builder=DockerBuilder(), image_of=images.id_of, run=run_until_signalled)


def unchecked(bot: Manifest) -> Iterator[str]:
    """What a trial without a sandbox cannot check, in words."""
    yield "that it does without a network, without other folders and without writing to its own"
    yield "that it keeps to the memory, processes and files that a sandbox gives it"
    yield "that it plays on well after it has been held still while others think"
    image = bot.image_name
    yield f"that it runs with the version of its language, and the packages, of the image {image}"
