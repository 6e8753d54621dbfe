"""Lines of JSON on one side, protobuf on the other: the protobuf JSON mapping, and nothing else.

Where that mapping leaves a choice: a line for a bot is compact and ASCII, and has the fields that
were left at zero, each in its place: a bot without a JSON library looks for text. A line from a bot
may spell names either way, `promptId` or `prompt_id`, and enums by name or number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from google.protobuf.json_format import ParseDict, ParseError

from arena.errors import quoted
from arena_sdk._bridge_json import writer
from millearena.v1 import match_service_pb2 as pb

LONGEST: Final = 16 * 1024
"""Bytes in a line of a bot, as in a message of one."""

EXAMPLE: Final = '{"answer":{"promptId":"...","legalIndex":0}}'
_LONGEST_REASON: Final = 300

_write: Final = writer(pb.PlayResponse.DESCRIPTOR)


class BadLine(ValueError):  # noqa: N818 - what it says
    """A line is no PlayRequest; the message says why."""


def line_from(response: pb.PlayResponse) -> bytes:
    """A message of the referee as a line; empty if all that it says is newer than this."""
    if response.WhichOneof("message") is None:
        return b""
    return _write(response).encode() + b"\n"


def request_from(line: bytes) -> pb.PlayRequest:
    """A bot's line as a message to the referee.

    Raises:
        BadLine: it is none.
    """
    values = _object(line)
    _check(values, pb.PlayRequest.DESCRIPTOR, "the line")
    try:
        request = ParseDict(values, pb.PlayRequest())
    except ParseError as error:
        raise BadLine(_short(str(error))) from None
    if request.WhichOneof("message") is None:
        raise BadLine("it has no join, answer or note")
    return request


def _object(line: bytes) -> dict[str, Any]:
    try:
        text = line.removesuffix(b"\n").decode("utf-8")
        values = json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise BadLine(f"byte {error.start} is no UTF-8") from None
    except json.JSONDecodeError as error:
        raise BadLine(f"no JSON: {error.msg}, column {error.colno}") from None
    except RecursionError:
        raise BadLine("JSON nested too deeply") from None
    except BadLine:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise BadLine(_short(str(error))) from None
    if not isinstance(values, dict):
        raise BadLine("it is JSON but no object {...}")
    return values


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise BadLine(f"{quoted(name)} stands there twice")
        values[name] = value
    return values


def _refuse(name: str) -> None:
    raise BadLine(f"{name} is no JSON")


def _check(value: object, message: Any, where: str) -> None:
    """Refuse what the mapping does not allow and protobuf's parser for Python takes all the same.

    `message` is the descriptor of what the value should be.

    Anything with elements is an empty message to it, and 1.5 an enum's number.
    """
    if not isinstance(value, dict):
        raise BadLine(f"{where} must be an object {{...}}, not {quoted(value)}")
    for name, one in value.items():
        field = _fields(message).get(name)
        if field is None or one is None:  # unknown ones the parser refuses, with those there are
            continue
        if field.message_type is not None:
            _check(one, field.message_type, quoted(name))
        elif field.enum_type is not None:
            for each in one if isinstance(one, list) else [one]:
                if isinstance(each, (bool, float, dict)):
                    raise BadLine(f"{quoted(name)} must be a name, not {quoted(each)}")


@lru_cache(maxsize=64)
def _fields(message: Any) -> dict[str, Any]:
    """The fields of a message by both of their names."""
    return {name: one for one in message.fields for name in (one.name, one.json_name)}


def _short(reason: str) -> str:
    """A reason of protobuf's, which has several lines, as one of a bounded length."""
    reason = " ".join(reason.replace("(except extensions)", "").split())
    return reason if len(reason) <= _LONGEST_REASON else f"{reason[: _LONGEST_REASON - 3]}..."
