"""The journal of a competition: everything that happened, one JSON object a line, hash-chained.

    {"number":1,"at":1790000000000,"who":"admin token 1f2e","kind":"announced","text":"...",
     "chain":"..."}

`at` is in milliseconds since 1970 and never below that of the line before. `who` is `arena` for
what follows by itself, `owner NAME`, or `admin token` with the token's public part. The chain is
that of a match's record: with SHA-256 as H, the bytes of a line without its last member `chain` as
body(i), and their length as four bytes, big-endian,

    chain(1) = H(body(1))        chain(i) = H(chain(i-1) + length(body(i)) + body(i))

in hexadecimal digits. The chain of the last line is the head of the journal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Final

from arena.errors import InputError, quoted
from arena.referee.record import CHAIN_BYTES, Chain
from arena.storage.facts import Moment
from arena.tournament.competition.events import Event, event_facts, event_from

__all__ = ["ITSELF", "Journal", "Line"]

ITSELF: Final = "arena"
"""Who has done what follows by itself."""

_OWN: Final = ("number", "at", "who")
_WHO: Final = re.compile(r"arena|owner [a-z0-9][a-z0-9_-]{0,63}|admin token [0-9a-f]{1,64}")
_LATEST: Final = 253_370_764_799_999
"""The last millisecond of the year 9998: later ones have no date in every time zone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line: what happened, when, and who has done it; `chain` as in the journal."""

    number: int
    at: Moment
    who: str
    event: Event
    chain: str


class Journal:
    """A journal that is read or written, line by line.

    Attributes:
        length: How many lines there are.
        head: The chain of the last one; empty: there is none.
    """

    def __init__(self) -> None:
        self._chain = Chain()
        self._at = Moment(0)
        self.length = 0
        self.head = ""

    @classmethod
    def at(cls, other: Journal) -> Journal:
        """A journal that goes on from where another one is, which stays there."""
        made = cls()
        made._chain, made._at = copy(other._chain), other._at
        made.length, made.head = other.length, other.head
        return made

    def write(self, at: Moment, who: str, event: Event) -> tuple[Line, bytes]:
        """Add a line: what it says, and its bytes, without a line end.

        Its moment is that of the line before if `at` is earlier.

        Raises:
            InputError: `who` is nobody who writes a journal.
        """
        _require_who(who, "journal")
        # A machine's clock may be set back; what has happened later stays later.
        at = self._at = max(at, self._at)
        facts = {"number": self.length + 1, "at": at, "who": who, **event_facts(event)}
        text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        body = text.encode()
        self._count(body)
        line = Line(number=self.length, at=at, who=who, event=event, chain=self.head)
        return line, body[:-1] + f',"chain":"{self.head}"}}'.encode()

    def read(self, stored: bytes) -> Line:
        """Take in the next line as it is stored.

        Raises:
            InputError: it is none, or its number, its chain, its moment or who is said to have
                written it is wrong; the message names it.
        """
        what = f"journal: line {self.length + 1}"
        body = stored[:-CHAIN_BYTES] + b"}"
        try:
            facts = json.loads(stored)
        except (ValueError, RecursionError):
            raise InputError(f"{what}: is no JSON object") from None
        if not isinstance(facts, dict) or not _is_framed(facts):
            raise InputError(f"{what}: is no line of a journal: {quoted(facts)}")
        if facts["number"] != self.length + 1:
            raise InputError(f"{what}: has the number {facts['number']}")
        said = facts.pop("chain")
        self._count(body)
        if said != self.head:
            raise InputError(f"{what}: was changed, or one before it: its chain does not fit")
        _require_who(facts["who"], what)
        at = self._at = self._moment(facts["at"], what)
        event = {key: value for key, value in facts.items() if key not in _OWN}
        try:
            made = event_from(event)
        except InputError as error:
            raise InputError(f"{what}: {error}") from None
        return Line(number=self.length, at=at, who=facts["who"], event=made, chain=said)

    def read_all(self, stored: Iterable[bytes]) -> Iterator[Line]:
        """Take in one line after the other; raises as `read` does."""
        return map(self.read, stored)

    def _moment(self, at: int, what: str) -> Moment:
        if not 0 <= at <= _LATEST:
            raise InputError(
                f"{what}: at {quoted(at)}: must be from 0 to {_LATEST}, in the year 9998"
            )
        if at < self._at:
            raise InputError(f"{what}: at {at}: is before the line above it, at {self._at}")
        return Moment(at)

    def _count(self, body: bytes) -> None:
        self.head = self._chain.add(body)
        self.length += 1


def _is_framed(facts: dict[str, Any]) -> bool:
    kinds: Sequence[tuple[str, type]] = (("number", int), ("at", int), ("who", str), ("chain", str))
    return all(type(facts.get(name)) is kind for name, kind in kinds)


def _require_who(who: str, what: str) -> None:
    if not _WHO.fullmatch(who):
        raise InputError(
            f"{what}: who {quoted(who)}: must be {ITSELF}, owner NAME, or admin token with its "
            "public part"
        )
