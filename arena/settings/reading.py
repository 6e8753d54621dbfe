"""Settings from a file in TOML; what is wrong in it is told with its line."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from arena.errors import InputError, quoted
from arena.ladder.rating import Parameters
from arena.referee.limits import limits_from
from arena.settings.values import (
    MatchSettings,
    ProbationSettings,
    QuotaSettings,
    SandboxSettings,
    ServerSettings,
    Settings,
    TableSettings,
)
from arena.submissions.tomllines import first_line_too_much, lines_of_keys

__all__ = ["FILE_NAME", "read_settings", "settings_from"]

FILE_NAME: Final = "arena.toml"

T = TypeVar("T")

_MOST: Final = 1024 * 1024
_SECTIONS: Final[Mapping[str, type[Any]]] = {
    "server": ServerSettings,
    "sandbox": SandboxSettings,
    "matches": MatchSettings,
    "probation": ProbationSettings,
    "quota": QuotaSettings,
}
_NAMES: Final = (*_SECTIONS, "limits", "rating", "table")


def read_settings(path: Path) -> Settings:
    """The settings of a file.

    Raises:
        InputError: it cannot be read, or something in it is wrong: file, line, key, what is right.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MOST + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if len(content) > _MOST:
        raise InputError(f"{path}: longer than {_MOST:,} bytes; this is no file of settings")
    try:
        return settings_from(content.decode(), str(path))
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8") from None


def settings_from(text: str, name: str) -> Settings:
    """The settings of a text; `name` is what messages begin with.

    Raises:
        InputError: as `read_settings`.
    """
    text = text.replace("\r\n", "\n")
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name}: not TOML: {error}") from None
    except (ValueError, RecursionError):
        line = first_line_too_much(text)
        raise InputError(f"{name}: line {line}: longer or deeper than can be read") from None
    return _Reader(name, text).settings(values)


# -- where things stand -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    """The lines of one table: its name, the line of its head, the lines of its keys."""

    name: str
    line: int
    keys: Mapping[str, int]


def _parts(text: str) -> Iterator[_Part]:
    """The tables of a text that is right, in their order; the first is what stands before all."""
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if _is_head(lines, number, line)]
    for start, end in zip([-1, *starts], [*starts, len(lines)], strict=True):
        body = "\n".join(lines[start + 1 : end])
        head = "" if start < 0 else next(iter(tomllib.loads(lines[start])))
        keys = {key: line + start + 1 for key, line in lines_of_keys(body).items()}
        yield _Part(head, start + 1, keys)


def _is_head(lines: Sequence[str], number: int, line: str) -> bool:
    if not line.lstrip().startswith("["):
        return False
    try:
        # In the middle of a list or a long string the text before it is not whole.
        tomllib.loads("\n".join(lines[:number]))
    except tomllib.TOMLDecodeError:
        return False
    return True


# -- reading ------------------------------------------------------------------------------------


