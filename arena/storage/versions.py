"""Which version of an entrant plays, inside of a transaction that somebody else has begun.

One version of an entrant plays; `entrants.version` says which. It may be active, or held back: in
probation or quarantined. Whichever played before it is superseded, unless it was held back: that
it stays, so that nobody gets rid of it by an upload and a return.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, RowMapping, func, insert, select, update

from arena.ladder.rating import Rating
from arena.storage.entries import NewEntry, append, store_events, stored_parameters, version_event
from arena.storage.facts import EntryKind, Moment, NewVersion, Version, VersionState
from arena.storage.inputs import checked_text
from arena.storage.schema import ENTRANTS, RATING_EVENTS, VERSIONS

__all__ = [
    "BUILD_GONE",
    "make_entrant",
    "make_version",
    "play_from_now",
    "version_of",
    "version_row",
]

BUILD_GONE: Final = "what was built is gone; upload it again"
"""Why a version is held back until it is uploaded again."""

_LONGEST_NAME: Final = 64


def version_row(connection: Connection, number: int) -> RowMapping | None:
    """The row of a version."""
    query = select(VERSIONS).where(VERSIONS.c.number == number)
    return connection.execute(query).mappings().one_or_none()


def version_of(row: RowMapping) -> Version:
    """A version, from its row."""
    return Version(
        number=row["number"],
        entrant=row["entrant"],
        ordinal=row["ordinal"],
        digest=row["digest"],
        archive=row["archive"],
        artefact=row["artefact"],
        image=row["image"],
        label=row["label"],
        content=bytes(row["content"]),
        players=tuple(row["players"]),
        rulesets=tuple(row["rulesets"]),
        created=Moment(row["created"]),
        state=VersionState(row["state"]),
        why=row["why"],
        matches=row["matches"],
        forfeits=row["forfeits"],
        voids=row["voids"],
        failing=row["failing"],
    )


def make_entrant(connection: Connection, owner: int, name: str, now: Moment) -> int:
    """The number of an owner's entrant of this name, which is made if it is not there.

    Raises:
        InputError: the name cannot be stored.
    """
    checked_text("bot", name, _LONGEST_NAME, least=1)
    is_it = (ENTRANTS.c.owner == owner) & (ENTRANTS.c.name == name)
    number = connection.scalar(select(ENTRANTS.c.number).where(is_it))
    if number is None:
        start = stored_parameters(connection).start
        values = {
            "owner": owner,
            "name": name,
            "created": now,
            "mu": start.mu,
            "sigma": start.sigma,
            "conservative": start.conservative,
        }
        number = _added(connection.execute(insert(ENTRANTS).values(values)))
    return int(number)


def make_version(connection: Connection, entrant: int, new: NewVersion, now: Moment) -> int:
    """The number of an entrant's version with this content, which is made if it is not there.

    Raises:
        InputError: something that it says cannot be stored.
    """
    _check(new)
    is_it = (VERSIONS.c.entrant == entrant) & (VERSIONS.c.digest == new.digest)
    number = connection.scalar(select(VERSIONS.c.number).where(is_it))
    if number is not None:
        _let_back(connection, entrant, number)
    else:
        of_entrant = select(func.max(VERSIONS.c.ordinal)).where(VERSIONS.c.entrant == entrant)
        values: dict[str, Any] = {
            "entrant": entrant,
            "ordinal": (connection.scalar(of_entrant) or 0) + 1,
            "digest": new.digest,
            "archive": new.archive,
            "artefact": new.artefact,
            "image": new.image,
            "label": new.label,
            "content": new.content,
            "players": list(new.players),
            "rulesets": list(new.rulesets),
            "created": now,
            "state": VersionState.SUPERSEDED,  # until it is said to play
        }
        number = _added(connection.execute(insert(VERSIONS).values(values)))
    return int(number)


def _let_back(connection: Connection, entrant: int, version: int) -> None:
    """What was gone has been uploaded again."""
    query = select(ENTRANTS.c.version).where(ENTRANTS.c.number == entrant)
    plays = connection.scalar(query) == version
    is_it = (VERSIONS.c.number == version) & (VERSIONS.c.why == BUILD_GONE)
    is_it &= VERSIONS.c.state == VersionState.QUARANTINED
    state = VersionState.ACTIVE if plays else VersionState.SUPERSEDED
    connection.execute(update(VERSIONS).where(is_it).values(state=state, why=""))


def _check(new: NewVersion) -> None:
    for what in ("digest", "archive", "artefact"):
        checked_text(what, getattr(new, what), 64, least=1)
    checked_text("image", new.image, 128)
    checked_text("version", new.label, 64)
    for ruleset in new.rulesets:
        checked_text("rule set", ruleset, 64)


def play_from_now(connection: Connection, entrant: int, version: int, now: Moment) -> None:
    """Have this version be the one that plays.

    The rating of an entrant that has one widens, but once for each version: one that has played or
    has been played with before is as well known as it was, so its return costs and gains nothing.
    """
    query = select(ENTRANTS).where(ENTRANTS.c.number == entrant)
    row = connection.execute(query).mappings().one()
    if row["version"] == version:
        return
    _change_state(connection, row["version"], VersionState.ACTIVE, VersionState.SUPERSEDED)
    _change_state(connection, version, VersionState.SUPERSEDED, VersionState.ACTIVE)
    change = {"version": version}
    connection.execute(update(ENTRANTS).where(ENTRANTS.c.number == entrant).values(change))
    if row["last_entry"] and not _is_known(connection, entrant, version):
        _widen(connection, row, version, now)


def _change_state(
    connection: Connection, version: int | None, old: VersionState, new: VersionState
) -> None:
    is_it = (VERSIONS.c.number == version) & (VERSIONS.c.state == old)
    connection.execute(update(VERSIONS).where(is_it).values(state=new, why=""))


def _is_known(connection: Connection, entrant: int, version: int) -> bool:
    """Whether it has ever moved the entrant's rating, by a result or as a new version."""
    is_it = (RATING_EVENTS.c.entrant == entrant) & (RATING_EVENTS.c.version == version)
    return connection.scalar(select(RATING_EVENTS.c.entry).where(is_it).limit(1)) is not None


def _widen(connection: Connection, row: RowMapping, version: int, now: Moment) -> None:
    kept = version_row(connection, version)
    assert kept is not None
    entrant = row["number"]
    new = NewEntry(
        kind=EntryKind.VERSION, at=now, entrant=entrant, version=version, payload=kept["digest"]
    )
    entry = append(connection, new)
    before = Rating(row["mu"], row["sigma"])
    event = version_event(stored_parameters(connection), entrant, version, before)
    store_events(connection, entry, [event])


def _added(done: Any) -> int:
    """The number that a row that was just inserted has got."""
    return int(done.inserted_primary_key[0])
