"""Protobuf on one side, plain values on the other: moments, enumerations, ratings, documents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Generic, TypeVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from arena.ladder.rating import Rating
from arena.storage.facts import Moment
from arena.tournament.refusals import Invalid
from millearena.v1 import ratings_pb2

__all__ = [
    "Names",
    "document",
    "document_text",
    "duration_message",
    "millis",
    "moment",
    "moment_or_none",
    "rating",
    "rating_message",
    "timestamp",
]

Member = TypeVar("Member", bound=Enum)

_SECOND: Final = 1000
_MILLI: Final = 1_000_000
_LAST: Final = 253_402_300_799_999
"""The last millisecond of the year 9999, as late as a Timestamp can be."""


class Names(Generic[Member]):
    """An enumeration of ours and the wire's; `words` holds those whose names differ."""

    def __init__(
        self, wire: Any, prefix: str, members: type[Member], words: Mapping[Member, str] = {}
    ) -> None:
        self._prefix = prefix
        self._to = {
            member: wire.Value(f"{prefix}_{words.get(member, member.name)}") for member in members
        }
        self._back = {number: member for member, number in self._to.items()}

    def to(self, member: Member) -> Any:
        """The wire's number."""
        return self._to[member]

    def back(self, number: int) -> Member:
        """Ours.

        Raises:
            Invalid: it is unspecified, or newer than this.
        """
        if number not in self._back:
            raise Invalid(self._prefix.lower(), f"{number}: is not known here")
        return self._back[number]

    def wanted(self, number: int) -> Member | None:
        """Ours as a filter: None for unspecified, which lets everything through."""
        return None if number == 0 else self.back(number)


def timestamp(at: Moment | None) -> Timestamp | None:
    """A moment as a message; None for none."""
    if at is None:
        return None
    seconds, rest = divmod(max(0, min(at, _LAST)), _SECOND)
    return Timestamp(seconds=seconds, nanos=rest * _MILLI)


def moment(message: Timestamp) -> Moment:
    """The moment of a message."""
    return Moment(message.seconds * _SECOND + message.nanos // _MILLI)


def moment_or_none(holder: Any, field: str) -> Moment | None:
    """The moment in a field that may be unset."""
    return moment(getattr(holder, field)) if holder.HasField(field) else None


def duration_message(milliseconds: int) -> Duration:
    """A duration as a message."""
    seconds, rest = divmod(milliseconds, _SECOND)
    return Duration(seconds=seconds, nanos=rest * _MILLI)


def millis(message: Duration) -> int:
    """Milliseconds of a duration."""
    return message.seconds * _SECOND + message.nanos // _MILLI


def rating_message(value: Rating) -> ratings_pb2.Rating:
    """A rating as a message."""
    return ratings_pb2.Rating(mu=value.mu, sigma=value.sigma)


def rating(message: ratings_pb2.Rating) -> Rating:
    """The rating of a message."""
    return Rating(message.mu, message.sigma)


def document_text(value: Any) -> str:
    """A document as JSON in ASCII, which escapes whatever could be harmful to print."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def document(text: str) -> Any:
    """The document of a text, None for none; raises ValueError."""
    return json.loads(text) if text else None
