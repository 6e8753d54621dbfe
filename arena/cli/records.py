"""Opening the records that a command is given."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, Final

from arena.cli.output import printable
from arena.errors import InputError
from arena.referee.replay import Replay, load

if TYPE_CHECKING:
    from pathlib import Path

    from arena.referee.heading import Header

__all__ = ["MAY_BE_PIPED", "bot_labels", "load_record", "open_record"]

MAY_BE_PIPED: Final = 64 * 2**20
"""Bytes of a record that comes through a pipe; it is read twice, so it has to be kept."""

_LONGEST_NAME: Final = 24


@contextlib.contextmanager
def open_record(path: Path) -> Iterator[BinaryIO]:
    """A record as a file that can be read twice.

    Raises:
        InputError: it cannot be read; the message says why, without the path.
    """
    if path.is_dir():
        raise InputError(f"is a folder; name its files, e.g. {path / '*.jsonl'}")
    try:
        with path.open("rb") as file:
            yield file if file.seekable() else _kept(file)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}") from None


def _kept(pipe: BinaryIO) -> BinaryIO:
    content = pipe.read(MAY_BE_PIPED + 1)
    if len(content) > MAY_BE_PIPED:
        raise InputError(f"longer than {MAY_BE_PIPED // 2**20} MiB, and no file: save it as one")
    return io.BytesIO(content)


def load_record(path: Path) -> Replay:
    """Read and verify a record.

    Raises:
        InputError: it cannot be read, is none, was broken off, or does not hold; the message names
            the file, and the first line that is wrong.
    """
    try:
        with open_record(path) as file:
            return load(file)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def bot_labels(header: Header) -> tuple[str, ...]:
    """What the bots are called in the terminal, by number; a name may hold anything."""
    return tuple(_label(bot.name, bot.version) for bot in header.bots)


def _label(name: str, version: str) -> str:
    text = printable(f"{name} {version}".strip()) or "nameless"
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 3]}..."
