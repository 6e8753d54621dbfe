"""`bot.toml`, which says what a bot is, how it is built and run, and what it plays.

    name = "cautious"               # shown in tables
    version = "1.0"
    language = "python"             # one of LANGUAGES
    run = ["python", "cautious_bot.py"]     # in the bot's own folder

These four keys are needed. The others, and what it means to leave them out:

    image = "python"                # the image of the language
    build = ["make"]                # nothing is built
    players = [2, 3, 4, 6]          # any number that the rules have
    rulesets = ["classic"]          # every preset
    protocol = 1                    # the only version that there is
    bridge = "stdio-json"           # the program speaks gRPC itself
"""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.engine.rulesets import MAX_SEATS, PRESETS, make_ruleset
from arena.engine.seating import make_seating
from arena.errors import BotError, RuleSetError, quoted
from arena.submissions.tomllines import first_line_too_much, lines_of_keys

__all__ = [
    "BRIDGES",
    "FILE_NAME",
    "LANGUAGES",
    "LONGEST_WORD",
    "MOST_BYTES",
    "PLAYERS",
    "PROTOCOL",
    "Manifest",
    "is_argument",
    "parse_manifest",
]

FILE_NAME: Final = "bot.toml"
LANGUAGES: Final = ("python", "typescript", "javascript", "go", "rust", "java", "cpp", "other")
PLAYERS: Final = tuple(range(2, MAX_SEATS + 1))
PROTOCOL: Final = 1
BRIDGES: Final = ("stdio-json",)
"""What a bot may speak instead of gRPC."""
LONGEST_WORD: Final = 64
"""Characters of a name, a version, or the name of an image."""
MOST_BYTES: Final = 16 * 1024
_MOST_DOTS: Final = 200
"""On a line. A key with dots costs `tomllib` the square of their number in time and memory."""

_LONGEST_REASON: Final = 200

