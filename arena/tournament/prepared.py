"""Bots that need a build, built for a match that an organiser plays from their folders.

    folder -- pack, check --> source -- build in a sandbox --> artefact -- unpack --> folder

The steps are those of an upload (`intake`), with the same limits, so what plays is what would play
after an upload. Nothing is stored or validated.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from arena.errors import BotError, HostFault, SubmissionError
from arena.submissions.artefact import ARTEFACT_BOUNDS, ARTEFACT_LIMITS
from arena.submissions.bottoml import Manifest
from arena.submissions.intake import Intake as ArchiveCheck
from arena.submissions.limits import ArchiveLimits
from arena.submissions.packing import pack_folder
from arena.tournament.building import Build, Builder
from arena.tournament.intake import Runner

__all__ = ["built"]

_LAST_LINES: Final = 3


def built(
    bots: Sequence[Manifest], images: Sequence[str], work: Path, builder: Builder, run: Runner
) -> tuple[Manifest, ...]:
    """The bots, those that have a build with the folder of what it left; the others unchanged.

    A bot that plays twice in one image is built once. What is built lies in new folders below
    `work`, which is there as long as the bots are needed, and is the caller's to remove.

    Args:
        bots: Each with its folder.
        images: The id of the image of each.
        work: An empty folder.
        builder: What builds them.
        run: Runs one build to its end, as `app.run_until_signalled` does.

    Raises:
        BotError: a bot cannot be packed or built; one line, with the last ones of the build.
        HostFault: this machine is to blame.
    """
    made: dict[tuple[Path, str], Path] = {}
    found = []
    for bot, image in zip(bots, images, strict=True):
        key = bot.folder, image
        if bot.build and key not in made:
            place = work / f"bot-{len(made)}"
            _build(bot, image, place, builder, run)
            made[key] = place / "bot"
        found.append(replace(bot, folder=made[key]) if bot.build else bot)
    return tuple(found)


def _build(bot: Manifest, image: str, place: Path, builder: Builder, run: Runner) -> None:
    """Pack, build and unpack a bot into the folder `bot` of the new folder `place`."""
    try:
        place.mkdir()
    except OSError as error:
        raise HostFault(f"{place}: cannot be made: {error.strerror}") from None
    source, whose = place / "source", f"bot {bot.name!r}"
    try:
        content = pack_folder(bot.folder, ArchiveLimits()).content
        with _in_file(content, place) as archive:
            ArchiveCheck().unpack(archive, source)
    except SubmissionError as error:
        raise BotError(f"{whose}: cannot be packed to be built: {error}") from None
    build = run(builder.build(source, bot, image))
    if build.problem:
        raise BotError(f"{whose}: its build failed: {_told(build)}")
    check = ArchiveCheck(limits=ARTEFACT_LIMITS, bounds=ARTEFACT_BOUNDS)
    try:
        with _in_file(build.artefact, place) as archive:
            check.unpack(archive, place / "bot")
    except SubmissionError as error:
        raise BotError(f"{whose}: what its build leaves is refused: {error}") from None


def _told(build: Build) -> str:
    last = " | ".join(line.strip() for line in build.log[-_LAST_LINES:])
    return f"{build.problem}; it wrote: {last}" if last else build.problem


@contextmanager
def _in_file(content: bytes, place: Path) -> Iterator[int]:
    """The descriptor of a file with this content, which is gone afterwards."""
    with tempfile.TemporaryFile(dir=place) as file:
        try:
            file.write(content)
            file.flush()
        except OSError as error:
            raise HostFault(f"{place}: {error.strerror}") from None
        yield file.fileno()
