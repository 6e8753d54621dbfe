"""How a call has failed, as it travels: a status with exactly one ErrorInfo of our domain.

Both ends use this; what becomes which failure is decided in `status`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2  # type: ignore[import-untyped]
from grpc_status import rpc_status  # type: ignore[import-untyped]

from arena.transport.texts import one_line

__all__ = ["DOMAIN", "Failure", "read_failure", "trailing"]

DOMAIN: Final = "millearena"
_LONGEST_TEXT: Final = 600
_LONGEST_FACT: Final = 120
_MOST_FACTS: Final = 8


@dataclass(frozen=True, slots=True)
class Failure:
    """How a call has failed; `text` is one line for people."""

    code: grpc.StatusCode
    reason: str
    text: str
    facts: Mapping[str, str] = field(default_factory=dict)


def trailing(failure: Failure) -> tuple[str, tuple[tuple[str, str | bytes], ...]]:
    """What a call is ended with: the text, and the metadata that hold the ErrorInfo."""
    text = one_line(failure.text, _LONGEST_TEXT)
    facts = list(failure.facts.items())[:_MOST_FACTS]
    info = error_details_pb2.ErrorInfo(
        reason=failure.reason,
        domain=DOMAIN,
        metadata={name: one_line(value, _LONGEST_FACT) for name, value in facts},
    )
    packed = any_pb2.Any()
    packed.Pack(info)
    code = code_pb2.Code.Value(failure.code.name)
    status = rpc_status.to_status(status_pb2.Status(code=code, message=text, details=[packed]))
    return text, tuple(status.trailing_metadata)


def read_failure(error: Any) -> Failure | None:
    """What a call has failed with, by its RpcError; None if it came from no server of this kind."""
    try:
        status = rpc_status.from_call(error)
    except ValueError:  # the details contradict the status: nobody of ours
        return None
    if status is None:
        return None
    for packed in status.details:
        info = error_details_pb2.ErrorInfo()
        if packed.Is(info.DESCRIPTOR) and packed.Unpack(info) and info.domain == DOMAIN:
            return Failure(error.code(), info.reason, status.message, dict(info.metadata))
    return None