_WORDS: Final = ("name", "version", "language")
_NEEDED: Final = (*_WORDS, "run")
_KEYS: Final = (*_NEEDED, "image", "build", "players", "rulesets", "protocol", "bridge")
_IMAGE: Final = re.compile(r"[a-z0-9]+([._/-][a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a `bot.toml` says, and the folder it lies in.

    `image` is empty for the image of the language, `build` for a bot that needs no building,
    `bridge` for one that speaks gRPC itself. `python_class` is set for a bot that was named as
    `module:Class`.
    """

    name: str
    version: str
    language: str
    run: tuple[str, ...]
    folder: Path
    python_class: str = ""
    image: str = ""
    build: tuple[str, ...] = ()
    players: tuple[int, ...] = PLAYERS
    rulesets: tuple[str, ...] = tuple(PRESETS)
    protocol: int = PROTOCOL
    bridge: str = ""

    @property
    def image_name(self) -> str:
        """The image that it is built and run in: one that it names, or that of its language.

        Where something else speaks gRPC for it, that needs Python, which other languages' have not.
        """
        if self.image or not self.bridge or self.language == "python":
            return self.image or self.language
        return "other"

    def supports(self, ruleset: str, players: int) -> bool:
        """Whether the bot plays this preset at a table of so many, and the preset has that one."""
        if ruleset not in self.rulesets or players not in self.players:
            return False
        try:
            make_seating(make_ruleset(ruleset, players=players), players)
        except RuleSetError:
            return False
        return True


def parse_manifest(content: bytes, path: str, folder: Path) -> Manifest:
    """Read the content of a `bot.toml`; `path` is what messages call it.

    Raises:
        BotError: it breaks the format; the message names the file, the line, the key and what is
            right.
    """
    if len(content) > MOST_BYTES:
        raise BotError(f"{path}: larger than {MOST_BYTES // 1024} KiB")
    values, lines = _read(content, path)
    _check_keys(path, values, lines)
    reader = _Reader(path, values, lines)
    manifest = Manifest(
        name=reader.word("name"),
        version=reader.word("version"),
        language=reader.language(),
        run=reader.command("run"),
        folder=folder,
        image=reader.image(),
        build=reader.command("build") if values.get("build", []) != [] else (),
        players=reader.players(),
        rulesets=reader.rulesets(),
        protocol=reader.protocol(),
        bridge=reader.bridge(),
    )
    if not any(manifest.supports(rules, count) for rules in PRESETS for count in PLAYERS):
        raise reader.refusal(
            "players" if "players" in values else "rulesets",
            "must leave something to play: none of the bot's rule sets is for so many",
        )
    return manifest


def _read(content: bytes, path: str) -> tuple[Mapping[str, object], Mapping[str, int]]:
    """The values of a TOML text and the lines of their keys."""
    content = content.removeprefix(codecs.BOM_UTF8)  # some editors on Windows begin with it
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BotError(f"{path}: line {line}: not TOML: not UTF-8 text") from None
    for number, one in enumerate(text.split("\n"), start=1):
        if one.count(".") > _MOST_DOTS:
            raise BotError(f"{path}: line {number}: has more than {_MOST_DOTS} dots")
    try:
        return tomllib.loads(text), lines_of_keys(text)
    except tomllib.TOMLDecodeError as error:
        raise BotError(f"{path}: not TOML: {_cut(str(error))}") from None
    except (ValueError, RecursionError) as error:
        # A number without end, arrays in arrays in arrays: these come without a place.
        line = first_line_too_much(text)
        raise BotError(f"{path}: line {line}: not TOML: {error}") from None


def _cut(reason: str) -> str:
    """A reason cut short in its middle: it may quote the file, and ends with the place."""
    if len(reason) <= _LONGEST_REASON:
        return reason
    return f"{reason[: _LONGEST_REASON // 2]}...{reason[-_LONGEST_REASON // 2 :]}"


def _check_keys(path: str, values: Mapping[str, object], lines: Mapping[str, int]) -> None:
    for key in values:
        if key not in _KEYS:
            raise BotError(
                f"{path}: line {lines[key]}: unknown key {quoted(key)}; "
                f"the keys are {', '.join(_KEYS)}"
            )
    for key in _NEEDED:
        if key not in values:
            raise BotError(f"{path}: {key!r} is missing; needed are {', '.join(_NEEDED)}")


@dataclass(frozen=True, slots=True)
class _Reader:
    """Takes the values out of a `bot.toml`, each checked; what is left out gets its default."""

    path: str
    values: Mapping[str, object]
    lines: Mapping[str, int]

    def refusal(self, key: str, right: str) -> BotError:
        value = quoted(self.values[key])
        return BotError(f"{self.path}: line {self.lines[key]}: {key} {value}: {right}")

    def word(self, key: str) -> str:
        value = self.values[key]
        if (
            isinstance(value, str)
            and value.isprintable()
            and 1 <= len(value.strip()) <= LONGEST_WORD
        ):
            return value.strip()
        raise self.refusal(key, f"must be a printable text of 1 to {LONGEST_WORD} characters")

    def language(self) -> str:
        value = self.values["language"]
        if isinstance(value, str) and value in LANGUAGES:
            return value
        raise self.refusal("language", f"must be one of {', '.join(LANGUAGES)}")

    def command(self, key: str) -> tuple[str, ...]:
        value = self.values[key]
        if isinstance(value, list) and value and all(is_argument(one) for one in value):
            return tuple(value)
        example = '["python", "my_bot.py"]' if key == "run" else '["make", "bot"]'
        raise self.refusal(
            key, f"must be a list of texts, the program and its arguments, e.g. {example}"
        )

    def image(self) -> str:
        value = self.values.get("image", "")
        if value == "" and "image" not in self.values:
            return ""
        if isinstance(value, str) and len(value) <= LONGEST_WORD and _IMAGE.fullmatch(value):
            return value
        raise self.refusal(
            "image",
            f"must be the name of an image, at most {LONGEST_WORD} of a-z, 0-9 and single . _ / - "
            'between them, e.g. "python"',
        )

    def players(self) -> tuple[int, ...]:
        value = self.values.get("players", list(PLAYERS))
        if isinstance(value, list) and _are_once_among(PLAYERS, value):
            return tuple(sorted(value))
        raise self.refusal(
            "players", f"must be a list of numbers from 2 to {MAX_SEATS}, each once, e.g. [2, 4]"
        )

    def rulesets(self) -> tuple[str, ...]:
        value = self.values.get("rulesets", list(PRESETS))
        if isinstance(value, list) and _are_once_among(tuple(PRESETS), value):
            return tuple(value)
        raise self.refusal(
            "rulesets", f"must be a list of rule sets, each once; there are {', '.join(PRESETS)}"
        )

    def protocol(self) -> int:
        value = self.values.get("protocol", PROTOCOL)
        if type(value) is int and value == PROTOCOL:
            return value
        raise self.refusal("protocol", f"must be {PROTOCOL}, the only version that there is")

    def bridge(self) -> str:
        value = self.values.get("bridge", "")
        if "bridge" not in self.values or value in BRIDGES:
            return str(value)
        raise self.refusal(
            "bridge", f'must be "{BRIDGES[0]}", or left out by a program that speaks gRPC'
        )


def is_argument(value: object) -> bool:
    """Whether something can be a program's name or argument."""
    return isinstance(value, str) and value != "" and "\0" not in value


def _are_once_among(known: tuple[object, ...], values: list[object]) -> bool:
    """Whether there are values, all of them known and none of them twice."""
    # By kind as well: true is no 1, and 2.0 no 2.
    kinds = {(type(one), one) for one in known}
    return bool(values) and all(
        isinstance(one, (int, str)) and (type(one), one) in kinds and values.count(one) == 1
        for one in values[: len(known) + 1]
    )
