"""All rows of one database in another one with the same tables, whichever kind the two are."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, Table, delete, func, insert, select, text

from arena.storage.schema import METADATA

__all__ = ["copy_rows"]

_AT_ONCE: Final = 500


def copy_rows(source: Connection, target: Connection) -> None:
    """Put the rows of `source` into `target`, whose tables hold nothing but what migrations put."""
    for table in reversed(METADATA.sorted_tables):
        target.execute(delete(table))
    for table in METADATA.sorted_tables:  # a row comes after those that it refers to
        _copy(table, source, target)
        if target.dialect.name == "postgresql":
            _count_on(table, target)


def _copy(table: Table, source: Connection, target: Connection) -> None:
    options = {"yield_per": _AT_ONCE}
    query = select(table).order_by(*table.primary_key.columns)
    for rows in source.execute(query, execution_options=options).mappings().partitions():
        target.execute(insert(table), [dict(row) for row in rows])


def _count_on(table: Table, target: Connection) -> None:
    """The next number is one above the highest; SQLite sees to that by itself."""
    column = table.autoincrement_column
    if column is None:
        return
    highest = target.scalar(select(func.max(column)))
    if highest is not None:
        query = text("SELECT setval(pg_get_serial_sequence(:table, :column), :highest)")
        values = {"table": table.name, "column": column.name, "highest": highest}
        target.execute(query, values)
