"""How SQLite and PostgreSQL are opened, so that both promise the same.

A transaction that has been committed survives a loss of power, one that has not leaves nothing,
and whoever reads sees one moment of the database from the first row to the last.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from arena.errors import InputError, quoted

__all__ = ["READERS", "parse_url", "reading_engine", "sqlite_url", "writing_engine"]

READERS: Final = 32
"""How many may read at once; who comes later waits for one of them."""

_POOL: Final = 8
_ONE: Final[dict[str, Any]] = {"pool_size": 1, "max_overflow": 0, "pool_timeout": 60}
_POSTGRESQL: Final = "postgresql+psycopg"


def sqlite_url(path: Path) -> URL:
    """The address of a database that is a file."""
    return URL.create("sqlite", database=str(path))


def parse_url(text: str) -> URL:
    """The address of a PostgreSQL database.

    Raises:
        InputError: it is none. The message does not quote it: it may hold a password.
    """
    try:
        url = make_url(text)
    except ArgumentError:
        raise InputError(
            "database: is no address; must be like postgresql+psycopg://NAME@HOST/DATABASE"
        ) from None
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername=_POSTGRESQL)
    if url.drivername != _POSTGRESQL:
        raise InputError(
            f"database: {quoted(url.drivername)} is not known; leave it out for SQLite, "
            f"or begin with {_POSTGRESQL}://"
        )
    return url


def writing_engine(url: URL, *, busy: int, name: str = "arena") -> Engine:
    """For the one connection that writes; `busy` milliseconds are waited for SQLite's lock."""
    if _is_sqlite(url):
        engine = _engine(url, **_ONE)
        _prepare_sqlite(engine, busy=busy, begin="BEGIN IMMEDIATE")
        return engine
    return _postgresql(url, name, isolation_level="SERIALIZABLE", **_ONE)


def reading_engine(url: URL, *, busy: int, name: str = "arena reads") -> Engine:
    """For those that read, and can do no more than that."""
    sizes: dict[str, Any] = {**_ONE, "pool_size": _POOL, "max_overflow": READERS - _POOL}
    if _is_sqlite(url):
        engine = _engine(url, **sizes)
        _prepare_sqlite(engine, busy=busy, begin="BEGIN", query_only=True)
        return engine
    return _postgresql(
        url, name, options="-c default_transaction_read_only=on",
        isolation_level="REPEATABLE READ", **sizes,
    )  # fmt: skip


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _postgresql(url: URL, name: str, *, options: str = "", **engine: Any) -> Engine:
    given = url.query.get("options", "")
    given = given if isinstance(given, str) else " ".join(given)
    arguments = {
        "application_name": name[:63],
        "connect_timeout": 5,
        # A commit is on the disk when it is acknowledged, whatever the server's own setting.
        "options": f"-c synchronous_commit=on -c timezone=UTC {options} {given}".strip(),
        # A peer that is gone without a word is noticed within half a minute.
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    }
    try:
        return _engine(url, connect_args=arguments, pool_pre_ping=True, **engine)
    except (ImportError, NoSuchModuleError):
        raise InputError(
            "database: PostgreSQL needs the extra of that name: pip install mille-arena[postgresql]"
        ) from None


def _engine(url: URL, **options: Any) -> Engine:
    # What is stored may be somebody's secret: no message quotes it.
    return create_engine(url, hide_parameters=True, **options)


def _prepare_sqlite(engine: Engine, *, busy: int, begin: str, query_only: bool = False) -> None:
    pragmas = [
        f"busy_timeout = {busy}",
        "journal_mode = WAL",  # stays in the file
        "synchronous = FULL",  # in WAL, NORMAL may lose the last commits with the power
        "foreign_keys = ON",
        f"query_only = {'ON' if query_only else 'OFF'}",
    ]
    if query_only:
        pragmas.remove("journal_mode = WAL")

    @event.listens_for(engine, "connect")
    def _connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)
