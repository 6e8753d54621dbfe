"""What a bot needs before it can be played as a process: its build, and packages that it names.

Both are made by hand or by `arena build-bot`, so either may be missing, or older than the sources.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from arena.cli.output import printable, remarks
from arena.submissions.manifest import Manifest, built_files, require_program

__all__ = ["fetching", "remark_on", "require_built", "touch_built"]

_MOST_FILES: Final = 10_000
_SOURCES: Final = re.compile(
    r".+\.(go|rs|java|c|h|cc|cpp|hpp|ts|mts|js|mjs|kt|swift|zig|cs|hs|ml|nim|d)"
    r"|go\.mod|Cargo\.toml|pom\.xml|package\.json|tsconfig\.json|CMakeLists\.txt|[Mm]akefile"
)
_TESTS: Final = re.compile(r"(?i)test_.+|.+[._]test\..+|.+Tests?\.\w+|tests?")
"""Files and folders that change nothing of a bot."""
_MADE: Final = ("node_modules", "target", "build", "dist", "bin", "obj", "__pycache__")
"""Folders in which tools put what they make."""


def require_built(bot: Manifest) -> None:
    """Refuse a bot whose program is not there, or has yet to be built.

    Raises:
        BotError: the message says what is missing, and what builds it.
    """
    require_program(bot, Path(sys.executable).parent)


def remark_on(bots: Iterable[Manifest]) -> None:
    """Say of each bot, once, what of it is out of date or was not fetched, on standard error."""
    for bot in {one.folder: one for one in bots}.values():
        for text in _wanting(bot):
            line = f"{bot.name}: {text}; `arena build-bot {bot.folder}`"
            remarks().print(printable(line), soft_wrap=True)


def _wanting(bot: Manifest) -> Iterator[str]:
    if newer := _newer_source(bot):
        yield f"what is played was built before {newer} was changed"
    if fetching(bot) and _has_dependencies(bot):
        yield "package.json names packages, and there is no node_modules"


def fetching(bot: Manifest) -> tuple[str, ...]:
    """What fetches packages that its build does not: npm's have to be there before."""
    lacks = (bot.folder / "package.json").exists() and not (bot.folder / "node_modules").exists()
    return ("npm", "install") if lacks else ()


def _has_dependencies(bot: Manifest) -> bool:
    try:
        values = json.loads((bot.folder / "package.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return False  # npm will say what is wrong with it
    return isinstance(values, dict) and bool(values.get("dependencies"))


def touch_built(bot: Manifest) -> None:
    """Mark what was built as of now: a tool that had nothing to do leaves it as old as it was."""
    for path in built_files(bot):
        with contextlib.suppress(OSError):
            os.utime(path)


def _newer_source(bot: Manifest) -> str:
    """A source that is newer than what was built of it; empty if there is none."""
    built = [path.stat().st_mtime_ns for path in built_files(bot) if path.is_file()]
    if not bot.build or not built:
        return ""
    given = {bot.folder / word.removeprefix("@") for word in bot.run}
    for path in _sources(bot.folder):
        if path not in given and path.stat().st_mtime_ns > min(built):
            return str(path.relative_to(bot.folder))
    return ""


def _sources(folder: Path) -> Iterator[Path]:
    """The files that a bot may be built from, up to a sensible number."""
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if _may_hold_sources(Path(place, one)))
        for name in sorted(names):
            count += 1
            if count > _MOST_FILES:
                return
            path = Path(place, name)
            if _SOURCES.fullmatch(name) and not _TESTS.fullmatch(name) and path.is_file():
                yield path


def _may_hold_sources(folder: Path) -> bool:
    name = folder.name
    is_made = name in _MADE or name.startswith(".") or (folder / "CACHEDIR.TAG").exists()
    return not (is_made or _TESTS.fullmatch(name))
