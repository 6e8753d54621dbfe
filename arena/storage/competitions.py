"""Competitions: their journals, and what a line of a journal brings about in the same transaction.

A journal is only ever added to, and only by whoever knows how long it is: of two that would add to
the same one the second is told so, and looks again. The matches that a line announces, those that
it takes back and the line itself are there together, or none of them is. What the lines say is not
known here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, func, insert, select, update

from arena.errors import InputError, quoted
from arena.storage.attempts import cancel
from arena.storage.database import Database
from arena.storage.facts import Clock, Level, Match, MatchState, Moment, NewMatch, OpenRun, Page
from arena.storage.inputs import checked_number, checked_text, is_number
from arena.storage.making import make_paired
from arena.storage.matchrows import matches_of
from arena.storage.paging import Pager
from arena.storage.schema import ATTEMPTS, COMPETITION_JOURNAL, COMPETITIONS, MATCHES

__all__ = ["Appended", "Competitions", "JournalChange", "StoredCompetition"]

_NAME: Final = re.compile(r"[a-z0-9-]{1,40}")
_SECRET: Final = 32  # bytes
_LONGEST_MIXED: Final = 2000
_LONGEST_WHY: Final = 500
_AT_ONCE: Final = 500
"""Matches that are asked for in one query: no database takes any number of parameters."""

_OVER: Final = (MatchState.DONE, MatchState.CANCELLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCompetition:
    """A competition, but for its journal and its secret.

    Attributes:
        name: 1 to 40 of a-z 0-9 -.
        paused: Whether none of its matches that wait is begun.
        mixed: A public value that is mixed into its seeds.
    """

    number: int
    name: str
    created: Moment
    level: Level
    over: bool
    mixed: str
    paused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalChange:
    """What lines of a journal bring about; what is None stays as it is.

    Attributes:
        matches: What is put into the queue: of kind COMPETITION, with competition and pairing.
        cancel: Matches that are not to be played any more: pairs of number and reason. What is over
            by now stays as it is.
        level: One of `Level`; all its matches are hidden from then on, or are not any more.
        mixed: Before the first attempt only, for every seed follows from it.
        paused: Whether none of its matches that wait is begun; what is played is played on.
    """

    matches: tuple[NewMatch, ...] = ()
    cancel: tuple[tuple[int, str], ...] = ()
    level: str | None = None
    mixed: str | None = None
    paused: bool | None = None
    over: bool | None = None


@dataclass(frozen=True, slots=True)
class Appended:
    """That lines are in a journal, and the numbers of the matches that were made, in order."""

    numbers: tuple[int, ...] = ()


_NO_CHANGE: Final = JournalChange()


class Competitions:
    """The competitions in a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._pager = Pager(database, "competitions")

    # -- made, and gone on with -----------------------------------------------------------------

    def create(self, name: str, lines: Sequence[bytes], secret: bytes) -> StoredCompetition:
        """Add a competition with the first lines of its journal; its level is HIDDEN.

        Raises:
            InputError: the name is none or is taken, the secret has not 32 bytes, or there is no
                line.
        """
        if not _NAME.fullmatch(name):
            raise InputError(f"competition {quoted(name)}: must be 1 to 40 of a-z 0-9 -")
        if len(secret) != _SECRET:
            raise InputError(
                f"competition {name}: its secret must have {_SECRET} bytes, not {len(secret)}"
            )
        checked = _checked_lines(f"competition {name}", lines)

        def work(connection: Connection) -> StoredCompetition:
            if _row(connection, COMPETITIONS.c.name == name) is not None:
                raise InputError(f"competition {name}: there is one of this name already")
            values = {"name": name, "created": self._clock(), "secret": secret}
            done = connection.execute(insert(COMPETITIONS).values(level=Level.HIDDEN, **values))
            assert done.inserted_primary_key is not None
            number = int(done.inserted_primary_key[0])
            _put_lines(connection, number, 0, checked)
            return _competition(_existing(connection, number))

        return self._database.write(work)

    def append(
        self, number: int, after: int, lines: Sequence[bytes], change: JournalChange = _NO_CHANGE
    ) -> Appended | None:
        """Add lines to a journal that has `after` by now, and do what they bring about.

        All of it is one transaction. None: the journal has another length, because somebody else
        was first, or `after` is wrong; nothing has happened then.

        Raises:
            InputError: there is no such competition, no line, or something of the change cannot
                be: see `JournalChange`. Nothing has happened.
        """
        checked = _checked_lines(f"competition {quoted(number)}", lines)

        def work(connection: Connection) -> Appended | None:
            addition = _Addition(
                number=number, after=after, lines=checked, change=change, now=self._clock()
            )
            return addition.make(connection)

        return self._database.write(work)

    # -- found ----------------------------------------------------------------------------------

    def find(self, name: str) -> StoredCompetition | None:
        """The competition of this name, if there is one."""
        if not _NAME.fullmatch(name):
            return None
        return self._one(COMPETITIONS.c.name == name)

    def by_number(self, number: int) -> StoredCompetition | None:
        """The competition of this number, if there is one."""
        return self._one(COMPETITIONS.c.number == number) if is_number(number) else None

    def list(self, page_size: int = 100, page_token: str = "") -> Page[StoredCompetition]:
        """All competitions, newest first.

        Raises:
            InputError: see `Pager`.
        """
        after = self._pager.after(page_size, page_token)
        query = select(COMPETITIONS).order_by(COMPETITIONS.c.number.desc()).limit(page_size + 1)
        if after:
            query = query.where(COMPETITIONS.c.number < after[0])
        rows = self._database.read(lambda connection: connection.execute(query).mappings().all())
        return self._pager.page(list(map(_competition, rows)), page_size, lambda it: (it.number,))

    def running(self) -> tuple[StoredCompetition, ...]:
        """Those that are not over, oldest first."""
        query = select(COMPETITIONS).where(COMPETITIONS.c.over.is_(False))
        query = query.order_by(COMPETITIONS.c.number)
        rows = self._database.read(lambda connection: connection.execute(query).mappings().all())
        return tuple(map(_competition, rows))

    def secret(self, number: int) -> bytes:
        """What all seeds of a competition follow from; nobody is told before it is over.

        Raises:
            InputError: there is no such competition.
        """
        row = self._database.read(lambda connection: _existing(connection, number))
        return bytes(row["secret"])

    def journal(self, number: int, after: int = 0) -> tuple[bytes, ...]:
        """The lines of a journal in order, but for the first `after` ones.

        Raises:
            InputError: there is no such competition.
        """
        least = checked_number("after", after, 0)

        def work(connection: Connection) -> tuple[bytes, ...]:
            _existing(connection, number)
            journal = COMPETITION_JOURNAL.c
            query = select(journal.line).where(journal.competition == number)
            query = query.where(journal.number > least).order_by(journal.number)
            return tuple(map(bytes, connection.scalars(query)))

        return self._database.read(work)

    def open_runs(self, number: int) -> dict[str, OpenRun]:
        """The runs of pairings whose matches wait, are played or were set aside.

        Cheap also for many thousands: nothing of the matches but number and state is read.
        """
        if not is_number(number):
            return {}
        query = select(MATCHES.c.pairing, MATCHES.c.number, MATCHES.c.state).where(
            MATCHES.c.competition == number, MATCHES.c.state.not_in(_OVER)
        )
        rows = self._database.read(lambda connection: connection.execute(query).all())
        return {pairing: OpenRun(match, MatchState(state)) for pairing, match, state in rows}

    def matches_of(self, number: int, pairings: Sequence[str]) -> tuple[Match, ...]:
        """The matches for some runs of pairings, in the order of numbers."""
        if not is_number(number):
            return ()
        return tuple(
            match
            for start in range(0, len(pairings), _AT_ONCE)
            for match in self._matches(
                MATCHES.c.competition == number,
                MATCHES.c.pairing.in_(pairings[start : start + _AT_ONCE]),
            )
        )

    def page(self, number: int, after: int, size: int) -> tuple[Match, ...]:
        """At most so many of its matches, hidden or not, those with the next numbers above `after`.

        With attempts and results.
        """
        if not is_number(number):
            return ()
        is_next = (MATCHES.c.competition == number, MATCHES.c.number > after)
        return self._matches(*is_next, most=size)

    # -- inside of a transaction ----------------------------------------------------------------

    def _one(self, is_it: Any) -> StoredCompetition | None:
        row = self._database.read(lambda connection: _row(connection, is_it))
        return None if row is None else _competition(row)

    def _matches(self, *are_meant: Any, most: int | None = None) -> tuple[Match, ...]:
        query = select(MATCHES.c.number).where(*are_meant).order_by(MATCHES.c.number).limit(most)

        def work(connection: Connection) -> tuple[Match, ...]:
            numbers = connection.scalars(query).all()
            starts = range(0, len(numbers), _AT_ONCE)
            some = (matches_of(connection, numbers[at : at + _AT_ONCE]) for at in starts)
            return tuple(match for of_some in some for match in of_some)

        return self._database.read(work)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Addition:
    """What `Competitions.append` was told, and when."""

    number: int
    after: int
    lines: Sequence[bytes]
    change: JournalChange
    now: Moment

    def make(self, connection: Connection) -> Appended | None:
        """Do all of it, or nothing."""
        # Whoever comes second waits here until the first is done: SQLite has but one writer.
        row = _existing(connection, self.number, for_update=True)
        journal = COMPETITION_JOURNAL.c
        highest = select(func.max(journal.number)).where(journal.competition == self.number)
        if connection.scalar(highest) != self.after:
            return None
        _put_lines(connection, self.number, self.after, self.lines)
        self._set(connection, row)
        self._cancel(connection, row["name"])
        level = row["level"] if self.change.level is None else self.change.level
        hidden = _is_hidden(level)
        new = self.change.matches
        return Appended(make_paired(connection, new, self.now, self.number, hidden=hidden))

    def _set(self, connection: Connection, row: RowMapping) -> None:
        change, values = self.change, dict[str, Any]()
        is_its = MATCHES.c.competition == self.number
        if change.over is not None:
            values["over"] = change.over
        if change.paused is not None:
            values["paused"] = change.paused
        if change.mixed is not None and change.mixed != row["mixed"]:
            begun = select(ATTEMPTS.c.match).join(MATCHES, ATTEMPTS.c.match == MATCHES.c.number)
            if connection.scalar(begun.where(is_its).limit(1)) is not None:
                raise InputError(
                    f"competition {row['name']}: has begun to play, so its seeds are settled and "
                    "nothing can be mixed in"
                )
            values["mixed"] = checked_text("mixed", change.mixed, _LONGEST_MIXED)
        if change.level is not None:
            hidden = _is_hidden(change.level)
            connection.execute(update(MATCHES).where(is_its).values(hidden=hidden))
            values["level"] = str(change.level)
        if values:
            is_it = COMPETITIONS.c.number == self.number
            connection.execute(update(COMPETITIONS).where(is_it).values(values))

    def _cancel(self, connection: Connection, name: str) -> None:
        for match, why in self.change.cancel:
            reason = checked_text("reason", why, _LONGEST_WHY, least=1)
            query = select(MATCHES.c.state).where(MATCHES.c.competition == self.number)
            found = query.where(MATCHES.c.number == match)
            state = connection.scalar(found) if is_number(match) else None
            if state is None:
                raise InputError(f"match {quoted(match)}: is none of competition {name}")
            if state not in _OVER:
                cancel(connection, match, reason, self.now)


