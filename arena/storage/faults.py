"""What a database says when it fails, as one line for people, and whether to try again."""

from __future__ import annotations

import sqlite3
from typing import Final

from sqlalchemy import URL
from sqlalchemy.exc import (
    DatabaseError,
    DataError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    NotSupportedError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from arena.errors import HostFault

__all__ = ["as_host_fault", "is_busy", "is_cut", "is_worth_repeating", "shown_url"]

_LONGEST: Final = 300

_BUGS: Final = (DataError, IntegrityError, NotSupportedError, ProgrammingError)
"""What our own statements are to blame for, or what a repository has to judge."""

_AGAIN: Final = frozenset(
    {
        "40001",  # serialization failure
        "40P01",  # deadlock
        "55P03",  # a lock could not be had
    }
)
_CUT: Final = frozenset(
    {
        "57P01",  # the server is being shut down
        "57P02",  # it has crashed
        "57P03",  # it is starting
        "57P05",  # the session was idle for too long
        "53300",  # it has too many connections
    }
)


def shown_url(url: URL) -> str:
    """A database's address without anything that is a secret."""
    if url.get_backend_name() == "sqlite":
        return url.database or "in memory"
    return url.set(query={}).render_as_string(hide_password=True)


def is_busy(error: BaseException) -> bool:
    """Whether SQLite says that somebody else has the file locked."""
    cause = getattr(error, "orig", None)
    if not isinstance(cause, sqlite3.OperationalError):
        return False
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_cut(error: BaseException) -> bool:
    """Whether the connection to PostgreSQL is gone, or cannot be had at present."""
    if not isinstance(error, DBAPIError) or isinstance(error.orig, sqlite3.Error):
        return False
    state = _state(error)
    if error.connection_invalidated or state in _CUT or state.startswith("08"):
        return True
    # Without a state the server has said nothing: there was none to be reached.
    return not state and isinstance(error, (InterfaceError, DatabaseError)) and not _is_bug(error)


def is_worth_repeating(error: BaseException) -> bool:
    """Whether the same transaction may well succeed if it is done again from its beginning."""
    if is_busy(error) or is_cut(error):
        return True
    return isinstance(error, DBAPIError) and _state(error) in _AGAIN


def as_host_fault(error: SQLAlchemyError, url: URL) -> HostFault | None:
    """The fault of this machine that an error is; None: it is none, but a bug or a judgement."""
    if _is_bug(error) or not isinstance(error, (DBAPIError, PoolTimeout)):
        return None
    cause = getattr(error, "orig", None) or error
    text = " ".join(str(cause).split()) or type(cause).__name__
    if url.password:
        text = text.replace(str(url.password), "***")
    if is_busy(error):
        text = f"somebody else has it locked all the time ({text})"
    return HostFault(f"database {shown_url(url)}: {text[:_LONGEST]}")


def _is_bug(error: BaseException) -> bool:
    return isinstance(error, _BUGS)


def _state(error: DBAPIError) -> str:
    return getattr(error.orig, "sqlstate", None) or ""
