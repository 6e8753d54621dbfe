"""Matches read from the database: some at once, with all that belongs to them, in a few queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, false, func, select

from arena.storage.facts import (
    Attempt,
    AttemptState,
    Lease,
    Match,
    MatchKind,
    MatchState,
    Moment,
    NewMatch,
    Result,
    Seat,
    SeatReport,
)
from arena.storage.schema import ATTEMPTS, MATCH_SEATS, MATCHES, OWNERS, RESULTS

__all__ = ["lease_of", "matches_of", "new_match_of", "seats_of"]

_OVER: Final = frozenset({MatchState.DONE, MatchState.CANCELLED})

_QUERY: Final = select(MATCHES, OWNERS.c.name.label("owner_name")).outerjoin_from(
    MATCHES, OWNERS, MATCHES.c.requested_by == OWNERS.c.number
)


def matches_of(connection: Connection, numbers: Sequence[int]) -> list[Match]:
    """The matches of these numbers, in their order; those that there are."""
    rows = {row["number"]: row for row in _rows(connection, _QUERY, MATCHES.c.number, numbers)}
    seats = seats_of(connection, numbers)
    attempts = _grouped(connection, ATTEMPTS, numbers, ATTEMPTS.c.number)
    results = {
        row["match"]: _result(row)
        for row in _rows(connection, select(RESULTS), RESULTS.c.match, numbers)
    }
    positions = _positions(connection, list(rows.values()))
    return [
        _match(
            rows[number],
            seats=seats.get(number, ()),
            attempts=attempts.get(number, ()),
            result=results.get(number),
            position=positions.get(number, 0),
        )
        for number in numbers
        if number in rows
    ]


def seats_of(connection: Connection, numbers: Sequence[int]) -> Mapping[int, tuple[Seat, ...]]:
    """Who sits in the matches of these numbers."""
    grouped = _grouped(connection, MATCH_SEATS, numbers, MATCH_SEATS.c.seat)
    return {
        number: tuple(Seat(row["entrant"], row["version"]) for row in rows)
        for number, rows in grouped.items()
    }


def new_match_of(connection: Connection, number: int) -> NewMatch:
    """What a match that there is was made with."""
    (row,) = _rows(connection, _QUERY, MATCHES.c.number, [number])
    return NewMatch(
        kind=MatchKind(row["kind"]),
        table=row["table"],
        seats=seats_of(connection, [number])[number],
        teams=_teams(row),
        terms=row["terms"],
        requested_by=row["owner_name"] or "",
        cause=row["cause"],
        competition=row["competition"],
        pairing=row["pairing"],
    )


def lease_of(connection: Connection, row: RowMapping) -> Lease:
    """The right to play an attempt, from its row."""
    return Lease(
        match=row["match"],
        attempt=row["number"],
        token=row["token"],
        seed=bytes(row["seed"]),
        commitment=row["commitment"],
        ends=Moment(row["lease_ends"]),
        new=new_match_of(connection, row["match"]),
    )


def _rows(
    connection: Connection, query: Any, column: Any, numbers: Sequence[int]
) -> Sequence[RowMapping]:
    return connection.execute(query.where(column.in_(numbers))).mappings().all()


def _grouped(
    connection: Connection, table: Any, numbers: Sequence[int], order: Any
) -> Mapping[int, list[RowMapping]]:
    grouped: dict[int, list[RowMapping]] = defaultdict(list)
    for row in _rows(connection, select(table).order_by(order), table.c.match, numbers):
        grouped[row["match"]].append(row)
    return grouped


def _positions(connection: Connection, rows: Sequence[RowMapping]) -> Mapping[int, int]:
    """The places in the queue of those of them that wait.

    Hidden matches are ahead of none but each other: a place that moved when one of them is over
    would tell of it.
    """
    queued = [row for row in rows if row["state"] == MatchState.QUEUED]
    hidden = {row["number"] for row in queued if row["hidden"]}
    shown = {row["number"] for row in queued} - hidden
    is_shown = MATCHES.c.hidden == false()
    return {**_places(connection, hidden), **_places(connection, shown, is_shown)}


def _places(
    connection: Connection, waiting: Collection[int], *of: ColumnElement[bool]
) -> Mapping[int, int]:
    """The places of some that wait among all that wait and are `of` this kind."""
    if not waiting:
        return {}
    is_queued = and_(MATCHES.c.state == MatchState.QUEUED, *of)
    first = select(func.count()).where(is_queued, MATCHES.c.number < min(waiting))
    ahead = connection.scalar(first) or 0
    between = select(MATCHES.c.number).where(
        is_queued, MATCHES.c.number.between(min(waiting), max(waiting))
    )
    queue = connection.scalars(between.order_by(MATCHES.c.number))
    return {number: place for place, number in enumerate(queue, start=ahead + 1)}


def _match(
    row: RowMapping,
    *,
    seats: Sequence[Seat],
    attempts: Sequence[RowMapping],
    result: Result | None,
    position: int,
) -> Match:
    state = MatchState(row["state"])
    return Match(
        number=row["number"],
        kind=MatchKind(row["kind"]),
        table=row["table"],
        state=state,
        created=Moment(row["created"]),
        seats=tuple(seats),
        teams=_teams(row),
        terms=row["terms"],
        requested_by=row["owner_name"] or "",
        cause=row["cause"],
        why=row["why"],
        position=position,
        attempts=tuple(_attempt(one, is_over=state in _OVER) for one in attempts),
        result=result,
        competition=row["competition"],
        pairing=row["pairing"],
        hidden=row["hidden"],
    )


def _teams(row: RowMapping) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(team) for team in row["teams"])


def _attempt(row: RowMapping, *, is_over: bool) -> Attempt:
    state = AttemptState(row["state"])
    report = row["report"] or {}
    has_played = bool(row["report_sha256"]) or bool(report.get("of_play"))
    return Attempt(
        match=row["match"],
        number=row["number"],
        state=state,
        worker=row["worker"],
        commitment=row["commitment"],
        seed=bytes(row["seed"]).hex() if is_over else "",
        leased=Moment(row["leased"]),
        lease_ends=Moment(row["lease_ends"]),
        ended=None if row["ended"] is None else Moment(row["ended"]),
        why=row["why"],
        record=row["record"],
        of_play=has_played or state is AttemptState.LOST,
        blamed=report.get("blamed"),
    )


def _result(row: RowMapping) -> Result:
    return Result(
        match=row["match"],
        attempt=row["attempt"],
        verdict=row["verdict"],
        why=row["why"],
        ranks=tuple(row["ranks"]),
        seats=tuple(SeatReport(**seat) for seat in row["seats"]),
        games=row["games"],
        record=row["record"],
        head=row["head"],
        started=Moment(row["started"]),
        ended=Moment(row["ended"]),
        entry=row["entry"],
        annulled=row["annulled"],
    )
