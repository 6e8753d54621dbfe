"""Entrants and their versions: who plays, and with what."""

from __future__ import annotations

import builtins
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, func, select, update

from arena.errors import InputError, quoted
from arena.ladder.rating import Rating
from arena.storage.database import Database
from arena.storage.facts import (
    Clock,
    Contender,
    Entrant,
    MatchKind,
    MatchState,
    Moment,
    Page,
    Totals,
    Version,
    VersionState,
)
from arena.storage.inputs import checked_text, is_number
from arena.storage.owners import owner_number
from arena.storage.paging import Pager
from arena.storage.schema import ENTRANTS, MATCH_SEATS, MATCHES, OWNERS, VERSIONS
from arena.storage.versions import make_entrant, play_from_now, version_of, version_row

__all__ = ["ENTRANT_QUERY", "Entrants", "entrant_of"]

_LONGEST_WHY: Final = 500

ENTRANT_QUERY: Final = select(ENTRANTS, OWNERS.c.name.label("owner_name")).join_from(
    ENTRANTS, OWNERS, ENTRANTS.c.owner == OWNERS.c.number
)
"""What `entrant_of` reads."""


def entrant_of(row: RowMapping) -> Entrant:
    """An entrant, from a row of `ENTRANT_QUERY`."""
    return Entrant(
        number=row["number"],
        owner=row["owner_name"],
        name=row["name"],
        created=Moment(row["created"]),
        rating=Rating(row["mu"], row["sigma"]),
        version=row["version"],
        matches=row["matches"],
        last_entry=row["last_entry"],
        paused=row["paused"],
    )


