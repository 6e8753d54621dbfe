"""Who calls: the token in a call's metadata, and what it lets them do.

A wrong token costs its sender: after a few, tokens from that address whose public part nobody has
are refused without a further look, until some time has passed. Who guesses at a public part that
somebody has is shut out from that one only. So a right token gets in, whatever others at the same
address try, and after a restart too.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeVar
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


T = TypeVar("T")
U = TypeVar("U")
Run = Callable[..., Coroutine[Any, Any, Any]]


class Access(Enum):
    """Who may call a method."""

    EVERYONE = "everyone"
    """No token is looked at."""
    OPTIONAL = "optional"
    """Everyone, and who shows a token may see more; one that is not accepted is refused."""
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
    if access is Access.OPTIONAL:
        return
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
    """Finds out who calls; belongs to an event loop. `run` does in a thread what blocks."""

    _MOST_SEEN: Final = 10_000

    def __init__(self, tokens: Tokens, tries: WrongTries) -> None:
        self._tokens = tokens
        self._tries = tries
        self._seen: OrderedDict[bytes, str] = OrderedDict()
        self._ids: OrderedDict[str, None] = OrderedDict()

    def holder(self, token: str) -> str:
        """Whose token this is, if it was right a while ago; empty: nobody has looked yet."""
        return self._seen.get(_digest(token), "")

    async def principal(self, token: str, host: str, run: Run) -> Principal:
        """Whose token it is.

        Raises:
            AuthError: there is none, or it is not accepted.
            OverQuota: too many wrong ones have come from there.
        """
        if not token:
            raise MissingToken
        if not self.holder(token):
            await self._let_in(token, host, run)
        try:
            principal: Principal = await run(self._tokens.check, token)
        except AuthError as error:
            self._was_wrong(token, host, error.reason)
            raise
        name = principal.owner or f"{principal.kind} {principal.token}"
        _remember(self._seen, _digest(token), name, self._MOST_SEEN)
        _remember(self._ids, principal.token, None, self._MOST_SEEN)
        return principal

    def is_valid(self, principal: Principal) -> bool:
        """Whether a token is still accepted; blocks."""
        return self._tokens.is_valid(principal.token)

    async def _let_in(self, token: str, host: str, run: Run) -> None:
        """Whether a token that nobody has seen yet is looked at.

        A token that exists waits only for wrong ones of the same public part: what others guess at
        the same address is no reason to shut it out.
        """
        public = _public(token)
        wait = self._tries.wait(host)
        if public not in self._ids:
            if not wait:
                return
            if await run(self._tokens.find, public) is None:
                raise _too_many(wait)
            _remember(self._ids, public, None, self._MOST_SEEN)
        if wait := self._tries.wait(_of_id(host, public)):
            raise _too_many(wait)

    def _was_wrong(self, token: str, host: str, reason: AuthReason) -> None:
        self._seen.pop(_digest(token), None)
        if reason is AuthReason.UNKNOWN:
            public = _public(token)
            self._tries.note(_of_id(host, public) if public in self._ids else host)


def _remember(kept: OrderedDict[T, U], key: T, value: U, most: int) -> None:
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > most:
        kept.popitem(last=False)


def _public(token: str) -> str:
    """The part by which a token is found; empty if it has none."""
    return token.split("_")[2] if token.count("_") == 3 else ""


def _of_id(host: str, public: str) -> str:
    return f"{host} {public}"


def _too_many(wait: float) -> OverQuota:
    return OverQuota(
        "TOO_MANY_WRONG_TOKENS",
        f"too many wrong tokens have come from your address; wait {wait:.0f} s",
        wait_seconds=f"{wait:.0f}",
    )


class MissingToken(AuthError):  # noqa: N818 - says what is the matter
    """A call without a token that needs one."""

    def __init__(self) -> None:
        super().__init__(
            AuthReason.UNKNOWN,
            "token: is missing; send it in the metadata as `authorization: Bearer arena_...`",
        )


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