def _is_hidden(level: str) -> bool:
    """Whether matches are at a level; raises InputError if there is no such level."""
    if level not in list(Level):
        raise InputError(f"level {quoted(level)}: must be one of {', '.join(Level)}")
    return level != Level.PUBLIC


def _checked_lines(what: str, lines: Sequence[bytes]) -> tuple[bytes, ...]:
    if not lines or not all(lines):
        raise InputError(f"{what}: its journal is added to by lines, none of them empty")
    return tuple(lines)


def _put_lines(connection: Connection, number: int, after: int, lines: Sequence[bytes]) -> None:
    rows = [
        {"competition": number, "number": place, "line": line}
        for place, line in enumerate(lines, start=after + 1)
    ]
    connection.execute(insert(COMPETITION_JOURNAL), rows)


def _row(connection: Connection, is_it: Any, *, for_update: bool = False) -> RowMapping | None:
    query = select(COMPETITIONS).where(is_it)
    if for_update:
        query = query.with_for_update()
    return connection.execute(query).mappings().one_or_none()


def _existing(connection: Connection, number: int, *, for_update: bool = False) -> RowMapping:
    is_it = COMPETITIONS.c.number == number
    row = _row(connection, is_it, for_update=for_update) if is_number(number) else None
    if row is None:
        raise InputError(f"competition {quoted(number)}: there is none of this number")
    return row


def _competition(row: RowMapping) -> StoredCompetition:
    return StoredCompetition(
        number=row["number"],
        name=row["name"],
        created=Moment(row["created"]),
        level=Level(row["level"]),
        over=row["over"],
        mixed=row["mixed"],
        paused=row["paused"],
    )
