"""A service as a table: each method of its .proto file with who may call it and what answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from arena.transport.auth import Access, Caller

__all__ = ["UNARY_LIMIT", "Method", "Service", "Stream", "Unary", "Upload"]


UNARY_LIMIT: Final = 20.0
"""Seconds that a call with one answer may take, unless it says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unary:
    """One request, one answer: `answer` blocks and runs in a thread.

    Attributes:
        limit: Seconds that it may take.
        creates: It makes something: the request has a `request_id`, and asking again with the
            same one gives the same answer.
    """

    access: Access
    answer: Callable[[Caller, Any], Message]
    limit: float = UNARY_LIMIT
    creates: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """One request, many answers; `answer` runs in the event loop."""

    access: Access
    answer: Callable[[Caller, Any], AsyncGenerator[Message, None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """Many requests, one answer; `answer` runs in the event loop."""

    access: Access
    answer: Callable[[Caller, AsyncIterator[Any]], Coroutine[Any, Any, Message]]


Method = Unary | Stream | Upload


@dataclass(frozen=True, slots=True)
class Service:
    """A service of a .proto file and its methods, by their names."""

    descriptor: ServiceDescriptor
    methods: Mapping[str, Method]

    def __post_init__(self) -> None:
        declared = {method.name for method in self.descriptor.methods}
        assert declared == self.methods.keys(), declared ^ self.methods.keys()
        for method in self.descriptor.methods:
            streams = (method.client_streaming, method.server_streaming)
            kinds: dict[tuple[bool, bool], type[Method]] = {
                (False, False): Unary,
                (False, True): Stream,
                (True, False): Upload,
            }
            assert isinstance(self.methods[method.name], kinds[streams]), method.name
