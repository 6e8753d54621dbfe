"""PostgreSQL's lock against a second server on one database: held by the session that writes."""

from __future__ import annotations

import contextlib
from typing import Any, Final

from arena.errors import HostFault

__all__ = ["take_advisory_lock"]

_KEY: Final = 0x6172656E  # "aren"
_WAIT: Final = "5s"
_ENDING: Final = "1s"
"""In which the session of a server that has just ended has ended too, for nobody waits for that."""
_NOT_AVAILABLE: Final = "55P03"  # lock_not_available, of PostgreSQL's error codes

_HOLDER: Final = """
    SELECT a.pid, a.application_name, to_char(a.backend_start, 'YYYY-MM-DD HH24:MI:SS')
    FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND l.classid = %s AND l.objid::bigint = hashtext(current_schema())::bigint & 4294967295
"""


def take_advisory_lock(connection: Any, name: str, title: str) -> None:
    """Take the lock for a psycopg connection whose session is called `name`.

    A session of the same name is an earlier connection of this very process whose end the server
    has not noticed: it is ended.

    Raises:
        HostFault: another server has it; `title` is what the database is called.
    """
    try:
        if not _try(connection):
            _judge(connection, name, title)
        connection.commit()
    except BaseException:
        with contextlib.suppress(Exception):
            connection.close()
        raise


def _judge(connection: Any, name: str, title: str) -> None:
    from psycopg import OperationalError  # noqa: PLC0415 - not installed for SQLite alone

    holder = connection.execute(_HOLDER, [_KEY]).fetchone()
    is_another = holder is not None and holder[1] != name[:63]
    if holder is not None and not is_another:
        connection.execute("SELECT pg_terminate_backend(%s)", [holder[0]])
    connection.execute(f"SET LOCAL lock_timeout = '{_ENDING if is_another else _WAIT}'")
    try:
        connection.execute("SELECT pg_advisory_lock(%s, hashtext(current_schema()))", [_KEY])
    except OperationalError as error:
        if not is_another or error.sqlstate != _NOT_AVAILABLE:
            raise
        raise HostFault(
            f"database {title}: another server writes to it: {holder[1] or 'a session'}, "
            f"connected since {holder[2]} UTC"
        ) from None


def _try(connection: Any) -> bool:
    query = "SELECT pg_try_advisory_lock(%s, hashtext(current_schema()))"
    return bool(connection.execute(query, [_KEY]).fetchone()[0])
