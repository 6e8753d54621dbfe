"""Tokens: who has one may call.

    arena_KIND_PUBLIC_SECRET    KIND is owner, admin or worker; PUBLIC 16, SECRET 64 hex digits

A token is found by its public part. Of the secret, 32 random bytes, only SHA-256 is kept: a fast
hash is right for what nobody can guess. Wrong tokens of every sort cost the same comparison, which
takes the same time wherever the first difference is.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, and_, insert, or_, select, update

from arena.errors import HostFault, InputError, quoted
from arena.storage.database import Database
from arena.storage.facts import Clock, Moment, Page, Principal, Token, TokenKind
from arena.storage.inputs import checked_number, checked_text
from arena.storage.owners import owner_number
from arena.storage.paging import Pager
from arena.storage.schema import OWNERS, TOKENS

__all__ = ["LIFETIMES", "SCOPES", "AuthError", "AuthReason", "Tokens"]

_DAY: Final = 24 * 60 * 60 * 1000

LIFETIMES: Final[Mapping[TokenKind, int]] = {
    TokenKind.OWNER: 90 * _DAY,
    TokenKind.WORKER: 30 * _DAY,
    TokenKind.ADMIN: 7 * _DAY,
}
"""How long a token lives if nothing else is said, in milliseconds."""

SCOPES: Final[Mapping[TokenKind, frozenset[str]]] = {
    TokenKind.OWNER: frozenset({"submit", "read"}),
    TokenKind.WORKER: frozenset({"worker"}),
    TokenKind.ADMIN: frozenset({"admin", "read"}),
}
"""What a token of each kind may be for at the most."""

_LONGEST_LIFE: Final = 3660 * _DAY
_TEXT: Final = re.compile(r"arena_(owner|admin|worker)_([0-9a-f]{16})_([0-9a-f]{64})", re.ASCII)
_PUBLIC: Final = re.compile(r"[0-9a-f]{16}", re.ASCII)
_NOBODY: Final = ("", "0" * 16, "0" * 64)
_NOTHING: Final = hashlib.sha256(b"no token has this secret").digest()
_USED_EVERY: Final = 60_000
_LONGEST_NOTE: Final = 200


class AuthReason(StrEnum):
    """Why a token is not accepted."""

    UNKNOWN = "UNKNOWN"
    EXPIRED = "EXPIRED"
    REVOKED = "REVOKED"
    SUSPENDED = "SUSPENDED"


class AuthError(InputError):
    """A token that is not accepted; `reason` says why, and no message quotes it."""

    def __init__(self, reason: AuthReason, problem: str) -> None:
        super().__init__(problem)
        self.reason = reason


class Tokens:
    """The tokens in a database; `chance` gives so many random bytes."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        chance: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._database = database
        self._clock = clock
        self._chance = chance
        self._pager = Pager(database, "tokens")

    def issue(
        self,
        kind: TokenKind,
        owner: str | None,
        scopes: Iterable[str] | None = None,
        lifetime_ms: int | None = None,
        note: str = "",
    ) -> tuple[str, Token]:
        """Make a token: its text, which nobody can find out again, and what is kept of it.

        Without scopes it gets all that its kind may have, without a lifetime that of its kind.

        Raises:
            InputError: an owner's token without an owner or another one with it, no such owner, a
                scope that the kind cannot have, a lifetime that is not above 0.
        """
        values = _new(kind, owner, scopes, lifetime_ms, note)
        public, secret = self._chance(8).hex(), self._chance(32)
        now = self._clock()
        values |= {"public": public, "secret_sha256": hashlib.sha256(secret).digest()}
        values |= {"created": now, "expires": now + values.pop("lifetime")}

        def work(connection: Connection) -> Token:
            number = None if owner is None else owner_number(connection, owner)
            connection.execute(insert(TOKENS).values(owner=number, **values))
            return _existing(connection, public)

        token = self._database.write(work)
        return f"arena_{kind}_{public}_{secret.hex()}", token

    def check(self, text: str) -> Principal:
        """Who calls with this token.

        Raises:
            AuthError: it is not accepted.
        """
        match = _TEXT.fullmatch(text)
        kind, public, secret = match.groups() if match else _NOBODY
        row = self._database.read(lambda connection: _row(connection, public))
        kept = _NOTHING if row is None else bytes(row["secret_sha256"])
        is_right = hmac.compare_digest(hashlib.sha256(bytes.fromhex(secret)).digest(), kept)
        if row is None or not is_right or row["kind"] != kind:
            raise AuthError(AuthReason.UNKNOWN, "token: is not known here; check that it is whole")
        now = self._clock()
        _check_validity(row, now)
        if row["last_used"] is None or now - row["last_used"] >= _USED_EVERY:
            self._note_use(public, now)
        return _principal(row)

    def is_valid(self, public: str) -> bool:
        """Whether the token found by `public`, which was accepted once, would still be."""
        row = self._find(public)
        if row is None:
            return False
        try:
            _check_validity(row, self._clock())
        except AuthError:
            return False
        return True

    def find(self, public: str) -> Token | None:
        """What is kept of a token."""
        row = self._find(public)
        return None if row is None else _token(row)

    def revoke(self, public: str) -> Token:
        """Have a token never be accepted again.

        Raises:
            InputError: there is no such token.
        """

        def work(connection: Connection) -> Token:
            is_it = TOKENS.c.public == public
            if not _PUBLIC.fullmatch(public) or _row(connection, public) is None:
                raise InputError(f"token {quoted(public)}: there is none with this public part")
            still = and_(is_it, TOKENS.c.revoked.is_(None))
            connection.execute(update(TOKENS).where(still).values(revoked=self._clock()))
            return _existing(connection, public)

        return self._database.write(work)

    def list(
        self, owner: str | None = None, page_size: int = 100, page_token: str = ""
    ) -> Page[Token]:
        """The tokens of an owner or of all and the operators, newest first.

        Raises:
            InputError: see `Pager`.
        """
        after = self._pager.after(page_size, page_token, owner)
        query = _QUERY.order_by(TOKENS.c.created.desc(), TOKENS.c.public).limit(page_size + 1)
        if owner is not None:
            query = query.where(OWNERS.c.name == checked_text("owner", owner, 64))
        if after:
            created, public = after
            at_once = and_(TOKENS.c.created == created, TOKENS.c.public > public)
            query = query.where(or_(TOKENS.c.created < created, at_once))
        rows = self._database.read(lambda connection: connection.execute(query).mappings().all())
        tokens = [_token(row) for row in rows]
        return self._pager.page(tokens, page_size, lambda one: (one.created, one.public), owner)

    def _find(self, public: str) -> RowMapping | None:
        if not _PUBLIC.fullmatch(public):
            return None
        return self._database.read(lambda connection: _row(connection, public))

    def _note_use(self, public: str, now: Moment) -> None:
        change = update(TOKENS).where(TOKENS.c.public == public).values(last_used=now)
        # With a full disk, who only wants to read shall be served all the same.
        with contextlib.suppress(HostFault):
            self._database.write(lambda connection: connection.execute(change).rowcount)


