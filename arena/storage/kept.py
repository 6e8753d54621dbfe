"""Which files a database speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from sqlalchemy import Connection, Select, select

from arena.storage.schema import ATTEMPTS, RESULTS, UPLOADS, VERSIONS

__all__ = ["Kept", "files_of"]

Kept = tuple[str, str]
"""A file: the name of its store, as in `folder.STORES`, and its digest."""

_COLUMNS: Final = (
    ("archives", UPLOADS.c.archive),
    ("archives", VERSIONS.c.archive),
    ("artefacts", VERSIONS.c.artefact),
    ("records", ATTEMPTS.c.record),
    ("records", RESULTS.c.record),
)
_AT_ONCE: Final = 1_000


def files_of(connection: Connection) -> list[Kept]:
    """Every file that a row names, once, in the order of stores and digests."""
    found: set[Kept] = set()
    for store, column in _COLUMNS:
        found.update((store, digest) for digest in connection.scalars(select(column)) if digest)
    found.update(("logs", digest) for digest in _logs(connection))
    return sorted(found)


def _logs(connection: Connection) -> Iterator[str]:
    for row in _each(connection, select(RESULTS.c.seats)):
        yield from _logs_of(row[0])
    for row in _each(connection, select(ATTEMPTS.c.report)):
        yield from _logs_of(row[0])


def _each(connection: Connection, query: Select[Any]) -> Iterable[Any]:
    return connection.execute(query, execution_options={"yield_per": _AT_ONCE})


def _logs_of(document: Any) -> Iterator[str]:
    """The logs of the seats in a report or in its list of seats, wherever they stand."""
    if isinstance(document, list):
        for part in document:
            yield from _logs_of(part)
    elif isinstance(document, dict):
        log = document.get("log")
        if isinstance(log, str) and log:
            yield log
        yield from _logs_of(document.get("seats"))
