"""What has to hold in a database after whatever has happened to its server.

The numbers are those under which the promises are listed in `README.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    func,
    not_,
    select,
    text,
)

from arena.errors import HostFault, InputError, quoted
from arena.storage.checkcompetitions import check_competitions
from arena.storage.checkmatches import check_match
from arena.storage.checkpieces import UNREADABLE, Findings, Violation, whole_matches
from arena.storage.checkrecords import RecordCheck, Recorded, check_record
from arena.storage.checkversions import Counters, check_versions
from arena.storage.database import Database
from arena.storage.engines import parse_url, sqlite_url
from arena.storage.entries import stored_parameters
from arena.storage.folder import DataFolder
from arena.storage.kept import files_of
from arena.storage.migrating import check_schema
from arena.storage.replaying import replay
from arena.storage.schema import MATCH_SEATS, MATCHES, RATING_EVENTS, RESULTS

__all__ = ["Checked", "RecordCheck", "Recorded", "Violation", "check_data"]

_EXAMPLES: Final = 5

Tell = Callable[[int, int], None]
"""Is told how many of how many files are done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What was looked at, and what was found."""

    matches: int
    results: int
    events: int
    files: int
    violations: tuple[Violation, ...]


def check_data(
    data: Path, *, url: str = "", verify: RecordCheck | None = None, tell: Tell = lambda *_: None
) -> Checked:
    """Check a data folder, which a server may be using; nothing is changed.

    Without `verify` records are compared with their digests only; what it says of a record is
    compared with the rows.

    Raises:
        InputError: there is no such data folder.
        HostFault: the database cannot be read, or is not of this program.
    """
    place = DataFolder(data)
    if not url and not place.database.is_file():
        raise InputError(f"data folder {data}: has no {place.database.name}")
    database = Database(parse_url(url) if url else sqlite_url(place.database))
    try:
        with database.reading() as connection:
            if not check_schema(connection):
                raise InputError(f"database {database.title}: holds nothing yet")
            return _checked(connection, place, verify, tell)
    finally:
        database.close()


def _checked(
    connection: Connection, place: DataFolder, verify: RecordCheck | None, tell: Tell
) -> Checked:
    kept, unreadable = _kept(connection)
    violations = [
        *_results(connection),
        *_ratings(connection),
        *unreadable,
        *_files(place, kept, tell),
        *_rows(connection, place, verify),
        *_integrity(connection),
    ]
    return Checked(
        matches=_count(connection, select(MATCHES.c.number)),
        results=_count(connection, select(RESULTS.c.match)),
        events=_count(connection, select(RATING_EVENTS.c.entry)),
        files=len(kept),
        violations=tuple(violations),
    )


def _results(connection: Connection) -> Iterator[Violation]:
    """A rated result has one rating event for each seat, an annulled one and any other none."""
    seats = _number_of(MATCH_SEATS.c.match, RESULTS.c.match)
    events = _number_of(RATING_EVENTS.c.entry, RESULTS.c.entry)
    counts = and_(RESULTS.c.entry.is_not(None), RESULTS.c.annulled == "")
    rules = (
        ("has not one rating event for each of its seats", and_(counts, events != seats)),
        ("has rating events and does not count", and_(not_(counts), events != 0)),
    )
    for words, rule in rules:
        query = select(RESULTS.c.match).where(rule).order_by(RESULTS.c.match)
        yield from _found(connection, 2, words, query)


def _ratings(connection: Connection) -> Iterator[Violation]:
    """Ratings that are worked out again from the ledger are the stored ones, to the last bit."""
    try:
        rebuilt = replay(connection, stored_parameters(connection), write=False)
    except (InputError, KeyError, TypeError, ValueError) as error:
        # Rows that no server of ours has written may be anything.
        yield Violation(3, f"ratings cannot be worked out again: {quoted(str(error))}")
        return
    for one in rebuilt.examples:
        is_, right = one.stored or "not there", one.right or "nothing"
        yield Violation(3, f"{one.what}: is {is_}; {right} would be right")
    if rebuilt.different > len(rebuilt.examples):
        yield Violation(3, f"and {rebuilt.different - len(rebuilt.examples)} more that differ")


def _files(place: DataFolder, kept: list[tuple[str, str]], tell: Tell) -> Iterator[Violation]:
    """Every file that a row names is there, with the bytes that its name says."""
    for done, (name, digest) in enumerate(kept):
        tell(done, len(kept))
        try:
            place.store(name).open(digest).close()
        except HostFault as fault:
            yield Violation(5, str(fault))
        except InputError as error:
            yield Violation(5, f"{name}: {error}")
    tell(len(kept), len(kept))


def _kept(connection: Connection) -> tuple[list[tuple[str, str]], list[Violation]]:
    """The files that rows name; none if some row cannot be read."""
    try:
        return files_of(connection), []
    except UNREADABLE as error:
        told = f"which files there should be cannot be read: {quoted(str(error))}"
        return [], [Violation(5, told)]


def _rows(
    connection: Connection, place: DataFolder, verify: RecordCheck | None
) -> Sequence[Violation]:
    """Rows agree with each other, with the digests that they name, and with the records.

    Each match waits, or is being played, or has exactly one result.
    """
    findings, counters, records = Findings(), Counters(), place.store("records")
    for match in whole_matches(connection, findings):
        check_match(match, findings)
        counters.take(match)
        if verify is not None:
            check_record(match, records, verify, findings)
    check_versions(connection, counters, findings)
    check_competitions(connection, findings)
    return findings.all()


def _integrity(connection: Connection) -> Iterator[Violation]:
    """The database itself finds nothing wrong."""
    if connection.dialect.name == "sqlite":
        for (line,) in connection.exec_driver_sql(f"PRAGMA integrity_check({_EXAMPLES})"):
            if line != "ok":
                yield Violation(7, " ".join(str(line).split()))
        for row in connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(_EXAMPLES):
            yield Violation(
                7, f"row {row[1]} of {row[0]} refers to one of {row[2]} that is not there"
            )
        return
    query = text("SELECT conname FROM pg_constraint WHERE NOT convalidated ORDER BY conname")
    for (name,) in connection.execute(query):
        yield Violation(7, f"constraint {name} is not in force")


def _number_of(column: Any, of: Any) -> ColumnElement[int]:
    return select(func.count(column)).where(column == of).correlate(RESULTS).scalar_subquery()


def _count(connection: Connection, query: Select[Any]) -> int:
    return connection.scalar(select(func.count()).select_from(query.subquery())) or 0


def _found(
    connection: Connection, promise: int, words: str, query: Select[Any]
) -> Iterator[Violation]:
    """One line for all matches that break a rule: the first of them, and how many there are."""
    numbers = connection.execute(query).scalars().all()
    if numbers:
        shown = ", ".join(str(number) for number in numbers[:_EXAMPLES])
        more = f" and {len(numbers) - _EXAMPLES} more" if len(numbers) > _EXAMPLES else ""
        yield Violation(promise, f"match {shown}{more}: {words}")
