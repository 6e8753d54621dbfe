"""Keeping the record of an attempt in a file."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from arena.engine.version import ENGINE_VERSION
from arena.errors import HostFault
from arena.referee.match import Match
from arena.referee.record import RecordWriter, header
from arena.submissions.manifest import digest_of
from arena.tournament.matches import MatchSpec

__all__ = ["keep_record", "record_path"]


def record_path(folder: Path, spec: MatchSpec) -> Path:
    """Where the record of an attempt is kept."""
    return folder / f"{spec.name}.jsonl"


@contextlib.contextmanager
def keep_record(spec: MatchSpec, match: Match) -> Iterator[RecordWriter | None]:
    """Keep the record of a match, if its venue wants one; None: it does not.

    Raises:
        HostFault: it cannot be written.
    """
    folder = spec.venue.records
    if folder is None:
        yield None
        return
    path = record_path(folder, spec)
    with _writing(path):
        _set_aside(path)
        file = path.open("xb", buffering=0)

    def sink(lines: bytes) -> None:
        with _writing(path):
            # Unbuffered: what is in the file survives the end of this process, however it comes.
            while lines:
                lines = lines[file.write(lines) :]  # what did not fit on a full disk fails then

    facts = {
        "match": spec.name,
        "attempt": spec.attempt,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "bots": [
            {"name": bot.name, "version": bot.version, "digest": digest_of(bot)}
            for bot in spec.bots
        ],
        # Whoever plays a game again gives its bots the chance that they had.
        "bot_seeds": [
            [spec.bot_seed(bot, leg) for bot in range(len(spec.bots))]
            for leg in range(len(spec.legs))
        ],
        "boards": spec.boards,
        "sandbox": str(spec.venue.sandbox),
        "images": spec.venue.images,
        "pondering": str(spec.venue.pondering),
        **spec.facts,
    }
    first = header(match.plan, engine=ENGINE_VERSION, facts=facts)
    with file:
        writer = RecordWriter(match.plan, first, sink)
        try:
            yield writer
        finally:
            writer.flush()
        with _writing(path):
            os.fsync(file.fileno())


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HostFault(f"record {path}: cannot be written: {error.strerror}") from None


def _set_aside(path: Path) -> None:
    """Keep what an attempt of the same name has left that was broken off, under another name."""
    if not path.exists():
        return
    for number in itertools.count(1):
        other = path.with_suffix(f".broken-off-{number}")
        if not other.exists():
            path.rename(other)
            return
