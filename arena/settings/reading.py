"""Settings from a file in TOML; what is wrong in it is told with its line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
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
from arena.submissions.tomlplaces import Places, TomlError, near, read_toml, taken, unknown

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
    try:
        values, places = read_toml(text)
    except TomlError as error:
        raise InputError(f"{name}: {error}") from None
    return _Reader(name, places).settings(values)


# -- reading ------------------------------------------------------------------------------------


class _Reader:
    """Reads one text, and knows where everything in it stands."""

    def __init__(self, name: str, places: Places) -> None:
        self._name = name
        self._places = places

    def settings(self, values: Mapping[str, Any]) -> Settings:
        for section, value in values.items():
            if section not in _NAMES:
                self._refuse(section, 0, "", f"unknown section or key{near(section, _NAMES)}")
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
                self._refuse("rating", 0, key, unknown(key, known))
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
                self._refuse(section, number, key, unknown(key, known))
            try:
                given[key] = taken(known[key], value)
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
        path = (section, number, key) if self._places.has((section, 0)) else (section, key)
        line = self._places.line(path)
        subject = ".".join(filter(None, (section, "" if named else key)))
        raise InputError(f"{self._name}: line {line}: {subject}: {problem}")
