"""Going through a whole archive: every byte of it is unpacked, and `bot.toml` is read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import BotError, SubmissionError
from arena.submissions.archive import Entry, read_archive
from arena.submissions.bottoml import FILE_NAME, Manifest, parse_manifest
from arena.submissions.limits import ArchiveLimits, Rule

__all__ = ["Sink", "Submission", "check_content"]

Sink = Callable[[Entry, Iterator[bytes]], None]
"""Takes every entry, in the order of their names, and the content of a file to its end."""

_NOWHERE: Final = Path()


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """An archive that has passed: what is in it.

    `digest` is the SHA-256 of its bytes in hexadecimal digits, `files` the number of files,
    `unpacked` the bytes in them.
    """

    digest: str
    manifest: Manifest
    files: int
    unpacked: int


def check_content(
    content: bytes, limits: ArchiveLimits, sink: Sink, folder: Path = _NOWHERE
) -> Submission:
    """Check an archive, and hand all that is in it to `sink`; `folder` is for the manifest.

    Raises:
        SubmissionError: a rule is broken; the message names the entry and the rule. What the sink
            has got until then is worth nothing.
    """
    archive = read_archive(content, limits)
    manifest: Manifest | None = None
    files = unpacked = 0
    for entry in archive.entries:
        pieces = archive.pieces(entry)
        if entry.parts == (FILE_NAME,):
            text = b"".join(pieces)
            manifest = _manifest(text, folder)
            pieces = iter([text])
        sink(entry, pieces)
        for _ in pieces:  # whatever a sink leaves must be right all the same
            pass
        files += not entry.is_folder
        unpacked += entry.size
    assert manifest is not None
    return Submission(
        digest=hashlib.sha256(content).hexdigest(),
        manifest=manifest,
        files=files,
        unpacked=unpacked,
    )


def _manifest(text: bytes, folder: Path) -> Manifest:
    try:
        return parse_manifest(text, FILE_NAME, folder)
    except BotError as error:
        raise SubmissionError(Rule.MANIFEST, str(error)) from None
