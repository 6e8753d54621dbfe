"""Reading the files that a command is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.errors import CaseFileError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_text"]


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        CaseFileError: it cannot be read or is not UTF-8; the message names the file and why.
    """
    if path.is_dir():
        raise CaseFileError(f"{path}: is a folder; name its files, e.g. {path / '*.json'}")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise CaseFileError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise CaseFileError(f"{path}: cannot be read: {error.strerror}") from None
