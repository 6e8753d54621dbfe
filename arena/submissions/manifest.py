"""The ways to name a bot: a folder with a `bot.toml`, a class or a command; and its digest."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import arena
from arena.errors import BotError, quoted
from arena.submissions.bottoml import (
    FILE_NAME,
    LANGUAGES,
    LONGEST_WORD,
    MOST_BYTES,
    Manifest,
    is_argument,
    parse_manifest,
)

__all__ = [
    "FORMS",
    "LANGUAGES",
    "Manifest",
    "built_files",
    "digest_of",
    "example_bots",
    "find_bot",
    "read_manifest",
    "require_program",
]

_MOST_FILES: Final = 10_000
_BUILT: Final = re.compile(r"@[\w./-]+|[\w./-]+\.(js|mjs|cjs|jar)")
"""What a runtime is given to run or to read: a script, an archive, a file of arguments."""


def read_manifest(folder: Path) -> Manifest:
    """Read the `bot.toml` of a folder.

    Raises:
        BotError: it is missing, cannot be read, or breaks the format; the message names the file,
            the line, the key and what is right.
    """
    path = folder / FILE_NAME
    try:
        content = _read(path)
    except OSError as error:
        raise BotError(f"{path}: {error.strerror}") from None
    return parse_manifest(content, str(path), folder.absolute())


def _read(path: Path) -> bytes:
    """The start of a `bot.toml`, if it is a file and not a device or a pipe."""
    if path.exists() and not path.is_file():
        raise BotError(f"{path}: is no file")
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def example_bots() -> Mapping[str, Path]:
    """The example bots that come with the project: name and folder, by name."""
    package = Path(arena.__file__).parent
    # Beside the package in a checkout, inside it when installed.
    for home in (package.parent / "example_bots", package / "example_bots"):
        found = {path.parent.name: path.parent for path in sorted(home.glob(f"*/{FILE_NAME}"))}
        if found:
            return found
    return {}


def digest_of(bot: Manifest) -> str:
    """What a bot consists of, as SHA-256 in hexadecimal digits; empty if that cannot be read.

    Over how it is run and the files of its folder: for each, in the order of their names, its
    name, a zero byte, and the SHA-256 of its content. Caches and hidden files are left out. A bot
    that was named as a class or a command has no folder of its own: only how it is run counts.
    """
    total = hashlib.sha256("\0".join(bot.run).encode("utf-8", "surrogateescape"))
    own = bot.folder / FILE_NAME
    try:
        for path in sorted(_files(bot.folder)) if own.is_file() and not bot.python_class else ():
            total.update(os.fsencode(path.relative_to(bot.folder)) + b"\0")
            with path.open("rb") as file:
                total.update(hashlib.file_digest(file, "sha256").digest())
    except OSError:
        return ""
    return total.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    """The files below a folder, not through links, up to a sensible number."""
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if one != "__pycache__" and not one.startswith(".")]
        for name in names:
            path = Path(place, name)
            if name.startswith(".") or path.is_symlink() or not path.is_file():
                continue
            count += 1
            if count > _MOST_FILES:
                raise OSError(f"{folder}: more than {_MOST_FILES} files")
            yield path


FORMS: Final = (
    "an example bot's name, a folder with a bot.toml, module:Class for a Python bot, "
    "or '-- command ...' for a program"
)
"""The ways to name a bot."""

COMMAND: Final = "-- "
_CLASS: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def find_bot(text: str) -> Manifest:
    """Find the bot that somebody means by `text`; see `FORMS`.

    A class and a command are run in the present folder.

    Raises:
        BotError: there is none; the message lists the examples. Or its `bot.toml` is wrong.
    """
    examples = example_bots()
    if text in examples:
        return read_manifest(examples[text])
    if text.lstrip().startswith(COMMAND):  # a blank before it keeps it from being an option
        return _from_command(text.lstrip())
    if os.path.isdir(text):
        return read_manifest(Path(text))
    if _CLASS.fullmatch(text):
        return _from_class(text)
    if os.path.isfile(text):
        raise BotError(f"{text} is a file: name the folder {Path(text).parent}")
    if shutil.which(text):
        raise BotError(
            f"bot {text}: a program is given as one argument, in quotes: '-- {text} ...'"
        )
    raise BotError(
        f"unknown bot {quoted(text)}: it is no folder and no example bot; "
        f"the examples are {', '.join(examples)}; a bot is {FORMS}"
    )


def _from_command(text: str) -> Manifest:
    try:
        command = tuple(shlex.split(text.removeprefix(COMMAND)))
    except ValueError as error:
        raise BotError(f"bot {quoted(text)}: {error}") from None
    if not command or not all(is_argument(one) for one in command):
        raise BotError(f"bot {quoted(text)}: must be '-- ' and a program with its arguments")
    name = " ".join(Path(one).name or one for one in command)
    name = name[:LONGEST_WORD] if name.isprintable() else "command"
    return Manifest(name=name, version="", language="other", run=command, folder=Path.cwd())


def _from_class(text: str) -> Manifest:
    return Manifest(
        name=text[-LONGEST_WORD:],
        version="",
        language="python",
        run=("python", "-m", "arena_sdk", text),
        folder=Path.cwd(),
        python_class=text,
    )


def require_program(bot: Manifest, first: Path) -> None:
    """Refuse a bot whose program is not there; `first` is looked into before PATH.

    Of a bot that is built, neither may what its runtime is given be missing, such as
    `dist/main.js`, `bot.jar` or `@target/classpath`.

    Raises:
        BotError: the message says what is missing.
    """
    program = bot.run[0]
    remedy = f"; `arena build-bot {bot.folder}` builds it" if bot.build else ""
    if os.sep not in program:
        path = f"{first}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        if shutil.which(program, path=path) is None:
            raise BotError(f"bot {bot.name!r}: no program {program!r} in PATH to run it with")
    else:
        file = bot.folder / program
        if not file.is_file():
            raise BotError(f"bot {bot.name!r}: {file}: no such program{remedy}")
        if not os.access(file, os.X_OK):
            raise BotError(f"bot {bot.name!r}: {file}: cannot be executed; chmod +x makes it so")
    for given in built_files(bot):
        if not given.exists():
            raise BotError(f"bot {bot.name!r}: {given}: no such file{remedy}")


def built_files(bot: Manifest) -> tuple[Path, ...]:
    """What the build of a bot makes, as far as its command names it; nothing of one without."""
    program, *words = bot.run
    own = [program] if os.sep in program else []
    own += [word.removeprefix("@") for word in words if _BUILT.fullmatch(word)]
    return tuple(bot.folder / one for one in own) if bot.build else ()
