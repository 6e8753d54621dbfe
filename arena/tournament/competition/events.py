"""What can happen in a competition: the events of its journal, and their form as JSON.

Everything that a competition is follows from these, in their order. Entries have numbers from 0 in
the order of the freeze; stages have numbers from 1; a pairing is named by its stage and its key.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar

from arena.errors import InputError, quoted
from arena.formats.story import Pairing, Score
from arena.storage.facts import Level

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
    """Somebody plays from the next round of a stage on."""

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
    return {"kind": _kind(type(event)), **_plain(dataclasses.asdict(event))}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, StrEnum) else value


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
    return _dataclass(found, rest, str(kind))


def _dataclass(kind: type[T], value: Any, where: str) -> T:
    if not isinstance(value, Mapping):
        raise InputError(f"{where}: must be an object, not {quoted(value)}")
    hints = _hints(kind)
    if set(value) != set(hints):
        odd = sorted(set(value) ^ set(hints))[0]
        problem = "is missing" if odd in hints else "is unknown"
        raise InputError(f"{where}.{odd}: {problem}")
    return kind(**{name: _taken(hints[name], value[name], f"{where}.{name}") for name in hints})


def _hints(kind: Any) -> dict[str, Any]:
    if kind not in _HINTS:
        hints = typing.get_type_hints(kind)
        _HINTS[kind] = {one.name: hints[one.name] for one in dataclasses.fields(kind)}
    return _HINTS[kind]


_HINTS: Final[dict[Any, dict[str, Any]]] = {}
"""The types of the attributes of each kind, once they were looked up."""


def _taken(hint: Any, value: Any, where: str) -> Any:
    origin = typing.get_origin(hint)
    if origin is tuple:
        return _tuple(typing.get_args(hint), value, where)
    if dataclasses.is_dataclass(hint):
        return _dataclass(typing.cast("type[object]", hint), value, where)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        if value not in list(hint):
            raise InputError(f"{where}: must be one of {', '.join(hint)}, not {quoted(value)}")
        return hint(value)
    if hint is float and type(value) in (int, float):
        return float(value)
    if isinstance(hint, types.UnionType) or type(value) is not hint:
        raise InputError(f"{where}: must be of type {hint.__name__}, not {quoted(value)}")
    return value


def _tuple(of: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise InputError(f"{where}: must be a list, not {quoted(value)}")
    if len(of) == 2 and of[1] is Ellipsis:
        of = of[:1] * len(value)
    if len(of) != len(value):
        raise InputError(f"{where}: must have {len(of)} members, not {len(value)}")
    return tuple(
        _taken(hint, one, f"{where}[{place}]")
        for place, (hint, one) in enumerate(zip(of, value, strict=True))
    )