_QUERY: Final = select(
    TOKENS, OWNERS.c.name.label("owner_name"), OWNERS.c.suspended.label("suspended")
).outerjoin_from(TOKENS, OWNERS, TOKENS.c.owner == OWNERS.c.number)


def _new(
    kind: TokenKind,
    owner: str | None,
    scopes: Iterable[str] | None,
    lifetime: int | None,
    note: str,
) -> dict[str, Any]:
    if (kind is TokenKind.OWNER) != (owner is not None):
        raise InputError(
            f"token of the kind {kind}: must {'have' if owner is None else 'not have'} an owner"
        )
    wanted = SCOPES[kind] if scopes is None else frozenset(scopes)
    if not wanted or not wanted <= SCOPES[kind]:
        raise InputError(
            f"scopes {quoted(', '.join(sorted(map(str, wanted))))}: a token of the kind {kind} "
            f"must have some of {', '.join(sorted(SCOPES[kind]))}"
        )
    life = LIFETIMES[kind] if lifetime is None else checked_number("lifetime", lifetime)
    if life > _LONGEST_LIFE:
        raise InputError(f"lifetime {life} ms: must be at most ten years, {_LONGEST_LIFE} ms")
    return {
        "kind": str(kind),
        "scopes": " ".join(sorted(wanted)),
        "lifetime": life,
        "note": checked_text("note", note, _LONGEST_NOTE),
    }


def _row(connection: Connection, public: str) -> RowMapping | None:
    return connection.execute(_QUERY.where(TOKENS.c.public == public)).mappings().one_or_none()


def _existing(connection: Connection, public: str) -> Token:
    row = _row(connection, public)
    assert row is not None
    return _token(row)


def _check_validity(row: RowMapping, now: Moment) -> None:
    if row["revoked"] is not None:
        raise AuthError(AuthReason.REVOKED, "token: was revoked; ask for a new one")
    if row["expires"] <= now:
        raise AuthError(AuthReason.EXPIRED, "token: has expired; ask for a new one")
    if row["suspended"]:
        raise AuthError(
            AuthReason.SUSPENDED, f"owner {row['owner_name']} is suspended: {row['suspended']}"
        )


def _principal(row: RowMapping) -> Principal:
    return Principal(
        kind=TokenKind(row["kind"]),
        token=row["public"],
        owner=row["owner_name"],
        scopes=frozenset(row["scopes"].split()),
    )


def _moment(value: int | None) -> Moment | None:
    return None if value is None else Moment(value)


def _token(row: RowMapping) -> Token:
    return Token(
        public=row["public"],
        kind=TokenKind(row["kind"]),
        owner=row["owner_name"],
        scopes=frozenset(row["scopes"].split()),
        created=Moment(row["created"]),
        expires=Moment(row["expires"]),
        last_used=_moment(row["last_used"]),
        revoked=_moment(row["revoked"]),
        note=row["note"],
    )
