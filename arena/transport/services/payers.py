"""Who a call's cost is counted for, so that nobody is shut out by what others ask for.

    no token, or one that nobody has looked at yet on a call for everyone -> PASSER, an address
    a token that is to be looked at                                      -> DOOR, an address
    a token that was right                                               -> HOLDER, an owner

Each kind has limits of its own, in all and for each payer.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final
from urllib.parse import unquote

from arena.transport.auth import peer_host

__all__ = ["Kind", "Payer", "Shares", "caller_host"]

_FORWARDED: Final = "x-forwarded-for"


class Kind(Enum):
    """What is known of who calls."""

    PASSER = "passer"
    DOOR = "door"
    HOLDER = "holder"


@dataclass(frozen=True, slots=True)
class Payer:
    """An address, or an owner: for whom something is counted."""

    kind: Kind
    name: str


class Shares:
    """Counts what is open: at most `most` of a kind, and `each` of one payer."""

    def __init__(self, most: int, each: int) -> None:
        self._most = most
        self._each = each
        self._of_kind: Counter[Kind] = Counter()
        self._of_payer: Counter[Payer] = Counter()

    def __len__(self) -> int:
        return self._of_kind.total()

    def add(self, payer: Payer) -> bool:
        """Count one more; False: that would be too many."""
        if self._of_kind[payer.kind] >= self._most or self._of_payer[payer] >= self._each:
            return False
        self._of_kind[payer.kind] += 1
        self._of_payer[payer] += 1
        return True

    def remove(self, payer: Payer) -> None:
        """Count one less."""
        self._of_kind[payer.kind] -= 1
        self._of_payer[payer] -= 1
        if not self._of_payer[payer]:
            del self._of_payer[payer]


def caller_host(peer: str, metadata: Iterable[tuple[str, str | bytes]], *, is_proxied: bool) -> str:
    """The address of whoever calls, as `peer_host` gives it.

    Behind a proxy of this machine it is the one that the proxy has added: the last one, as those
    before it are what the caller has made up. Nobody else is believed.
    """
    if not is_proxied or not _is_of_this_machine(peer):
        return peer_host(peer)
    told = [str(value) for name, value in metadata if name == _FORWARDED]
    last = told[-1].rpartition(",")[2].strip() if told else ""
    try:
        address = ipaddress.ip_address(last.strip("[]"))
    except ValueError:
        return peer_host(peer)
    host = f"[{address}]" if address.version == 6 else str(address)
    return peer_host(f"ipv{address.version}:{host}:0")


def _is_of_this_machine(peer: str) -> bool:
    kind, _, rest = unquote(peer).partition(":")
    if kind == "unix":
        return True
    try:
        address = ipaddress.ip_address(rest.rpartition(":")[0].strip("[]"))
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
