"""`arena pack`: a bot's folder as the archive that is uploaded."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.output import JsonOption, print_json, printable, results
from arena.errors import BotError
from arena.submissions.limits import ArchiveLimits
from arena.submissions.packing import Packed, pack_folder

__all__ = ["pack"]

_ZIP: Final = b"PK"
_SHOWN: Final = 20


def pack(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", exists=True, file_okay=False, help="The folder with the bot's bot.toml."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Where the archive goes. Without it: NAME.zip in the present folder, with the "
            "name of the bot's folder.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Pack a bot into the archive that the arena accepts.

    Writes it to the present folder, unless --out says otherwise.

    Says what it has left out and why: hidden files, caches, virtual environments. What would be
    refused is refused here, and nothing is written. Equal files make equal archives.
    """
    output = out or Path(f"{folder.resolve().name or 'bot'}.zip")
    _check_output(output)
    packed = pack_folder(folder, ArchiveLimits(), output)
    _write(output, packed.content)
    if as_json:
        print_json(_as_json(output, packed))
    else:
        _print(output, packed)


def _check_output(output: Path) -> None:
    """Refuse to write over something that is no archive of ours.

    Raises:
        BotError: there is such a thing, or there can be nothing.
    """
    try:
        if output.is_dir() or (os.path.lexists(output) and not output.is_file()):
            raise BotError(f"{output}: is no file; --out names the archive, such as mybot.zip")
        if output.is_file():
            with output.open("rb") as file:
                start = file.read(len(_ZIP))
            if start != _ZIP:
                raise BotError(f"{output}: exists and is no archive; take another name")
    except OSError as error:
        raise BotError(f"{output}: cannot be written: {error.strerror}") from None


def _write(output: Path, content: bytes) -> None:
    """Write the archive aside and then rename it: it is there whole or not at all."""
    try:
        descriptor, aside = tempfile.mkstemp(prefix=".pack-", dir=output.parent)
    except OSError as error:
        raise _unwritable(output, error) from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(descriptor, 0o644)
            os.fsync(descriptor)
        os.replace(aside, output)
    except BaseException as error:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(aside)
        if isinstance(error, OSError):
            raise _unwritable(output, error) from None
        raise


def _unwritable(output: Path, error: OSError) -> Exception:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return error  # no fault of whoever typed it
    return BotError(f"{output}: cannot be written: {error.strerror}")


def _as_json(output: Path, packed: Packed) -> dict[str, object]:
    return {
        "file": str(output),
        "bytes": len(packed.content),
        "files": list(packed.files),
        "unpacked": packed.submission.unpacked,
        "sha256": packed.submission.digest,
        "left_out": [{"path": one.path, "why": one.why} for one in packed.left_out],
    }


def _print(output: Path, packed: Packed) -> None:
    console = results()
    for one in packed.left_out[:_SHOWN]:
        console.print(f"left out  {printable(one.path)}  ({one.why})", soft_wrap=True)
    if len(packed.left_out) > _SHOWN:
        console.print(f"left out  {len(packed.left_out) - _SHOWN} more; --json lists all")
    bot = packed.submission.manifest
    console.print(
        f"{printable(str(output))}: {bot.name} {bot.version}, {len(packed.files)} files with "
        f"{packed.submission.unpacked} bytes, packed {len(packed.content)} bytes",
        soft_wrap=True,
    )
    console.print(f"SHA-256 {packed.submission.digest}")
