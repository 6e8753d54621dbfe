"""Reading the files that a command is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.errors import CaseFileError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_text"]

MOST: Final = 64 * 2**20
"""Bytes of a file that are read; one that never ends, such as a device, is refused."""


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        CaseFileError: it cannot be read or is not UTF-8; the message names the file and why.
    """
    if path.is_dir():
        raise CaseFileError(f"{path}: is a folder; name its files, e.g. {path / '*.json'}")
    try:
        with path.open("rb") as file:
            content = file.read(MOST + 1)
        if len(content) > MOST:
            raise CaseFileError(f"{path}: larger than {MOST // 2**20} MiB")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CaseFileError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise CaseFileError(f"{path}: cannot be read: {error.strerror}") from None
