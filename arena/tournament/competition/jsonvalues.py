"""Values of journals and archives as JSON, and back: a stranger's are read by the types here.

`plain` gives what JSON has; `valued` refuses everything that is not exactly of the type, so that
whoever holds a value knows its form.
"""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NoReturn, TypeVar, cast

from arena.errors import InputError, quoted

__all__ = ["json_line", "object_from", "plain", "valued"]

T = TypeVar("T")

_NUMBERS: Final = 1 << 63


def plain(value: Any) -> Any:
    """A value as JSON has it: dataclasses become objects, tuples lists."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return str(value) if isinstance(value, StrEnum) else value


def json_line(value: Any) -> bytes:
    """A value on one line, with its end."""
    text = json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode() + b"\n"


def object_from(content: bytes) -> Mapping[str, Any]:
    """A JSON object.

    Raises:
        InputError: it is none, names a member twice, or holds what is no JSON.
    """
    try:
        found: Any = _DECODER.decode(content.decode())
    except RecursionError:
        raise InputError("is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"is no JSON object, but {quoted(found)}")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is there twice")
    return members


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)


def valued(kind: type[T], facts: object, where: str = "") -> T:
    """A dataclass from the JSON object that `plain` makes of it.

    Raises:
        InputError: it is not of this form; the message names the member.
    """
    if not isinstance(facts, Mapping):
        raise InputError(f"{_named(where)}must be an object, not {quoted(facts)}")
    hints = _hints(kind)
    if set(facts) != set(hints):
        odd = sorted(set(facts) ^ set(hints))[0]
        problem = "is missing" if odd in hints else "is unknown"
        raise InputError(f"{_path(where, quoted(odd))}: {problem}")
    return kind(**{name: _taken(hints[name], facts[name], _path(where, name)) for name in hints})


def _named(where: str) -> str:
    return f"{where}: " if where else ""


def _path(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


_HINTS: Final[dict[object, dict[str, Any]]] = {}


def _hints(kind: type[object]) -> dict[str, Any]:
    found = _HINTS.get(kind)
    if found is None:
        hints = typing.get_type_hints(kind)
        names = [one.name for one in dataclasses.fields(kind)]  # type: ignore[arg-type]
        found = _HINTS[kind] = {name: hints[name] for name in names}
    return found


_UNIONS: Final = (types.UnionType, typing.Union)


def _taken(hint: Any, value: Any, where: str) -> Any:
    origin, of = typing.get_origin(hint), typing.get_args(hint)
    if origin in _UNIONS:  # nothing here is anything but "this, or null"
        return None if value is None else _taken(of[0], value, where)
    if isinstance(hint, typing.NewType):
        return _taken(hint.__supertype__, value, where)
    if origin is tuple:
        return _tuple(of, value, where)
    if origin is dict:
        if isinstance(value, dict):
            return value
        raise InputError(f"{where}: must be an object, not {quoted(value)}")
    if dataclasses.is_dataclass(hint):
        return valued(cast("type[object]", hint), value, where)
    if issubclass(hint, StrEnum):
        if value not in list(hint):
            raise InputError(f"{where}: must be one of {', '.join(hint)}, not {quoted(value)}")
        return hint(value)
    return _simple(hint, value, where)


def _tuple(of: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise InputError(f"{where}: must be a list, not {quoted(value)}")
    kinds = of[:1] * len(value) if of[-1] is Ellipsis else of
    if len(kinds) != len(value):
        raise InputError(f"{where}: must have {len(kinds)} members, not {len(value)}")
    return tuple(
        _taken(kind, one, f"{where}[{place}]")
        for place, (kind, one) in enumerate(zip(kinds, value, strict=True))
    )


def _simple(hint: type, value: Any, where: str) -> Any:
    if hint is float and type(value) in (int, float):
        if abs(value) >= _NUMBERS or not math.isfinite(value):
            raise InputError(f"{where}: {quoted(value)} is too large")
        return float(value)
    if type(value) is not hint:
        raise InputError(f"{where}: must be of type {hint.__name__}, not {quoted(value)}")
    if isinstance(value, int) and abs(value) >= _NUMBERS:
        raise InputError(f"{where}: is too large")
    if isinstance(value, str) and not _is_text(value):
        raise InputError(f"{where}: holds half of a character")
    return value


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
