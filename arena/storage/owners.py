"""Who enters bots."""

from __future__ import annotations

import re
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, insert, select, update

from arena.errors import InputError, quoted
from arena.storage.database import Database
from arena.storage.facts import Clock, Moment, Owner, Page
from arena.storage.inputs import checked_text
from arena.storage.paging import Pager
from arena.storage.schema import OWNERS

__all__ = ["Owners", "owner_number"]

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_LONGEST_WHY: Final = 500


class Owners:
    """The owners in a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._pager = Pager(database, "owners")

    def create(self, name: str) -> Owner:
        """Add an owner.

        Raises:
            InputError: that is no name for one, or it is taken.
        """
        if not _NAME.fullmatch(name):
            raise InputError(
                f"owner {quoted(name)}: must be 1 to 64 of a-z 0-9 _ -, not beginning with _ or -"
            )

        def work(connection: Connection) -> Owner:
            if _row(connection, name) is not None:
                raise InputError(f"owner {quoted(name)}: there is one of this name already")
            connection.execute(insert(OWNERS).values(name=name, created=self._clock()))
            return _existing(connection, name)

        return self._database.write(work)

    def find(self, name: str) -> Owner | None:
        """The owner of this name, if there is one."""
        if not _NAME.fullmatch(name):
            return None
        row = self._database.read(lambda connection: _row(connection, name))
        return None if row is None else _owner(row)

    def list(self, page_size: int = 100, page_token: str = "") -> Page[Owner]:
        """All owners, by name.

        Raises:
            InputError: see `Pager`.
        """
        after = self._pager.after(page_size, page_token)
        query = select(OWNERS).order_by(OWNERS.c.name).limit(page_size + 1)
        if after:
            query = query.where(OWNERS.c.name > after[0])
        rows = self._database.read(lambda connection: connection.execute(query).mappings().all())
        return self._pager.page([_owner(row) for row in rows], page_size, lambda one: (one.name,))

    def suspend(self, name: str, why: str) -> Owner:
        """Have an owner do nothing for the time being; `why` is told to it.

        Raises:
            InputError: there is no such owner, or no reason.
        """
        return self._change(name, checked_text("reason", why, _LONGEST_WHY, least=1))

    def resume(self, name: str) -> Owner:
        """Take a suspension back.

        Raises:
            InputError: there is no such owner.
        """
        return self._change(name, "")

    def _change(self, name: str, suspended: str) -> Owner:
        def work(connection: Connection) -> Owner:
            number = owner_number(connection, name)
            change: dict[str, Any] = {"suspended": suspended}
            connection.execute(update(OWNERS).where(OWNERS.c.number == number).values(change))
            return _existing(connection, name)

        return self._database.write(work)


def owner_number(connection: Connection, name: str) -> int:
    """The number of an owner.

    Raises:
        InputError: there is none of this name.
    """
    row = _row(connection, name) if _NAME.fullmatch(name) else None
    if row is None:
        raise InputError(f"owner {quoted(name)}: there is none of this name")
    return int(row["number"])


def _row(connection: Connection, name: str) -> RowMapping | None:
    query = select(OWNERS).where(OWNERS.c.name == name)
    return connection.execute(query).mappings().one_or_none()


def _existing(connection: Connection, name: str) -> Owner:
    row = _row(connection, name)
    assert row is not None
    return _owner(row)


def _owner(row: RowMapping) -> Owner:
    return Owner(
        number=row["number"],
        name=row["name"],
        created=Moment(row["created"]),
        suspended=row["suspended"],
        machine_time=row["machine_time"],
    )
