"""From a bot's folder to exactly the archive that the arena accepts, the same bytes each time."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import BotError, SubmissionError
from arena.submissions.archive import Entry
from arena.submissions.checking import Submission, check_content
from arena.submissions.limits import ArchiveLimits, Rule, shown_size
from arena.submissions.manifest import read_manifest
from arena.submissions.selecting import LeftOut, select
from arena.submissions.zipwriter import Member, write_zip

__all__ = ["Packed", "pack_folder"]

_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A packed bot: the bytes of its archive, what is in it, and what was left out."""

    content: bytes
    submission: Submission
    files: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def pack_folder(folder: Path, limits: ArchiveLimits, output: Path | None = None) -> Packed:
    """Pack the bot in a folder, and check the archive as the arena would.

    Files get the modes 0644 and 0755 and one time for all, so equal files make equal bytes.
    `output` is where the archive is going to be, which is not packed.

    Raises:
        BotError: its `bot.toml` is missing or wrong, or something cannot be read.
        SubmissionError: the arena would refuse it; the message names the file and the rule.
    """
    manifest = read_manifest(folder)
    try:
        selection = select(
            folder,
            limits,
            is_built=bool(manifest.build),
            program=manifest.run[0],
            output=output,
        )
        content = write_zip(list(_members(folder, selection.files, limits)), ratio=limits.ratio)
    except OSError as error:
        raise BotError(f"{error.filename or folder}: {error.strerror}") from None
    return Packed(
        content=content,
        submission=check_content(content, limits, _forget, manifest.folder),
        files=tuple(selection.files),
        left_out=tuple(selection.left_out),
    )


def _members(folder: Path, files: list[str], limits: ArchiveLimits) -> Iterator[Member]:
    left = limits.unpacked
    for name in files:
        descriptor = os.open(folder / name, _READ)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise SubmissionError(Rule.KIND, "is no file any more", name)
            content = file.read(left + 1)
        left -= len(content)
        if left < 0:
            most = shown_size(limits.unpacked)
            raise SubmissionError(
                Rule.UNPACKED, f"with it the files have more than {most} together", name
            )
        yield Member(name, bool(status.st_mode & stat.S_IXUSR), content)


def _forget(_entry: Entry, pieces: Iterator[bytes]) -> None:
    for _ in pieces:
        pass
