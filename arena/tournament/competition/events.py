"""What can happen in a competition: the events of its journal, and their form as JSON.

Everything that a competition is follows from these, in their order. Entries have numbers from 0 in
the order of the freeze; stages have numbers from 1; a pairing is named by its stage and its key.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from arena.errors import InputError, quoted
from arena.formats.story import Pairing, Score
from arena.storage.facts import Level
from arena.tournament.competition.jsonvalues import plain, valued

__all__ = [
    "EVENTS",
    "Announced",
    "Cancelled",
    "Closed",
    "Decided",
    "Disqualified",
    "Entered",
    "Event",
    "Finished",
    "Frozen",
    "FrozenEntry",
    "Joined",
    "Left",
    "Level",
    "Mixed",
    "Opened",
    "Paired",
    "Paused",
    "Reinstated",
    "Released",
    "Rerun",
    "Resumed",
    "Scored",
    "StageBegun",
    "Started",
    "Withdrawn",
    "event_facts",
    "event_from",
]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenEntry:
    """Who plays, from the freeze on.

    Attributes:
        title: `OWNER/NAME`.
        entrant, version: Their numbers in the store.
        ordinal: The version's number among its entrant's.
        digest: SHA-256 of all that the version says.
        group: Its group of eligibility; empty: none.
        mu, sigma: Its rating on the ladder at the freeze.
    """

    title: str
    entrant: int
    version: int
    ordinal: int
    digest: str
    group: str = ""
    mu: float = 0.0
    sigma: float = 0.0

    @property
    def owner(self) -> str:
        """Whose it is."""
        return self.title.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Announced:
    """There will be a competition; `text` is its file, whole."""

    text: str


@dataclass(frozen=True, slots=True)
class Opened:
    """Who may enter may do so."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A bot, `OWNER/NAME`, wants to take part."""

    title: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """It does not want to any more, before the freeze."""

    title: str


@dataclass(frozen=True, slots=True)
class Closed:
    """Nobody enters any more, and what is uploaded after `moment` (ms) does not count.

    `active` has the version that was each bot's active one at that moment, by title and ordinal.
    """

    moment: int
    active: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Frozen:
    """From now on it is these versions that play.

    Attributes:
        entries: In their order of seeding.
        absent: Who was entered or invited and has nothing that could play, and why.
        commitment: What is published of the secret seed.
    """

    entries: tuple[FrozenEntry, ...]
    absent: tuple[tuple[str, str], ...]
    commitment: str


@dataclass(frozen=True, slots=True)
class Mixed:
    """The public value that was named in advance is known, and goes into all seeds."""

    value: str


@dataclass(frozen=True, slots=True)
class Started:
    """Play begins."""


@dataclass(frozen=True, slots=True)
class Paused:
    """No match begins until it is resumed."""

    why: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """Matches begin again."""


@dataclass(frozen=True, slots=True)
class StageBegun:
    """A stage begins.

    Attributes:
        entries: Who plays in it, in their order of seeding.
        groups: By place in `entries`, its group in the stage before; empty: there was none.
        seed: 32 bytes in hexadecimal digits, from which its lots follow.
    """

    stage: int
    entries: tuple[int, ...]
    groups: tuple[int, ...]
    seed: str


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody is added after the freeze.

    It plays from the next round of the stage on; stage 0: none has begun, so from the first on.
    """

    stage: int
    entry: FrozenEntry


@dataclass(frozen=True, slots=True)
class Paired:
    """Pairings are announced; their entrants are places in the stage's order of seeding."""

    stage: int
    pairings: tuple[Pairing, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A match was played.

    Attributes:
        run: Which run of the pairing it was, from 1; see `Rerun`.
        match, attempt: Their numbers in the store.
        record: SHA-256 of the record's bytes.
        head: The chain hash of its last line.
    """

    stage: int
    key: str
    run: int
    match: int
    attempt: int
    record: str
    head: str
    score: Score


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """A pairing is played once more, by another match; what it had does not count any more."""

    stage: int
    key: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A person says how a pairing ended: `ranks` by team, 1 for the best."""

    stage: int
    key: str
    ranks: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """An entry plays no more, by its owner's wish."""

    entry: int
    why: str


@dataclass(frozen=True, slots=True)
class Disqualified:
    """An entry plays no more, by the organiser's decision."""

    entry: int
    why: str


@dataclass(frozen=True, slots=True)
class Reinstated:
    """An entry that was out plays on, as if it had never left: that was a mistake."""

    entry: int
    why: str


@dataclass(frozen=True, slots=True)
class Released:
    """Who may see results."""

    level: Level


@dataclass(frozen=True, slots=True)
class Finished:
    """The result stands; `secret` is the seed that was committed to, in hexadecimal digits."""

    secret: str


@dataclass(frozen=True, slots=True)
class Cancelled:
    """It ends without a result."""

    why: str


Event = (
    Announced
    | Opened
    | Entered
    | Left
    | Closed
    | Frozen
    | Mixed
    | Started
    | Paused
    | Resumed
    | StageBegun
    | Joined
    | Paired
    | Scored
    | Rerun
    | Decided
    | Withdrawn
    | Disqualified
    | Reinstated
    | Released
    | Finished
    | Cancelled
)


def _kind(event: type[object]) -> str:
    name = event.__name__
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name).lstrip("_")


EVENTS: Final[Mapping[str, type[Event]]] = {_kind(event): event for event in typing.get_args(Event)}
"""Every event by the name that the journal calls it."""


# -- as JSON ------------------------------------------------------------------------------------


def event_facts(event: Event) -> dict[str, Any]:
    """An event as a JSON object: its `kind`, then its attributes."""
    return {"kind": _kind(type(event)), **plain(event)}


def event_from(facts: Mapping[str, Any]) -> Event:
    """The event that `event_facts` has put down.

    Raises:
        InputError: it is none; the message names the member.
    """
    kind = facts.get("kind")
    found = EVENTS.get(kind) if isinstance(kind, str) else None
    if found is None:
        raise InputError(f"kind {quoted(kind)}: must be one of {', '.join(EVENTS)}")
    rest = {key: value for key, value in facts.items() if key != "kind"}
    return valued(found, rest, str(kind))
