"""Messages as JSON text, in protobuf's mapping.

What `json_format` makes is the same, by way of dictionaries, and takes several times as long: a bot
waits for it. Here each type of message has a function that writes its text, made once from its
descriptor. Members are in the order of the fields' numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import Enum, auto
from typing import Any, Final, NamedTuple

from google.protobuf.descriptor import FieldDescriptor

Write = Callable[[Any], str]

_DURATION: Final = "google.protobuf.Duration"
_NUMBERS: Final = (
    FieldDescriptor.TYPE_INT32,
    FieldDescriptor.TYPE_SINT32,
    FieldDescriptor.TYPE_UINT32,
)


class _Shape(Enum):
    ALWAYS = auto()
    """Written also when it is zero."""
    IF_SET = auto()
    LIST = auto()


class _Member(NamedTuple):
    name: str
    label: str
    shape: _Shape
    write: Write


def writer(message: Any) -> Write:
    """A function that writes a message whose descriptor this is.

    Raises:
        TypeError: it has a field of a kind that is not written here.
    """
    fields = sorted(message.fields, key=lambda field: int(field.number))
    members = [_member(field) for field in fields]

    def write(value: Any) -> str:
        texts = []
        for name, label, shape, write_one in members:
            if shape is _Shape.LIST:
                texts.append(f"{label}[{','.join(map(write_one, getattr(value, name)))}]")
            elif shape is _Shape.ALWAYS or value.HasField(name):
                texts.append(label + write_one(getattr(value, name)))
        return f"{{{','.join(texts)}}}"

    return write


def _member(field: Any) -> _Member:
    shape = _Shape.IF_SET if field.has_presence else _Shape.ALWAYS
    if field.is_repeated:
        shape = _Shape.LIST
    return _Member(field.name, f'"{field.json_name}":', shape, _writer_of_values(field))


def _writer_of_values(field: Any) -> Write:
    """Writes a value of a field, or one of its values."""
    if field.message_type is not None:
        if field.message_type.full_name == _DURATION:
            return lambda value: f'"{value.ToJsonString()}"'
        if not field.message_type.GetOptions().map_entry:
            return writer(field.message_type)
    elif field.enum_type is not None:
        names = {one.number: f'"{one.name}"' for one in field.enum_type.values}
        return lambda number: names.get(number) or str(number)  # a newer one has no name here
    elif field.type == FieldDescriptor.TYPE_STRING:
        return json.dumps
    elif field.type == FieldDescriptor.TYPE_BOOL:
        return lambda value: "true" if value else "false"
    elif field.type in _NUMBERS:
        return str
    raise TypeError(f"{field.full_name}: no JSON is written for a field of this kind")
