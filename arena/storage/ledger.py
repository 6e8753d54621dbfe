"""The ledger, for who asks what it says, annuls a result, or has all ratings worked out again."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Final

from sqlalchemy import Connection, select, update

from arena.errors import InputError, quoted
from arena.ladder.rating import Parameters
from arena.storage.database import Database
from arena.storage.entries import NewEntry, append, entry_of, stored_parameters
from arena.storage.facts import Clock, Entry, EntryKind, Page, Rebuilt
from arena.storage.inputs import checked_text, is_number
from arena.storage.paging import Pager
from arena.storage.replaying import replay
from arena.storage.schema import LEDGER, PARAMETERS, RESULTS

__all__ = ["Ledger"]

_LONGEST_WHY: Final = 500


class Ledger:
    """The ledger of a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._pager = Pager(database, "ledger")

    def entries(self, page_size: int = 100, page_token: str = "") -> Page[Entry]:
        """All entries, from the first.

        Raises:
            InputError: see `Pager`.
        """
        after = self._pager.after(page_size, page_token)
        query = select(LEDGER).order_by(LEDGER.c.number).limit(page_size + 1)
        if after:
            query = query.where(LEDGER.c.number > after[0])
        rows = self._database.read(lambda connection: connection.execute(query).mappings().all())
        entries = [entry_of(row) for row in rows]
        return self._pager.page(entries, page_size, lambda one: (one.number,))

    def annul(self, match: int, why: str) -> int:
        """Have the result of a rated match not count, as if it had never been; the entry's number.

        All that came after it is worked out again in the same transaction. The result stays to be
        seen, and so does that it was annulled.

        Raises:
            InputError: there is no such result, it is not rated or annulled already, or no reason.
        """
        reason = checked_text("reason", why, _LONGEST_WHY, least=1)

        def work(connection: Connection) -> int:
            entry = _entry_to_annul(connection, match)
            is_it = RESULTS.c.match == match
            connection.execute(update(RESULTS).where(is_it).values(annulled=reason))
            new = NewEntry(
                kind=EntryKind.ANNULMENT,
                at=self._clock(),
                match=match,
                payload=hashlib.sha256(reason.encode()).hexdigest(),
            )
            added = append(connection, new)
            replay(connection, stored_parameters(connection), since=entry, write=True)
            return added

        return self._database.write(work)

    def rebuild(self, *, write: bool = True, parameters: Parameters | None = None) -> Rebuilt:
        """Work out all ratings again from the ledger.

        With `write` what is stored is put right, and from then on `parameters` hold, if they are
        given. Without it nothing changes: what is found to differ breaks the promise that ratings
        follow from results.
        """

        def work(connection: Connection) -> Rebuilt:
            used = parameters or stored_parameters(connection)
            if write and parameters:
                connection.execute(update(PARAMETERS).values(rating=asdict(parameters)))
            return replay(connection, used, write=write)

        return self._database.write(work) if write else self._database.read(work)


def _entry_to_annul(connection: Connection, match: int) -> int:
    query = select(RESULTS.c.entry, RESULTS.c.annulled).where(RESULTS.c.match == match)
    row = connection.execute(query).one_or_none() if is_number(match) else None
    if row is None:
        raise InputError(f"match {quoted(match)}: has no result that could be annulled")
    if row.entry is None:
        raise InputError(f"match {match}: is not rated, so there is nothing to annul")
    if row.annulled:
        raise InputError(f"match {match}: is annulled already: {row.annulled}")
    return int(row.entry)
