"""Where everything in a TOML text stands, and what a refusal of one of its values says.

For files that people write by hand, whose mistakes are told with their line: the settings of a
server, the regulations of a competition. `tomllib` gives the values and tells no lines.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from arena.errors import InputError, quoted
from arena.submissions.tomllines import TOKEN, first_line_too_much

__all__ = [
    "Path",
    "Places",
    "TomlError",
    "near",
    "of_kind",
    "read_toml",
    "taken",
    "taken_as",
    "texts",
    "unknown",
]

Path = tuple[str | int, ...]
"""Where a value is: keys, and in lists numbers from 0, such as ("table", 1, "players")."""

_DEEPEST: Final = 6  # keys of a path; what lies deeper has the line of what it lies in
_AT_LINE: Final = re.compile(r" \(at line (\d+), column \d+\)$")
_AT_END: Final = re.compile(r" \(at end of document\)$")


class TomlError(InputError):
    """A text that is no TOML; `line`, from 1, says where."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem


def read_toml(text: str) -> tuple[dict[str, Any], Places]:
    """The values of a text, and where they stand.

    Raises:
        TomlError: it is no TOML, or more than can be read.
    """
    text = text.replace("\r\n", "\n")
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
        if found := _AT_LINE.search(reason):
            line = int(found[1])
        else:
            line = text.rstrip("\n").count("\n") + 1
        reason = _AT_END.sub(" at the end of the file", _AT_LINE.sub("", reason))
        if reason == "Invalid value":
            reason += "; a text stands in quotes, true and false without, a list in [ ]"
        raise TomlError(line, f"not TOML: {reason}") from None
    except (ValueError, RecursionError):
        line = first_line_too_much(text)
        raise TomlError(line, "longer or deeper than can be read") from None
    return values, Places(text)


# -- where things stand -------------------------------------------------------------------------


class Places:
    """The lines of a text that `tomllib` has read without complaint."""

    def __init__(self, text: str) -> None:
        self._lines = _Walk(text).lines

    def line(self, path: Path) -> int:
        """The line, from 1, of a value, or of the innermost that it would lie in; else 1."""
        for length in range(len(path), 0, -1):
            line = self._lines.get(tuple(path[:length]))
            if line is not None:
                return line
        return 1

    def has(self, path: Path) -> bool:
        """Whether the text says anything of it."""
        return tuple(path) in self._lines


@dataclass(slots=True)
class _Word:
    text: str
    line: int


class _Walk:
    """One pass over the words of a text, in which every key and item is noted with its line."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._words = _words(text)
        self._at = 0
        self._lists: dict[Path, int] = {}  # [[...]] so far
        table: Path = ()
        while self._at < len(self._words):
            if self._now == "\n":
                self._at += 1
            elif self._now == "[":
                table = self._head()
            else:
                self._pair(table)

    @property
    def _now(self) -> str:
        return self._words[self._at].text if self._at < len(self._words) else "\n"

    def _note(self, path: Path, line: int) -> None:
        if len(path) <= _DEEPEST:
            self.lines.setdefault(path, line)

    def _head(self) -> Path:
        """The head of a table; gives the path of what follows."""
        line = self._words[self._at].line
        is_list = self._words[self._at + 1].text == "["
        self._at += 2 if is_list else 1
        path: Path = ()
        keys = self._keys("]")
        for number, key in enumerate(keys):
            path = (*path, key)
            if is_list and number == len(keys) - 1:
                self._note(path, line)
                self._lists[path] = self._lists.get(path, -1) + 1
            if path in self._lists:
                path = (*path, self._lists[path])
            self._note(path, line)
        self._at += 2 if is_list else 1
        return path

    def _pair(self, table: Path) -> None:
        """A key and its value."""
        line = self._words[self._at].line
        path = table
        for key in self._keys("=")[:_DEEPEST]:
            path = (*path, key)
            self._note(path, line)
        self._at += 1
        self._value(path)

    def _keys(self, end: str) -> list[str]:
        """The keys up to a word, which is not taken, without the dots between them."""
        found: list[str] = []
        while self._now != end:
            if self._now != ".":
                found.append(_decoded(self._now))
            self._at += 1
        return found

    def _value(self, path: Path) -> None:
        if self._now not in ("[", "{"):
            while self._now not in ("\n", ",", "]", "}"):
                self._at += 1
        elif len(path) >= _DEEPEST:
            self._skip()
        elif self._now == "[":
            self._items(path)
        else:
            self._members(path)

    def _items(self, path: Path) -> None:
        self._at += 1
        number = 0
        while self._now != "]":
            if self._now in ("\n", ","):
                self._at += 1
                continue
            self._note((*path, number), self._words[self._at].line)
            self._value((*path, number))
            number += 1
        self._at += 1

    def _members(self, path: Path) -> None:
        self._at += 1
        while self._now != "}":
            if self._now in ("\n", ","):
                self._at += 1
            else:
                self._pair(path)
        self._at += 1

    def _skip(self) -> None:
        depth = 0
        while True:
            depth += (self._now in ("[", "{")) - (self._now in ("]", "}"))
            self._at += 1
            if depth == 0:
                return


def _words(text: str) -> list[_Word]:
    """The words of a text without comments and blanks; a line's end is one."""
    found: list[_Word] = []
    line = 1
    for match in TOKEN.finditer(text):
        word = match[0]
        if word == "\n" or not (word.isspace() or word[0] == "#"):
            found.append(_Word(word, line))
        line += word.count("\n")
    return found


def _decoded(key: str) -> str:
    if key[0] not in "\"'":
        return key
    (name,) = tomllib.loads(f"{key} = 0")
    return name


# -- what values are ----------------------------------------------------------------------------


def near(key: str, known: Iterable[str]) -> str:
    """What is said after an unknown word: the known one that is meant, or all."""
    known = list(known)
    found = difflib.get_close_matches(key, known, n=1)
    return f"; did you mean {found[0]}?" if found else f"; there are {', '.join(known)}"


def taken(field: dataclasses.Field[Any], value: object) -> Any:
    """A value as a field of a dataclass has it, by the kind of the field's default.

    Raises:
        InputError: it is of another kind; the message says what is right.
    """
    return taken_as(field.default, value)


def taken_as(default: object, value: object) -> Any:
    """A value of the kind of `default`, a tuple being one of texts and anything else a table.

    Raises:
        InputError: it is of another kind; the message says what is right.
    """
    if isinstance(default, StrEnum):
        kind = type(default)
        if value not in list(kind):
            raise InputError(f"must be one of {', '.join(kind)}, not {quoted(value)}")
        return kind(str(value))
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise InputError(f"must be true or false, not {quoted(value)}")
        return value
    if isinstance(default, str):
        return of_kind(value, str, "a text in quotes")
    if isinstance(default, float):
        return float(of_kind(value, (int, float), "a number"))
    if isinstance(default, int):
        return of_kind(value, int, "a whole number")
    if isinstance(default, tuple):
        return texts(value)
    return of_kind(value, dict, "a table")


def texts(value: object) -> tuple[str, ...]:
    """A list of texts; raises InputError if it is none."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InputError(f"must be a list of texts in quotes, not {quoted(value)}")
    return tuple(value)


def of_kind(value: object, kind: type[Any] | tuple[type[Any], ...], right: str) -> Any:
    """A value of a kind, where true is no number; raises InputError that says what is right."""
    if isinstance(value, bool) or not isinstance(value, kind):
        raise InputError(f"must be {right}, not {quoted(value)}")
    return value


def unknown(key: str, known: Iterable[str]) -> str:
    """What is said of a key that there is none like."""
    return f"unknown key{near(key, known)}"
