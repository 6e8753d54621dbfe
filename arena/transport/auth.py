"""Who calls: the token in a call's metadata, and what it lets them do.

A wrong token costs its sender: after a few, whoever calls from that address is refused tokens that
have not been seen right before, until some time has passed. Who was let in before from there stays
in, so that nobody can shut out others behind the same address.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final
from urllib.parse import unquote

from arena.storage.facts import Principal, TokenKind
from arena.storage.tokens import AuthError, AuthReason, Tokens
from arena.tournament.refusals import Forbidden, OverQuota

__all__ = [
    "Access",
    "Caller",
    "Doorkeeper",
    "MissingToken",
    "WrongTries",
    "bearer",
    "peer_host",
    "require",
]


class Access(Enum):
    """Who may call a method."""

    EVERYONE = "everyone"
    OWNER = "owner"
    """Any owner's token."""
    READ = "read"
    SUBMIT = "submit"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls; `principal` is None where nobody has to say."""

    method: str
    request_id: str
    peer: str
    principal: Principal | None = None

    @property
    def owner(self) -> str:
        """The owner who calls a method that only owners may call."""
        assert self.principal is not None
        assert self.principal.owner is not None
        return self.principal.owner

    @property
    def shown(self) -> str:
        """For the audit log: kind and public part of the token."""
        if self.principal is None:
            return f"somebody at {self.peer}"
        owner = f" of {self.principal.owner}" if self.principal.owner else ""
        return f"{self.principal.kind} token {self.principal.token}{owner}"


def require(principal: Principal, access: Access) -> None:
    """Let pass who may.

    Raises:
        Forbidden: this token is not for that.
    """
    if access is Access.ADMIN:
        if principal.kind is TokenKind.ADMIN and "admin" in principal.scopes:
            return
        raise Forbidden("SCOPE_MISSING", "this call needs an operator's token", scope="admin")
    if principal.kind is not TokenKind.OWNER or principal.owner is None:
        raise Forbidden("SCOPE_MISSING", "this call needs an owner's token", scope=access.value)
    if access is not Access.OWNER and access.value not in principal.scopes:
        raise Forbidden(
            "SCOPE_MISSING",
            f"this call needs a token with the scope {access.value}",
            scope=access.value,
        )


def bearer(metadata: Iterable[tuple[str, str | bytes]]) -> str:
    """The token in a call's metadata; empty: there is none, or more than one."""
    found = [value for name, value in metadata if name == "authorization"]
    if len(found) != 1 or not isinstance(found[0], str):
        return ""
    scheme, _, token = found[0].partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def peer_host(peer: str) -> str:
    """Whom wrong tries are counted for: an address without its port, of IPv6 the first half."""
    kind, _, rest = unquote(peer).partition(":")
    if kind == "ipv6":
        host = rest.rpartition(":")[0].strip("[]").partition("%")[0]
        return _network(host)
    return rest.rpartition(":")[0] if kind == "ipv4" else kind


def _network(host: str) -> str:
    """The /64 of an address; IPv4 in IPv6 as it is."""
    if re.fullmatch(r"::ffff:[\d.]+", host):
        return host.removeprefix("::ffff:")
    head, has_gap, tail = host.partition("::")
    front = head.split(":") if head else []
    back = tail.split(":") if tail else []
    gap = ["0"] * (8 - len(front) - len(back)) if has_gap else []
    return ":".join([*front, *gap, *back][:4])


class WrongTries:
    """Counts wrong tokens by where they come from: `burst` at once, one more each `every` seconds.

    A bucket with a hole for each address, of which the latest are remembered.
    """

    def __init__(
        self,
        now: Callable[[], float],
        *,
        burst: int = 20,
        every: float = 3.0,
        most: int = 10_000,
    ) -> None:
        self._now = now
        self._burst = burst
        self._every = every
        self._most = most
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def note(self, host: str) -> None:
        """A wrong token came from there."""
        self._levels[host] = (min(self._level(host) + 1, self._burst), self._now())
        self._levels.move_to_end(host)
        if len(self._levels) > self._most:
            self._levels.popitem(last=False)

    def wait(self, host: str) -> float:
        """Seconds until the next unknown token is looked at; 0: now."""
        over = self._level(host) - (self._burst - 1)
        return max(0.0, over * self._every)

    def _level(self, host: str) -> float:
        level, then = self._levels.get(host, (0.0, 0.0))
        return max(0.0, level - (self._now() - then) / self._every)


class Doorkeeper:
    """Finds out who calls. `check` blocks; everything else is the event loop's."""

    _MOST_SEEN: Final = 10_000

    def __init__(self, tokens: Tokens, tries: WrongTries) -> None:
        self._tokens = tokens
        self._tries = tries
        self._seen: OrderedDict[bytes, None] = OrderedDict()

    def admit(self, token: str, host: str) -> None:
        """Before a token is looked at.

        Raises:
            AuthError: there is none.
            OverQuota: too many wrong ones have come from there.
        """
        if not token:
            raise MissingToken
        wait = self._tries.wait(host)
        if wait and _digest(token) not in self._seen:
            raise OverQuota(
                "TOO_MANY_WRONG_TOKENS",
                f"too many wrong tokens have come from your address; wait {wait:.0f} s",
                wait_seconds=f"{wait:.0f}",
            )

    def check(self, token: str) -> Principal:
        """Whose token it is; blocks, raises AuthError."""
        return self._tokens.check(token)

    def is_valid(self, principal: Principal) -> bool:
        """Whether a token is still accepted; blocks."""
        return self._tokens.is_valid(principal.token)

    def was_right(self, token: str) -> None:
        """Remember a token that was accepted, by its digest."""
        key = _digest(token)
        self._seen[key] = None
        self._seen.move_to_end(key)
        if len(self._seen) > self._MOST_SEEN:
            self._seen.popitem(last=False)

    def was_wrong(self, token: str, host: str, reason: AuthReason) -> None:
        """Count a token that nobody has."""
        self._seen.pop(_digest(token), None)
        if reason is AuthReason.UNKNOWN:
            self._tries.note(host)


class MissingToken(AuthError):  # noqa: N818 - says what is the matter
    """A call without a token that needs one."""

    def __init__(self) -> None:
        super().__init__(
            AuthReason.UNKNOWN,
            "token: is missing; send it in the metadata as `authorization: Bearer arena_...`",
        )


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
