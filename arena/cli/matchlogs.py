"""Folders that a match writes to, and what each bot wrote, in files of their own."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import tempfile
from typing import TYPE_CHECKING

import typer

from arena.errors import HostFault, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["alone_in", "make_folder", "write_logs"]


def make_folder(folder: Path, option: str) -> None:
    """Make sure that files can be written there, before anything is played.

    Raises:
        typer.BadParameter: the folder cannot be made, or nothing can be written there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        why = f"{folder}: cannot be written to: {error.strerror}"
        raise typer.BadParameter(why, param_hint=f"'{option}'") from None


@contextlib.contextmanager
def alone_in(folder: Path, option: str) -> Iterator[None]:
    """Have a folder for this run alone: what two runs write there could not be told apart.

    Raises:
        InputError: another run has it.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"{option} {folder}: another run writes there; name another one") from None
    else:
        yield
    finally:
        os.close(descriptor)


def write_logs(folder: Path, names: Sequence[str], logs: Sequence[str]) -> None:
    """Write each log to `<number>-<name>.log`, whole or not at all; numbers begin with 1.

    Raises:
        HostFault: one cannot be written.
    """
    for number, (name, log) in enumerate(zip(names, logs, strict=True), 1):
        safe = re.sub(r"[^A-Za-z0-9._-]", "_", name)
        path = folder / f"{number}-{safe}.log"
        try:
            _write(path, log)
        except OSError as error:
            raise HostFault(f"{path}: cannot be written: {error.strerror}") from None


def _write(path: Path, text: str) -> None:
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
