"""`bot.toml`, which says what a bot is and how it is run, and where bots are found.

    name = "cautious"               # shown in tables
    version = "1.0"
    language = "python"             # one of LANGUAGES
    run = ["python", "cautious_bot.py"]     # in the bot's own folder

All four keys are needed and there are no others.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import arena
from arena.errors import BotError, quoted

__all__ = ["LANGUAGES", "Manifest", "example_bots", "find_bot", "read_manifest"]

FILE_NAME: Final = "bot.toml"
LANGUAGES: Final = ("python", "typescript", "javascript", "go", "rust", "java", "cpp", "other")
_WORDS: Final = ("name", "version", "language")
_KEYS: Final = (*_WORDS, "run")
_LONGEST: Final = 64
_MOST_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a `bot.toml` says, and the folder it lies in."""

    name: str
    version: str
    language: str
    run: tuple[str, ...]
    folder: Path


def read_manifest(folder: Path) -> Manifest:
    """Read the `bot.toml` of a folder.

    Raises:
        BotError: it is missing, cannot be read, or breaks the format; the message names the file,
            the key and what is right.
    """
    path = folder / FILE_NAME
    try:
        values = tomllib.loads(_read(path))
    except OSError as error:
        raise BotError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        # Bad TOML, bad UTF-8, a number without end, arrays in arrays in arrays.
        raise BotError(f"{path}: not TOML: {error}") from None
    _check_keys(path, values)
    return Manifest(
        name=_word(path, values, "name"),
        version=_word(path, values, "version"),
        language=_language(path, values["language"]),
        run=_command(path, values["run"]),
        folder=folder.absolute(),
    )


def _read(path: Path) -> str:
    """The text of a `bot.toml`, if it is a file of a sensible size and not a device or a pipe."""
    if path.exists() and not path.is_file():
        raise BotError(f"{path}: is no file")
    with path.open("rb") as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise BotError(f"{path}: larger than {_MOST_BYTES // 1024} KiB")
    return content.decode("utf-8")


def _check_keys(path: Path, values: Mapping[str, object]) -> None:
    for key in values:
        if key not in _KEYS:
            raise BotError(f"{path}: unknown key {quoted(key)}; the keys are {', '.join(_KEYS)}")
    for key in _KEYS:
        if key not in values:
            raise BotError(f"{path}: {key!r} is missing; needed are {', '.join(_KEYS)}")


def _word(path: Path, values: Mapping[str, object], key: str) -> str:
    value = values[key]
    if isinstance(value, str) and value.isprintable() and 1 <= len(value.strip()) <= _LONGEST:
        return value.strip()
    raise BotError(
        f"{path}: {key} {quoted(value)}: must be a printable text of 1 to {_LONGEST} characters"
    )


def _language(path: Path, value: object) -> str:
    if isinstance(value, str) and value in LANGUAGES:
        return value
    raise BotError(f"{path}: language {quoted(value)}: must be one of {', '.join(LANGUAGES)}")


def _command(path: Path, value: object) -> tuple[str, ...]:
    if isinstance(value, list) and value and all(_is_argument(one) for one in value):
        return tuple(value)
    raise BotError(
        f"{path}: run {quoted(value)}: must be a list of texts, the program and its arguments, "
        'e.g. ["python", "my_bot.py"]'
    )


def _is_argument(value: object) -> bool:
    return isinstance(value, str) and value != "" and "\0" not in value


def example_bots() -> Mapping[str, Path]:
    """The example bots that come with the project: name and folder, by name."""
    package = Path(arena.__file__).parent
    # Beside the package in a checkout, inside it when installed.
    for home in (package.parent / "example_bots", package / "example_bots"):
        found = {path.parent.name: path.parent for path in sorted(home.glob(f"*/{FILE_NAME}"))}
        if found:
            return found
    return {}


def find_bot(text: str) -> Manifest:
    """Find the bot that somebody means by `text`: an example's name, or a folder.

    Raises:
        BotError: there is none; the message lists the examples. Or its `bot.toml` is wrong.
    """
    examples = example_bots()
    if text in examples:
        return read_manifest(examples[text])
    if os.path.isdir(text):
        return read_manifest(Path(text))
    if os.path.isfile(text):
        raise BotError(f"{text} is a file: name the folder {Path(text).parent}")
    raise BotError(
        f"unknown bot {quoted(text)}: it is no folder and no example bot; "
        f"the examples are {', '.join(examples)}"
    )
