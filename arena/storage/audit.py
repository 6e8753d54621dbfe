"""What operators have done, and what somebody was not allowed to do."""

from __future__ import annotations

from sqlalchemy import Connection, RowMapping, insert, select

from arena.storage.database import Database
from arena.storage.facts import AuditEntry, Clock, Moment, Page
from arena.storage.inputs import cleaned
from arena.storage.paging import Pager
from arena.storage.schema import AUDIT

__all__ = ["Audit"]


class Audit:
    """The notes in a database, which are only ever added to."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._pager = Pager(database, "audit")

    def note(self, who: str, action: str, target: str = "", detail: str = "") -> int:
        """Write a note, whatever its words are; return its number.

        Too long ones are cut: a deed must not go unwritten because of how it is told.
        """
        words = {
            "who": cleaned(who)[:80],
            "action": cleaned(action)[:64],
            "target": cleaned(target)[:200],
            "detail": cleaned(detail)[:2000],
        }

        def work(connection: Connection) -> int:
            done = connection.execute(insert(AUDIT).values(at=self._clock(), **words))
            assert done.inserted_primary_key is not None
            return int(done.inserted_primary_key[0])

        return self._database.write(work)

    def list(self, page_size: int = 100, page_token: str = "") -> Page[AuditEntry]:
        """All notes, newest first.

        Raises:
            InputError: see `Pager`.
        """
        after = self._pager.after(page_size, page_token)
        query = select(AUDIT).order_by(AUDIT.c.number.desc()).limit(page_size + 1)
        if after:
            query = query.where(AUDIT.c.number < after[0])
        rows = self._database.read(lambda connection: connection.execute(query).mappings().all())
        return self._pager.page([_entry(row) for row in rows], page_size, lambda it: (it.number,))


def _entry(row: RowMapping) -> AuditEntry:
    return AuditEntry(
        number=row["number"],
        at=Moment(row["at"]),
        who=row["who"],
        action=row["action"],
        target=row["target"],
        detail=row["detail"],
    )
