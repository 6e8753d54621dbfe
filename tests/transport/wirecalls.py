"""Calls of any method by its name, as no client of ours would make them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from arena.transport.failures import read_failure
from millearena.v1 import (
    bot_service_pb2,
    competition_service_pb2,
    ladder_service_pb2,
    operator_service_pb2,
    organiser_service_pb2,
    record_service_pb2,
)

__all__ = ["METHODS", "Outcome", "call", "channel_to", "path_of"]

SERVICES = (
    ladder_service_pb2.DESCRIPTOR.services_by_name["LadderService"],
    record_service_pb2.DESCRIPTOR.services_by_name["RecordService"],
    bot_service_pb2.DESCRIPTOR.services_by_name["BotService"],
    operator_service_pb2.DESCRIPTOR.services_by_name["OperatorService"],
    competition_service_pb2.DESCRIPTOR.services_by_name["CompetitionService"],
    organiser_service_pb2.DESCRIPTOR.services_by_name["OrganiserService"],
)
METHODS: Mapping[str, MethodDescriptor] = {
    method.name: method for service in SERVICES for method in service.methods
}


@dataclass(frozen=True)
class Outcome:
    """What a call came to: OK, or a code with the one ErrorInfo's reason; `answers` as messages."""

    code: str
    reason: str = ""
    text: str = ""
    facts: Mapping[str, str] | None = None
    answers: tuple[Message, ...] = ()
    request_id: str = ""

    def __str__(self) -> str:
        return f"{self.code} {self.reason}".strip()


@contextlib.contextmanager
def channel_to(address: str) -> Iterator[grpc.Channel]:
    """A channel of its own, so that no connection is shared."""
    options = (("grpc.use_local_subchannel_pool", 1),)
    with grpc.insecure_channel(address, options) as channel:
        yield channel


def path_of(name: str) -> str:
    """What a method is called on the wire."""
    method = METHODS[name]
    return f"/{method.containing_service.full_name}/{name}"


def call(
    channel: grpc.Channel,
    name: str,
    request: Any = None,
    *,
    token: str = "",
    most: int = 1,
    metadata: tuple[tuple[str, str], ...] = (),
    timeout: float = 20.0,
) -> Outcome:
    """Call a method; `request` is its fields, a message, or for an upload a list of messages.

    Of a stream the first `most` answers are taken.
    """
    method = METHODS[name]
    if token:
        metadata = (*metadata, ("authorization", f"Bearer {token}"))
    asked: Any
    make: Any
    if method.client_streaming:
        asked, make = iter(request), channel.stream_unary
    else:
        make = channel.unary_stream if method.server_streaming else channel.unary_unary
        reads = GetMessageClass(method.input_type)
        asked = request if isinstance(request, Message | bytes) else reads(**(request or {}))
    calls: Any = make(
        path_of(name),
        request_serializer=_serialized,
        response_deserializer=GetMessageClass(method.output_type).FromString,
    )
    return _outcome(calls, asked, method, most, metadata=metadata, timeout=timeout)


def _outcome(
    calls: Any, asked: Any, method: MethodDescriptor, most: int, **options: Any
) -> Outcome:
    try:
        if method.server_streaming:
            stream = calls(asked, **options)
            answers = []
            for answer in stream:
                answers.append(answer)
                if len(answers) >= most:
                    stream.cancel()
                    break
            return Outcome("OK", answers=tuple(answers))
        answer, done = calls.with_call(asked, **options)
        initial = dict(done.initial_metadata())
        return Outcome("OK", answers=(answer,), request_id=initial.get("x-request-id", ""))
    except grpc.RpcError as error:
        return _failed(error)


def _failed(error: Any) -> Outcome:
    failure = read_failure(error)
    initial = dict(error.initial_metadata() or ())
    request_id = initial.get("x-request-id", "")
    if failure is None:
        return Outcome(error.code().name, text=error.details() or "", request_id=request_id)
    return Outcome(
        failure.code.name,
        failure.reason,
        failure.text,
        failure.facts,
        request_id=request_id,
    )


def _serialized(message: Any) -> bytes:
    if isinstance(message, bytes):
        return message
    serialized: bytes = message.SerializeToString()
    return serialized