class Entrants:
    """The entrants in a database, with their versions."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._pager = Pager(database, "entrants")
        self._versions = Pager(database, "versions")

    # -- entrants -------------------------------------------------------------------------------

    def find(self, owner: str, name: str) -> Entrant | None:
        """An owner's entrant of this name, if there is one."""
        try:
            is_it = (OWNERS.c.name == checked_text("owner", owner, 64)) & (
                ENTRANTS.c.name == checked_text("bot", name, 64)
            )
        except InputError:
            return None
        return self._one(ENTRANT_QUERY.where(is_it))

    def create(self, owner: str, name: str) -> Entrant:
        """An owner's entrant of this name, which is made without a version if it is not there.

        Raises:
            InputError: there is no such owner, or the name cannot be stored.
        """

        def work(connection: Connection) -> Entrant:
            of = owner_number(connection, owner)
            number = make_entrant(connection, of, name, self._clock())
            return entrant_of(_entrant_row(connection, number))

        return self._database.write(work)

    def by_number(self, number: int) -> Entrant | None:
        """The entrant of a number, if there is one."""
        if not is_number(number):
            return None
        return self._one(ENTRANT_QUERY.where(ENTRANTS.c.number == number))

    def by_numbers(self, numbers: builtins.list[int]) -> dict[int, Entrant]:
        """Some entrants at once, by their numbers; those that there are."""
        wanted = [number for number in numbers if is_number(number)]
        query = ENTRANT_QUERY.where(ENTRANTS.c.number.in_(wanted))
        rows = self._database.read(lambda connection: connection.execute(query).mappings().all())
        return {row["number"]: entrant_of(row) for row in rows}

    def list(
        self, owner: str | None = None, page_size: int = 100, page_token: str = ""
    ) -> Page[Entrant]:
        """The entrants of an owner or of all, oldest first.

        Raises:
            InputError: see `Pager`.
        """
        after = self._pager.after(page_size, page_token, owner)
        query = ENTRANT_QUERY.order_by(ENTRANTS.c.number).limit(page_size + 1)
        if owner is not None:
            query = query.where(OWNERS.c.name == checked_text("owner", owner, 64))
        if after:
            query = query.where(ENTRANTS.c.number > after[0])
        rows = self._database.read(lambda connection: connection.execute(query).mappings().all())
        found = [entrant_of(row) for row in rows]
        return self._pager.page(found, page_size, lambda one: (one.number,), owner)

    def pause(self, number: int, why: str) -> Entrant:
        """Have an entrant play no new matches; those that wait or are played still count.

        Raises:
            InputError: there is no such entrant, or no reason.
        """
        return self._set(number, {"paused": checked_text("reason", why, _LONGEST_WHY, least=1)})

    def resume(self, number: int) -> Entrant:
        """Take a pause back.

        Raises:
            InputError: there is no such entrant.
        """
        return self._set(number, {"paused": ""})

    def activate(self, number: int, ordinal: int) -> Version:
        """Have another version of an entrant be the one that plays.

        Raises:
            InputError: there is no such entrant or version, or it is quarantined.
        """

        def work(connection: Connection) -> Version:
            _entrant_row(connection, number)
            is_it = (VERSIONS.c.entrant == number) & (VERSIONS.c.ordinal == ordinal)
            query = select(VERSIONS).where(is_it)
            row = connection.execute(query).mappings().one_or_none() if _fits(ordinal) else None
            if row is None:
                raise InputError(f"version {quoted(ordinal)}: the entrant has none of this number")
            if row["state"] == VersionState.QUARANTINED:
                raise InputError(f"version {ordinal}: is quarantined: {row['why']}")
            play_from_now(connection, number, row["number"], self._clock())
            return _version(connection, row["number"])

        return self._database.write(work)

    # -- versions -------------------------------------------------------------------------------

    def version(self, number: int) -> Version | None:
        """The version of a number, if there is one."""

        def work(connection: Connection) -> Version | None:
            row = version_row(connection, number)
            return None if row is None else version_of(row)

        return self._database.read(work) if is_number(number) else None

    def current(self, state: VersionState) -> builtins.list[Version]:
        """The versions in a state that are their entrants' present ones."""
        query = (
            select(VERSIONS)
            .join(ENTRANTS, ENTRANTS.c.version == VERSIONS.c.number)
            .where(VERSIONS.c.state == state)
            .order_by(VERSIONS.c.number)
        )
        rows = self._database.read(lambda connection: connection.execute(query).mappings().all())
        return [version_of(row) for row in rows]

    def versions(self, number: int, page_size: int = 100, page_token: str = "") -> Page[Version]:
        """The versions of an entrant, newest first; none if there is no such entrant.

        Raises:
            InputError: see `Pager`.
        """
        if not is_number(number):
            return Page(())
        after = self._versions.after(page_size, page_token, number)
        query = select(VERSIONS).where(VERSIONS.c.entrant == number)
        query = query.order_by(VERSIONS.c.ordinal.desc()).limit(page_size + 1)
        if after:
            query = query.where(VERSIONS.c.ordinal < after[0])
        rows = self._database.read(lambda connection: connection.execute(query).mappings().all())
        found = [version_of(row) for row in rows]
        return self._versions.page(found, page_size, lambda one: (one.ordinal,), number)

    def set_version_state(self, number: int, state: VersionState, why: str = "") -> Version:
        """Hold the version back, or have it play again with a clean record of forfeits in a row.

        Only the version that an entrant plays with can be active or superseded by nothing, so a
        version that another one has replaced becomes superseded again where active is asked for.

        Raises:
            InputError: there is no such version, or it cannot be superseded by nobody.
        """
        reason = checked_text("reason", why, _LONGEST_WHY)

        def work(connection: Connection) -> Version:
            row = version_row(connection, number) if is_number(number) else None
            if row is None:
                raise InputError(f"version {quoted(number)}: there is none of this number")
            plays = select(ENTRANTS.c.number).where(ENTRANTS.c.version == number)
            is_current = connection.scalar(plays) is not None
            change: dict[str, Any] = {"state": state, "why": reason}
            if state in (VersionState.ACTIVE, VersionState.SUPERSEDED):
                change = {"state": _free_state(number, state, is_current), "why": "", "failing": 0}
            connection.execute(update(VERSIONS).where(VERSIONS.c.number == number).values(change))
            return _version(connection, number)

        return self._database.write(work)

    def totals(self) -> Totals:
        """The numbers of all versions together: what is usual."""
        query = select(
            func.count(),
            func.coalesce(func.sum(VERSIONS.c.matches), 0),
            func.coalesce(func.sum(VERSIONS.c.forfeits), 0),
            func.coalesce(func.sum(VERSIONS.c.voids), 0),
        ).select_from(VERSIONS)
        row = self._database.read(lambda connection: connection.execute(query).one())
        versions, matches, forfeits, voids = map(int, row)
        return Totals(versions=versions, matches=matches, forfeits=forfeits, voids=voids)

    # -- the matchmaker -------------------------------------------------------------------------

    def candidates(self) -> tuple[Contender, ...]:
        """Who may play a rated match: neither held back nor paused, and of an owner who may."""

        def work(connection: Connection) -> tuple[Contender, ...]:
            playing = _playing(connection)
            rows = connection.execute(_CANDIDATES).mappings()
            return tuple(_contender(row, playing.get(row["number"], 0)) for row in rows)

        return self._database.read(work)

    # -- inside of a transaction ----------------------------------------------------------------

    def _one(self, query: Any) -> Entrant | None:
        row = self._database.read(
            lambda connection: connection.execute(query).mappings().one_or_none()
        )
        return None if row is None else entrant_of(row)

    def _set(self, number: int, change: dict[str, Any]) -> Entrant:
        def work(connection: Connection) -> Entrant:
            _entrant_row(connection, number)
            connection.execute(update(ENTRANTS).where(ENTRANTS.c.number == number).values(change))
            return entrant_of(_entrant_row(connection, number))

        return self._database.write(work)


