"""Which files of a bot's folder go into its archive, and why the others do not."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.errors import SubmissionError
from arena.submissions.limits import ArchiveLimits, Rule
from arena.submissions.names import check_name

__all__ = ["LeftOut", "Selection", "select"]

_VENDORED: Final = ".cargo-checksum.json"
_HIDDEN_BUT_NEEDED: Final = frozenset({".cargo"})
_MODULES: Final = "node_modules"
_PACKAGE: Final = "package.json"
_LARGEST_PACKAGE: Final = 2**20
_BINARY: Final = b"\x7fELF"
_TAG: Final = "CACHEDIR.TAG"
_TAGGED: Final = b"Signature: 8a477f597d28d172789f06886806bc55"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is not packed: its path in the folder, a folder's with `/`, and why."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Selection:
    """What is packed, as paths in the folder, in order; and what is not."""

    files: list[str] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)


def select(
    folder: Path,
    limits: ArchiveLimits,
    *,
    is_built: bool,
    program: str = "",
    output: Path | None = None,
) -> Selection:
    """Go through a bot's folder; see the README for what is left out.

    `is_built` says that the arena builds the bot, so that what a build makes is not needed; not
    `program` either then, what is run, if it is a binary.
    `output` is the archive itself, should it lie in the folder.

    Raises:
        SubmissionError: something would be refused: a link, a device, a bad name, too many files.
        OSError: something cannot be read.
    """
    found = Selection()
    skipped = None if output is None else output.resolve()
    for path, entry in _Walk(folder, is_built, found.left_out).files():
        if Path(entry.path).resolve() == skipped:
            found.left_out.append(LeftOut(path, "the archive itself"))
            continue
        if is_built and path == os.path.normpath(program) and _is_binary(entry.path):
            found.left_out.append(LeftOut(path, "made by the build"))
            continue
        check_name(os.fsencode(path), limits)
        if not stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
            what = "a link: put what it points to in its place" if entry.is_symlink() else "no file"
            raise SubmissionError(Rule.KIND, f"is {what}", path)
        found.files.append(path)
        if len(found.files) > limits.entries:
            raise SubmissionError(Rule.COUNT, f"{folder}: has more than {limits.entries} files")
    found.files.sort(key=lambda path: path.split("/"))
    found.left_out.sort(key=lambda one: one.path)
    return found


@dataclass(frozen=True, slots=True)
class _Walk:
    """A walk through a bot's folder, which notes what it leaves out."""

    root: Path
    is_built: bool
    left_out: list[LeftOut]

    def files(
        self, path: str = "", *, is_whole: bool = False
    ) -> Iterator[tuple[str, os.DirEntry[str]]]:
        """All that is no folder and not left out, with its path; links are not followed.

        `is_whole` says that this lies in something that goes in whole.
        """
        with os.scandir(self.root / path) as scan:
            entries = {entry.name: entry for entry in scan}
        # Cargo compares a vendored crate file by file with a list.
        is_whole = is_whole or _VENDORED in entries
        for name, entry in sorted(entries.items()):
            is_folder = entry.is_dir(follow_symlinks=False)
            here = f"{path}/{name}" if path else name
            if is_whole:
                why = "hidden" if name == ".git" else ""
            else:
                why = _reason(entry, entries.keys(), self.is_built)
            if why:
                self.left_out.append(LeftOut(f"{here}/" if is_folder else here, why))
            elif is_folder:
                yield from self.files(here, is_whole=is_whole)
            elif entry.is_symlink() and _MODULES in path.split("/"):
                # npm makes them, to packages that lie elsewhere on the same machine.
                self.left_out.append(LeftOut(here, f"a link in {_MODULES}"))
            else:
                yield here, entry


def _reason(entry: os.DirEntry[str], beside: Iterable[str], is_built: bool) -> str:
    """Why something is left out; empty if it is not."""
    name = entry.name
    if name.startswith("."):
        return "" if name in _HIDDEN_BUT_NEEDED else "hidden"
    if entry.is_dir(follow_symlinks=False):
        if name == "__pycache__":
            return "a cache of Python's"
        if os.path.lexists(os.path.join(entry.path, "pyvenv.cfg")):
            return "a virtual environment"
        if name == _MODULES and _PACKAGE in beside and not _bundles(entry):
            return f"fetched by npm; bundleDependencies in {_PACKAGE} packs it"
        if is_built and name == "target" and not {"Cargo.toml", "pom.xml"}.isdisjoint(beside):
            return "made by the build"
        if is_built and name == "dist" and {_PACKAGE, "tsconfig.json"} <= set(beside):
            return "made by the build"
        if is_built and _is_tagged(entry.path):
            return f"a cache, by its {_TAG}"
        return ""
    if name.endswith((".pyc", ".pyo")):
        return "a cache of Python's"
    return "a backup of an editor's" if name.endswith("~") else ""


def _bundles(modules: os.DirEntry[str]) -> bool:
    """Whether the package beside a `node_modules` says that packages in there are part of it."""
    try:
        with open(os.path.join(os.path.dirname(modules.path), _PACKAGE), "rb") as file:
            package = json.loads(file.read(_LARGEST_PACKAGE))
    except (OSError, ValueError, RecursionError):
        return False
    # npm takes both spellings, a list or true.
    return isinstance(package, dict) and bool(
        package.get("bundleDependencies") or package.get("bundledDependencies")
    )


def _is_binary(path: str) -> bool:
    """Whether a file is a compiler's: nobody writes such a one by hand."""
    with open(path, "rb") as file:
        return file.read(len(_BINARY)) == _BINARY


def _is_tagged(folder: str) -> bool:
    """Whether a program has marked a folder as one that it can make again."""
    try:
        with open(os.path.join(folder, _TAG), "rb") as file:
            return file.read(len(_TAGGED)) == _TAGGED
    except OSError:
        return False
