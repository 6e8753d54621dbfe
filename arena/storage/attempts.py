"""How attempts at a match begin and come to nothing, inside of somebody else's transaction.

The commitment to a seed, published before the first bot starts, is SHA-256 over

    "arena-commit-v1"   15 bytes of ASCII
    the match's number  its decimal digits in ASCII, without leading zeros
    the attempt's       likewise
    the seed            32 bytes

in 64 hexadecimal digits. The seed is told when the match is over, and anybody can compare.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, and_, insert, select, update

from arena.storage.facts import AttemptState, Lease, MatchKind, MatchState, Moment
from arena.storage.inputs import cleaned, is_number
from arena.storage.matchrows import lease_of, seats_of
from arena.storage.schema import ATTEMPTS, MATCHES, VERSIONS

__all__ = [
    "MOST_ATTEMPTS",
    "MOST_FAILURES",
    "Failure",
    "Terms",
    "attempt_row",
    "begin",
    "commitment",
    "fail",
    "leased_row",
    "match_row",
]

MOST_FAILURES: Final = 3
"""A match is set aside when so many attempts have come to nothing."""

MOST_ATTEMPTS: Final = 12
"""From so many attempts on each that comes to nothing counts, whoever is to blame: a match that
takes the server with it would be begun for ever."""

_PREFIX: Final = b"arena-commit-v1"


def commitment(match: int, attempt: int, seed: bytes) -> str:
    """What is published of a seed before it is used."""
    return hashlib.sha256(_PREFIX + f"{match}{attempt}".encode() + seed).hexdigest()


def match_row(connection: Connection, match: int) -> RowMapping | None:
    """The row of a match."""
    if not is_number(match):
        return None
    query = select(MATCHES).where(MATCHES.c.number == match)
    return connection.execute(query).mappings().one_or_none()


def attempt_row(connection: Connection, match: int, attempt: int) -> RowMapping | None:
    """The row of an attempt."""
    if not (is_number(match) and is_number(attempt) and attempt < 2**31):
        return None
    is_it = and_(ATTEMPTS.c.match == match, ATTEMPTS.c.number == attempt)
    return connection.execute(select(ATTEMPTS).where(is_it)).mappings().one_or_none()


def leased_row(connection: Connection, match: int) -> RowMapping | None:
    """The row of the attempt at a match that is being played."""
    is_it = and_(ATTEMPTS.c.match == match, ATTEMPTS.c.state == AttemptState.LEASED)
    return connection.execute(select(ATTEMPTS).where(is_it)).mappings().one_or_none()


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """To whom an attempt is given, from when and until when; `chance` gives random bytes."""

    worker: str
    now: Moment
    ends: Moment
    chance: Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Failure:
    """How an attempt comes to nothing.

    Attributes:
        state: VOID or LOST.
        counts: False if it is nobody's failure, such as a server that is ended or has died.
        of_play: Whether it came of playing, see `facts.Attempt`: then it is a void of the versions
            at the table or, if it is known whose fault it was, of the one in seat `blamed`.
        kept: What else is stored of the attempt.
    """

    state: AttemptState
    why: str
    now: Moment
    counts: bool = True
    of_play: bool = False
    blamed: int | None = None
    kept: Mapping[str, Any] = field(default_factory=dict)


def begin(connection: Connection, match: int, terms: Terms) -> Lease:
    """Begin the next attempt at a match that waits."""
    row = match_row(connection, match)
    assert row is not None
    assert row["state"] == MatchState.QUEUED
    number, seed = row["attempts"] + 1, terms.chance(32)
    values: dict[str, Any] = {
        "match": match,
        "number": number,
        "state": AttemptState.LEASED,
        "worker": terms.worker,
        "token": terms.chance(32).hex(),
        "seed": seed,
        "commitment": commitment(match, number, seed),
        "leased": terms.now,
        "lease_ends": terms.ends,
    }
    connection.execute(insert(ATTEMPTS).values(**values))
    change = {"state": MatchState.LEASED, "attempts": number, "why": ""}
    connection.execute(update(MATCHES).where(MATCHES.c.number == match).values(change))
    begun = attempt_row(connection, match, number)
    assert begun is not None
    return lease_of(connection, begun)


def fail(connection: Connection, attempt: RowMapping, failure: Failure) -> MatchState:
    """End an attempt that has come to nothing: its match waits again, or is set aside."""
    match = match_row(connection, attempt["match"])
    assert match is not None
    reason = cleaned(failure.why)
    change = {"state": failure.state, "why": reason, "ended": failure.now, **failure.kept}
    if failure.of_play:
        change = {"report": {"of_play": True}} | change
    is_it = and_(ATTEMPTS.c.match == attempt["match"], ATTEMPTS.c.number == attempt["number"])
    connection.execute(update(ATTEMPTS).where(is_it).values(change))
    if failure.of_play and match["kind"] == MatchKind.RATED:
        _count_void(connection, attempt["match"], failure.blamed)
    failed = match["failed"] + int(failure.counts or attempt["number"] >= MOST_ATTEMPTS)
    is_poison = failed >= MOST_FAILURES
    after = MatchState.SET_ASIDE if is_poison else MatchState.QUEUED
    told = f"attempt {attempt['number']}: {failure.state}: {reason}"
    if is_poison:
        told = "; ".join([*_reasons(connection, attempt), told])
    connection.execute(
        update(MATCHES)
        .where(MATCHES.c.number == attempt["match"])
        .values(state=after, failed=failed, why=told)
    )
    return after


def _count_void(connection: Connection, match: int, blamed: int | None) -> None:
    seats = seats_of(connection, [match])[match]
    charged = seats if blamed is None else [seats[blamed]]
    for version in sorted({seat.version for seat in charged}):
        is_it = VERSIONS.c.number == version
        connection.execute(update(VERSIONS).where(is_it).values(voids=VERSIONS.c.voids + 1))


def _reasons(connection: Connection, attempt: RowMapping) -> list[str]:
    """What the attempts before this one have come to."""
    earlier = and_(ATTEMPTS.c.match == attempt["match"], ATTEMPTS.c.number < attempt["number"])
    rows = connection.execute(select(ATTEMPTS).where(earlier).order_by(ATTEMPTS.c.number))
    return [f"attempt {row.number}: {row.state}: {row.why}" for row in rows]
