"""How attempts at a match begin and come to nothing, inside of somebody else's transaction.

The commitment to a seed, published before the first bot starts, is SHA-256 over

    "arena-commit-v1"   15 bytes of ASCII
    the match's number  its decimal digits in ASCII, without leading zeros
    the attempt's       likewise
    the seed            32 bytes

in 64 hexadecimal digits. The seed is told when the match is over, and anybody can compare.

A seed is chance, but for a match of a competition: there it follows from the competition's secret,
to which the competition commits before anybody knows who will meet whom. Whoever is told the secret
in the end can work out every seed again, and so see that none was chosen.

    key   HMAC-SHA256 under the secret, 32 bytes, over
              "arena-competition-v1"   20 bytes of ASCII
              the public value         that was named in advance, in UTF-8; empty: none was
    seed  HMAC-SHA256 under the key over PAIRING/ATTEMPT in ASCII, such as `1/3.2/1/1`, where the
          pairing is stage, key and run, and the attempt's number is decimal as above

The commitment to the secret is SHA-256 over

    "arena-competition-commit-v1"   27 bytes of ASCII
    the competition's name          in ASCII
    the secret                      32 bytes

in 64 hexadecimal digits.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, and_, insert, select, update

from arena.storage.facts import AttemptState, Lease, MatchKind, MatchState, Moment
from arena.storage.inputs import cleaned, is_number
from arena.storage.matchrows import lease_of, seats_of
from arena.storage.schema import ATTEMPTS, COMPETITIONS, MATCHES, VERSIONS

__all__ = [
    "MOST_ATTEMPTS",
    "MOST_FAILURES",
    "Failure",
    "Terms",
    "attempt_row",
    "begin",
    "cancel",
    "commitment",
    "competition_commitment",
    "competition_seed",
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
_SEEDS: Final = b"arena-competition-v1"
_SECRETS: Final = b"arena-competition-commit-v1"


def commitment(match: int, attempt: int, seed: bytes) -> str:
    """What is published of a seed before it is used."""
    return hashlib.sha256(_PREFIX + f"{match}{attempt}".encode() + seed).hexdigest()


def competition_seed(secret: bytes, mixed: str, pairing: str, attempt: int) -> bytes:
    """The seed of an attempt at a match of a competition, 32 bytes; `mixed` is public."""
    key = hmac.digest(secret, _SEEDS + mixed.encode(), hashlib.sha256)
    return hmac.digest(key, f"{pairing}/{attempt}".encode(), hashlib.sha256)


def competition_commitment(name: str, secret: bytes) -> str:
    """What is published of a competition's secret before it is used."""
    return hashlib.sha256(_SECRETS + name.encode() + secret).hexdigest()


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
    number = row["attempts"] + 1
    seed = _seed(connection, row, number, terms)
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


def _seed(connection: Connection, match: RowMapping, attempt: int, terms: Terms) -> bytes:
    if match["competition"] is None:
        return terms.chance(32)
    query = select(COMPETITIONS.c.secret, COMPETITIONS.c.mixed)
    secret, mixed = connection.execute(
        query.where(COMPETITIONS.c.number == match["competition"])
    ).one()
    return competition_seed(bytes(secret), mixed, match["pairing"], attempt)


def cancel(connection: Connection, match: int, reason: str, now: Moment) -> None:
    """Have a match that is not over not be played; what is being played of it is given up."""
    row = leased_row(connection, match)
    if row is not None:
        failure = Failure(AttemptState.VOID, f"cancelled: {reason}", now, counts=False)
        fail(connection, row, failure)
    change = {"state": MatchState.CANCELLED, "why": reason}
    connection.execute(update(MATCHES).where(MATCHES.c.number == match).values(change))


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
