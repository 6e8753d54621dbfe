"""The ladder: who stands where, how that came, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, func, select, tuple_

from arena.errors import InputError, quoted
from arena.ladder.rating import Rating
from arena.storage.database import Database
from arena.storage.entrants import entrant_of
from arena.storage.facts import (
    Clock,
    EntryKind,
    Moment,
    Page,
    RatingEvent,
    Standing,
    VersionState,
)
from arena.storage.inputs import is_number
from arena.storage.paging import Pager
from arena.storage.schema import ENTRANTS, LEDGER, OWNERS, RATING_EVENTS, VERSIONS

__all__ = ["Standings"]

_KEYS: Final = (ENTRANTS.c.conservative, ENTRANTS.c.number)

_QUERY: Final = (
    select(ENTRANTS, OWNERS.c.name.label("owner_name"), VERSIONS.c.label, VERSIONS.c.state)
    .join_from(ENTRANTS, OWNERS, ENTRANTS.c.owner == OWNERS.c.number)
    .join(VERSIONS, ENTRANTS.c.version == VERSIONS.c.number)
    .order_by(*(key.desc() for key in _KEYS))
)

_EVENTS: Final = select(RATING_EVENTS, LEDGER.c.kind, LEDGER.c.at, LEDGER.c.match).join_from(
    RATING_EVENTS, LEDGER, RATING_EVENTS.c.entry == LEDGER.c.number
)


class Standings:
    """The ladder in a database: by mu - 3 sigma, of equal ones the newest entrant first.

    A page begins where the one before has ended, wherever that is by now; its places are those of
    the moment at which it is asked for.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._pager = Pager(database, "standings")
        self._histories = Pager(database, "history")

    def page(self, page_size: int = 100, page_token: str = "") -> Page[Standing]:
        """The ladder from its top.

        Raises:
            InputError: see `Pager`.
        """
        after = self._pager.after(page_size, page_token)
        return self._page(page_size, tuple_(*_KEYS) < tuple_(*after) if after else None)

    def around(self, entrant: int, page_size: int = 100) -> Page[Standing]:
        """A page of the ladder with this entrant in its middle, or nearer to the top at the top.

        Raises:
            InputError: there is no such entrant; see `Pager` too.
        """
        self._pager.after(page_size, "")
        own = self._keys(entrant)
        above = select(*_KEYS).where(tuple_(*_KEYS) > tuple_(*own)).order_by(*_KEYS)
        above = above.limit(page_size // 2)
        rows = self._database.read(lambda connection: connection.execute(above).all())
        first = rows[-1] if rows else own
        return self._page(page_size, tuple_(*_KEYS) <= tuple_(*first))

    def of(self, entrant: int) -> Standing | None:
        """Where an entrant stands; None: there is none of this number."""
        found = (
            self._lines(_QUERY.where(ENTRANTS.c.number == entrant)) if is_number(entrant) else ()
        )
        return found[0] if found else None

    def history(
        self, entrant: int, page_size: int = 100, page_token: str = ""
    ) -> Page[RatingEvent]:
        """How an entrant's rating has moved, newest first; none if there is no such entrant.

        Raises:
            InputError: see `Pager`.
        """
        if not is_number(entrant):
            return Page(())
        after = self._histories.after(page_size, page_token, entrant)
        query = _EVENTS.where(RATING_EVENTS.c.entrant == entrant)
        query = query.order_by(RATING_EVENTS.c.entry.desc()).limit(page_size + 1)
        if after:
            query = query.where(RATING_EVENTS.c.entry < after[0])
        events = self._events(query)
        return self._histories.page(events, page_size, lambda one: (one.entry,), entrant)

    def explain(self, match: int) -> tuple[RatingEvent, ...]:
        """How a match has moved the ratings of those who played; empty if it has moved none."""
        if not is_number(match):
            return ()
        is_it = (LEDGER.c.match == match) & (LEDGER.c.kind == EntryKind.RESULT)
        return tuple(self._events(_EVENTS.where(is_it).order_by(RATING_EVENTS.c.entrant)))

    def _page(self, page_size: int, where: Any) -> Page[Standing]:
        query = _QUERY.limit(page_size + 1)
        lines = self._lines(query if where is None else query.where(where))
        keys = {
            one.entrant.number: (one.entrant.rating.conservative, one.entrant.number)
            for one in lines
        }
        return self._pager.page(lines, page_size, lambda one: keys[one.entrant.number])

    def _lines(self, query: Any) -> list[Standing]:
        def work(connection: Connection) -> list[Standing]:
            rows = connection.execute(query).mappings().all()
            return _placed(rows, *_ahead(connection, rows[0])) if rows else []

        return self._database.read(work)

    def _keys(self, entrant: int) -> tuple[float, int]:
        query = select(*_KEYS).where(ENTRANTS.c.number == entrant)
        row = (
            self._database.read(lambda connection: connection.execute(query).one_or_none())
            if is_number(entrant)
            else None
        )
        if row is None:
            raise InputError(f"entrant {quoted(entrant)}: there is none of this number")
        return row.conservative, row.number

    def _events(self, query: Any) -> list[RatingEvent]:
        rows = self._database.read(lambda connection: connection.execute(query).mappings().all())
        return [_event(row) for row in rows]


def _ahead(connection: Connection, row: RowMapping) -> tuple[int, int]:
    """How many are better than this line, and how many of the equal ones stand above it."""
    conservative, number = row["conservative"], row["number"]
    better = select(func.count()).where(ENTRANTS.c.conservative > conservative)
    equal = select(func.count()).where(
        ENTRANTS.c.conservative == conservative, ENTRANTS.c.number > number
    )
    return connection.scalar(better) or 0, connection.scalar(equal) or 0


def _placed(rows: Sequence[RowMapping], better: int, equal: int) -> list[Standing]:
    lines: list[Standing] = []
    place, last = better + 1, rows[0]["conservative"]
    for index, row in enumerate(rows, start=better + equal):
        if row["conservative"] != last:
            place, last = index + 1, row["conservative"]
        lines.append(
            Standing(
                place=place,
                entrant=entrant_of(row),
                label=row["label"],
                state=VersionState(row["state"]),
            )
        )
    return lines


def _event(row: RowMapping) -> RatingEvent:
    return RatingEvent(
        entry=row["entry"],
        kind=EntryKind(row["kind"]),
        at=Moment(row["at"]),
        entrant=row["entrant"],
        version=row["version"],
        match=row["match"],
        before=Rating(row["before_mu"], row["before_sigma"]),
        after=Rating(row["after_mu"], row["after_sigma"]),
        expected=row["expected"],
        actual=row["actual"],
        rank=row["rank"],
    )