_CANDIDATES: Final = (
    select(
        ENTRANTS,
        OWNERS.c.name.label("owner_name"),
        OWNERS.c.machine_time,
        VERSIONS.c.players,
        VERSIONS.c.rulesets,
        VERSIONS.c.matches.label("version_matches"),
    )
    .join_from(ENTRANTS, OWNERS, ENTRANTS.c.owner == OWNERS.c.number)
    .join(VERSIONS, ENTRANTS.c.version == VERSIONS.c.number)
    .where(
        VERSIONS.c.state == VersionState.ACTIVE,
        ENTRANTS.c.paused == "",
        OWNERS.c.suspended == "",
    )
    .order_by(ENTRANTS.c.number)
)


def _playing(connection: Connection) -> dict[int, int]:
    """In how many rated matches that are not over each entrant sits.

    Others do not count: whoever asks for challenges must not keep anybody from being rated.
    """
    query = (
        select(MATCH_SEATS.c.entrant, func.count(MATCH_SEATS.c.match.distinct()))
        .join_from(MATCHES, MATCH_SEATS, MATCH_SEATS.c.match == MATCHES.c.number)
        .where(
            MATCHES.c.kind == MatchKind.RATED,
            MATCHES.c.state.in_([MatchState.QUEUED, MatchState.LEASED]),
        )
        .group_by(MATCH_SEATS.c.entrant)
    )
    return dict(connection.execute(query).all())


def _contender(row: RowMapping, in_play: int) -> Contender:
    return Contender(
        entrant=row["number"],
        owner=row["owner_name"],
        version=row["version"],
        rating=Rating(row["mu"], row["sigma"]),
        matches=row["matches"],
        version_matches=row["version_matches"],
        players=tuple(row["players"]),
        rulesets=tuple(row["rulesets"]),
        in_play=in_play,
        machine_time=row["machine_time"],
    )


def _free_state(number: int, state: VersionState, is_current: bool) -> VersionState:
    """The state of a version that nothing holds back."""
    if is_current and state is VersionState.SUPERSEDED:
        raise InputError(f"version {number}: is the one that plays, so nothing supersedes it")
    return VersionState.ACTIVE if is_current else VersionState.SUPERSEDED


def _fits(ordinal: int) -> bool:
    return is_number(ordinal) and ordinal < 2**31


def _entrant_row(connection: Connection, number: int) -> RowMapping:
    query = ENTRANT_QUERY.where(ENTRANTS.c.number == number)
    row = connection.execute(query).mappings().one_or_none() if is_number(number) else None
    if row is None:
        raise InputError(f"entrant {quoted(number)}: there is none of this number")
    return row


def _version(connection: Connection, number: int) -> Version:
    row = version_row(connection, number)
    assert row is not None
    return version_of(row)
