"""What went wrong as a gRPC status: the only place that maps the one to the other.

| raised | code | reason |
|---|---|---|
| `Invalid`, any other InputError | INVALID_ARGUMENT | its own, INVALID_REQUEST |
| `SubmissionError` | INVALID_ARGUMENT | BAD_UPLOAD |
| `Unknown` | NOT_FOUND | UNKNOWN_... |
| `WrongPhase` | FAILED_PRECONDITION | its own |
| `AuthError` | UNAUTHENTICATED | TOKEN_... |
| `Forbidden`, a suspended owner | PERMISSION_DENIED | its own, OWNER_SUSPENDED |
| `OverQuota` | RESOURCE_EXHAUSTED | its own |
| `TooSlow`, a unary call at its limit | DEADLINE_EXCEEDED | its own, TOO_SLOW |
| `Draining` | UNAVAILABLE | DRAINING |
| HostFault | UNAVAILABLE | HOST_FAULT, with an incident |
| all else, our bug | INTERNAL | INTERNAL, with an incident |

What a fault of this machine
or a bug has to say is not told to whoever calls: the log has it, under the incident.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from typing import Final

import grpc

from arena.errors import ArenaError, HostFault, InputError, SubmissionError
from arena.storage.tokens import AuthError, AuthReason
from arena.tournament.refusals import (
    Forbidden,
    Invalid,
    OverQuota,
    Refusal,
    TooSlow,
    Unknown,
    WrongPhase,
)
from arena.transport.auth import MissingToken
from arena.transport.failures import Failure

__all__ = ["Draining", "failure_of"]

_LOG: Final = logging.getLogger(__name__)


class Draining(ArenaError):  # noqa: N818 - a state, no mistake
    """The server is on its way out and takes no more calls."""


_CODES: Final[Mapping[type[Refusal], grpc.StatusCode]] = {
    Invalid: grpc.StatusCode.INVALID_ARGUMENT,
    Unknown: grpc.StatusCode.NOT_FOUND,
    WrongPhase: grpc.StatusCode.FAILED_PRECONDITION,
    Forbidden: grpc.StatusCode.PERMISSION_DENIED,
    OverQuota: grpc.StatusCode.RESOURCE_EXHAUSTED,
    TooSlow: grpc.StatusCode.DEADLINE_EXCEEDED,
}


def failure_of(error: Exception, method: str, request_id: str) -> Failure:
    """The failure that an exception is to whoever calls; a bug or a host's fault is logged."""
    match error:
        case Refusal():
            code = _CODES[type(error)]
            return Failure(code, error.reason, str(error), error.facts)
        case AuthError(reason=AuthReason.SUSPENDED):
            return Failure(grpc.StatusCode.PERMISSION_DENIED, "OWNER_SUSPENDED", str(error))
        case MissingToken():
            return Failure(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING", str(error))
        case AuthError():
            code = grpc.StatusCode.UNAUTHENTICATED
            return Failure(code, f"TOKEN_{error.reason}", str(error))
        case SubmissionError():
            code = grpc.StatusCode.INVALID_ARGUMENT
            return Failure(code, "BAD_UPLOAD", str(error), {"rule": str(error.rule)})
        case InputError():
            return Failure(grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST", str(error))
        case TimeoutError():
            text = "the server could not answer in time; try again later"
            return Failure(grpc.StatusCode.DEADLINE_EXCEEDED, "TOO_SLOW", text)
        case Draining():
            text = "the server is shutting down; try again in a moment"
            return Failure(grpc.StatusCode.UNAVAILABLE, "DRAINING", text)
        case _:
            return _incident(error, method, request_id)


def _incident(error: Exception, method: str, request_id: str) -> Failure:
    """A failure of ours: the log says what, the caller gets a name to ask about."""
    incident = secrets.token_hex(6)
    facts = {"incident_id": incident}
    _LOG.error("incident %s in %s, request %s", incident, method, request_id, exc_info=error)
    if isinstance(error, HostFault):
        text = f"the server has a fault of its own (incident {incident}); try again later"
        return Failure(grpc.StatusCode.UNAVAILABLE, "HOST_FAULT", text, facts)
    text = f"the server has made a mistake: tell its operator the incident {incident}"
    return Failure(grpc.StatusCode.INTERNAL, "INTERNAL", text, facts)
