"""Does the SQLite that Python is linked with have a bug that can lose what was committed?

Up to 3.51.2 two connections that write and checkpoint at the same instant can do so ("WAL-reset").
A server has one connection that writes, and nobody else may write to its file; so this is advice.
"""

from __future__ import annotations

import sqlite3
from typing import Final

__all__ = ["is_wal_reset_mended", "wal_reset_advice"]

_MENDED: Final = ((3, 44, 6), (3, 50, 7), (3, 51, 3))
"""The first releases with the fix, of the branches that have got it."""


def is_wal_reset_mended(version: tuple[int, ...]) -> bool:
    """Whether a release of SQLite has the fix."""
    if version >= _MENDED[-1]:
        return True
    return any(version[:2] == first[:2] and version >= first for first in _MENDED)


def wal_reset_advice() -> str:
    """One line of advice for the SQLite that runs here; empty if it is fine."""
    if is_wal_reset_mended(sqlite3.sqlite_version_info):
        return ""
    mended = " / ".join(".".join(map(str, one)) for one in _MENDED)
    return (
        f"SQLite {sqlite3.sqlite_version} can lose commits when two connections write to one file: "
        f"the server has one only, so let nothing else write to it; {mended} have the fix"
    )
