"""Building a bot in a container of its own, without a network, and what its author is told of it.

    source folder -- DockerSlot.build --> frames --> ArtefactReceiver --> the bytes of an archive

The container is gone when a build is over, and with it everything but that stream: there is no
cache and no folder that two builds share. It holds the sources, the image and nothing else, so a
build can read nothing that is not its author's.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from arena.errors import BotError, SubmissionError, quoted
from arena.sandbox import slots
from arena.sandbox.docker import Built, DockerLauncher
from arena.sandbox.engine import connect
from arena.sandbox.images import ALSO_KNOWN_AS, Language, resolve
from arena.sandbox.launcher import CappedLog, Program, last_lines
from arena.sandbox.policy import BUILDING, MIB, Policy
from arena.submissions.artefact import ArtefactReceiver
from arena.submissions.bottoml import FILE_NAME, Manifest
from arena.submissions.limits import Rule

if TYPE_CHECKING:
    from docker import APIClient

    from arena.sandbox.wrapframes import Frame

__all__ = ["BUILD_TIME", "Build", "Builder", "DockerBuilder", "ImageList", "shown_log"]

BUILD_TIME: Final = 120.0
"""Seconds that a build may take, with the copying of all that it leaves."""

_HEAD_LINES: Final = 10
_TAIL_LINES: Final = 20
_DISK_FULL: Final = "No space left on device"


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """What came of a build.

    Attributes:
        problem: Why it failed, for its author; empty if it did not.
        artefact: The archive of what it left.
        log: The first and the last lines of what it wrote, safe for a terminal.
        processor_time: Seconds that it has used; None: not known.
        peak: The most memory that it held at once, in bytes; None: not known.
    """

    problem: str = ""
    artefact: bytes = field(default=b"", repr=False)
    log: tuple[str, ...] = ()
    processor_time: float | None = None
    peak: int | None = None


class Builder(Protocol):
    """Builds bots; `DockerBuilder` does, and tests have one that does not."""

    async def build(self, source: Path, bot: Manifest, image: str) -> Build:
        """Run the build command of `bot` over the files in `source`, in the image of that id.

        Raises:
            HostFault: this machine is to blame.
        """


class DockerBuilder:
    """Builds in containers; `limit` is in seconds, `runtime` the engine's for them."""

    def __init__(
        self, *, policy: Policy = BUILDING, limit: float = BUILD_TIME, runtime: str = ""
    ) -> None:
        self._policy = policy
        self._limit = limit
        self._runtime = runtime

    async def build(self, source: Path, bot: Manifest, image: str) -> Build:
        """See `Builder`."""
        log = CappedLog()
        receiver = ArtefactReceiver((source / FILE_NAME).read_bytes())
        built: Built | None = None
        artefact = b""
        try:
            built = await self._run(
                Program(command=bot.build, folder=source, image=image), log, (receiver)
            )
            problem = self._problem(built, log.text())
            if not problem:
                artefact = receiver.packed()
        except SubmissionError as error:
            problem = f"what it leaves is refused: {error}"
        except BotError as error:
            problem = str(error)
        return Build(
            problem=problem,
            artefact=artefact,
            log=shown_log(log.text()),
            processor_time=None if built is None else built.exit.processor_time,
            peak=None if built is None else built.exit.peak,
        )

    async def _run(self, program: Program, log: CappedLog, receiver: ArtefactReceiver) -> Built:
        def receive(frame: Frame) -> None:
            (receiver.begin if frame.kind == "F" else receiver.add)(frame.content)

        with slots.life() as owner, contextlib.closing(connect()) as engine:
            launcher = DockerLauncher(engine, owner, policy=self._policy, runtime=self._runtime)
            slot = await launcher.make_ready(program)
            try:
                return await slot.build(self._limit, log, receive)
            finally:
                await slot.close()

    def _problem(self, built: Built, log: str) -> str:
        """Why a build has failed, in words for its author; empty if it has not."""
        policy = self._policy
        if not built.is_good:
            problem = f"it {built.exit.how}"
            if built.exit.killed_besides:
                problem += (
                    f"; {built.exit.killed_besides} of what it started was killed for memory: "
                    f"together they may have {policy.memory // MIB} MiB"
                )
            if _DISK_FULL in log:
                problem += (
                    f"; by its log the disk was full: a build has {policy.work // MIB} MiB and "
                    f"{policy.work_files} files, and {policy.temporary // MIB} MiB in /tmp"
                )
            return problem
        if built.left_out_count:
            more = built.left_out_count - 1
            others = f" and {more} more" if more else ""
            return (
                f"what it leaves is refused: {quoted(built.left_out[0], 200)}{others}: is neither "
                "file nor folder, or too deep; let the build remove links, pipes and sockets "
                f"(rule: {Rule.KIND})"
            )
        return ""


def shown_log(text: str) -> tuple[str, ...]:
    """The first and the last lines of a log, printable and of bounded length."""
    lines = last_lines(text, len(text))
    left_out = len(lines) - _HEAD_LINES - _TAIL_LINES
    if left_out <= 0:
        return tuple(lines)
    gap = f"[... {left_out} lines ...]"
    return (*lines[:_HEAD_LINES], gap, *lines[-_TAIL_LINES:])


class ImageList:
    """The images that an organiser offers: one for each language, and `more` by name.

    `more` are names or ids of images, by what a `bot.toml` calls them. `instead` is used for every
    bot, whatever it asks for; empty: none is.
    """

    def __init__(self, *, more: Mapping[str, str] | None = None, instead: str = "") -> None:
        self._more = dict(more or {})
        self._instead = instead

    def id_of(self, bot: Manifest) -> str:
        """The id of the image that a bot is built in and plays in.

        Raises:
            SubmissionError: it asks for one that is not offered.
            HostFault: the image is missing, or no program may run in it.
        """
        name = self._instead or bot.image_name
        known = {*Language, *ALSO_KNOWN_AS, *self._more}
        if not self._instead and name not in known:
            what = f"image {quoted(bot.image)}" if bot.image else f"language {quoted(name)}"
            raise SubmissionError(
                Rule.MANIFEST,
                f"{what}: there is no such image here; image must be one of "
                f"{', '.join(sorted(known))}",
                FILE_NAME,
            )
        with _engine() as engine:
            return resolve(engine, self._more.get(name, name)).id


@contextlib.contextmanager
def _engine() -> Iterator[APIClient]:
    with contextlib.closing(connect()) as engine:
        yield engine