class _Reader:
    """Reads one text, and knows where everything in it stands."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._parts = tuple(_parts(text))

    def settings(self, values: Mapping[str, Any]) -> Settings:
        for section, value in values.items():
            if section not in _NAMES:
                self._refuse(section, 0, "", f"unknown section or key{_near(section, _NAMES)}")
            if not isinstance(value, list if section == "table" else dict):
                right = "[[table]]" if section == "table" else f"[{section}]"
                self._refuse(section, 0, "", f"must be a table, {right}")
        made = {
            section: self._made(kind, section, 0, values.get(section, {}))
            for section, kind in _SECTIONS.items()
        }
        window = made["matches"].window
        base = replace(Settings().limits, window=window)
        return Settings(
            **made,
            limits=self._limits(values.get("limits", {}), base),
            tables=self._tables(values.get("table", [])),
            rating=self._rating(values.get("rating", {})),
        )

    def _limits(self, values: Mapping[str, Any], base: Any) -> Any:
        for key, value in values.items():
            if key == "window":
                self._refuse("limits", 0, key, "belongs into [matches]")
            try:
                base = limits_from({key: value}, base)
            except InputError as error:
                self._refuse("limits", 0, key, str(error), named=True)
        return base

    def _rating(self, values: Mapping[str, Any]) -> Parameters:
        known = {one.name for one in fields(Parameters)}
        made = Parameters()
        for key, value in values.items():
            if key not in known:
                self._refuse("rating", 0, key, f"unknown key{_near(key, known)}")
            if isinstance(value, bool) or not isinstance(value, int | float):
                self._refuse("rating", 0, key, f"must be a number, not {quoted(value)}")
            try:
                made = replace(made, **{key: float(value)})
            except (InputError, OverflowError) as error:
                self._refuse("rating", 0, key, str(error), named=True)
        return made

    def _tables(self, values: Sequence[Any]) -> tuple[TableSettings, ...]:
        tables: list[TableSettings] = []
        for number, value in enumerate(values):
            if not isinstance(value, dict):
                self._refuse("table", 0, "", "must be a table, [[table]]")
            if "name" not in value:
                self._refuse("table", number, "", "has no name; give it one")
            one = self._made(TableSettings, "table", number, value)
            if any(other.name == one.name for other in tables):
                self._refuse("table", number, "name", f"{quoted(one.name)} is there twice")
            tables.append(one)
        return tuple(tables) or Settings().tables

    def _made(self, kind: type[T], section: str, number: int, values: Mapping[str, Any]) -> T:
        known = {one.name: one for one in fields(kind)}  # type: ignore[arg-type]
        given: dict[str, Any] = {}
        for key, value in values.items():
            if key not in known:
                self._refuse(section, number, key, f"unknown key{_near(key, known)}")
            try:
                given[key] = _taken(known[key], value)
            except InputError as error:
                self._refuse(section, number, key, str(error))
        try:
            return kind(**given)
        except InputError as error:
            # It begins with the setting's name, if it is about one.
            key = next((one for one in given if str(error).startswith(one)), "")
            self._refuse(section, number, key, str(error), named=True)

    def _refuse(
        self, section: str, number: int, key: str, problem: str, *, named: bool = False
    ) -> NoReturn:
        """Refuse a key, or a whole section; `named`: the problem names the key itself."""
        line = self._line(section, number, key)
        subject = ".".join(filter(None, (section, "" if named else key)))
        raise InputError(f"{self._name}: line {line}: {subject}: {problem}")

    def _line(self, section: str, number: int, key: str) -> int:
        parts = [one for one in self._parts if one.name == section]
        if len(parts) > number:
            return parts[number].keys.get(key, parts[number].line)
        return self._parts[0].keys.get(section, 1)  # written as one key: section = {...}


def _near(key: str, known: Any) -> str:
    near = difflib.get_close_matches(key, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"


def _taken(field: Field[Any], value: Any) -> Any:
    """A value as its setting has it, by the kind of the default.

    Raises:
        InputError: it is of another kind.
    """
    default = field.default
    if isinstance(default, StrEnum):
        kind = type(default)
        if value not in list(kind):
            raise InputError(f"must be one of {', '.join(kind)}, not {quoted(value)}")
        return kind(value)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise InputError(f"must be true or false, not {quoted(value)}")
        return value
    if isinstance(default, str):
        return _of_kind(value, str, "a text in quotes")
    if isinstance(default, float):
        return float(_of_kind(value, (int, float), "a number"))
    if isinstance(default, int):
        return _of_kind(value, int, "a whole number")
    if isinstance(default, tuple):
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise InputError(f"must be a list of texts in quotes, not {quoted(value)}")
        return tuple(value)
    return _of_kind(value, dict, "a table")


def _of_kind(value: Any, kind: type[Any] | tuple[type[Any], ...], right: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, kind):
        raise InputError(f"must be {right}, not {quoted(value)}")
    return value
