"""Which names the entries of an archive may have: those that mean the same on every machine."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from arena.errors import SubmissionError
from arena.submissions.limits import ArchiveLimits, Rule

__all__ = ["NameBook", "check_name"]

_SAFE: Final = re.compile(r"[A-Za-z0-9._/-]*")
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_DEVICES: Final = frozenset(
    ["con", "prn", "aux", "nul"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in range(10)]
)
"""Names that are devices on Windows, in every folder and with any ending."""


def check_name(raw: bytes, limits: ArchiveLimits) -> tuple[str, ...]:
    """The parts of an entry's name, which is a path with `/` between them and after a folder.

    Raises:
        SubmissionError: it means nothing, something else elsewhere, or a place outside.
    """
    shown = raw.decode("utf-8", "backslashreplace")
    name = shown.removesuffix("/")
    for bad, problem in (
        (not name, "has no name"),
        (b"\0" in raw, "its name holds a zero byte"),
        (b"\\" in raw, "its name holds a backslash; folders are parted by /"),
        (_DRIVE.match(name), "its name begins with a drive letter"),
        (name.startswith("/"), "its name is an absolute path"),
        (not _SAFE.fullmatch(name), "its name holds something else than A-Z a-z 0-9 . _ - and /"),
    ):
        if bad:
            raise SubmissionError(Rule.NAME, problem, shown or "''")
    if len(raw) > limits.path:
        raise SubmissionError(
            Rule.PATH, f"its name has {len(raw)} bytes; at most {limits.path} are allowed", shown
        )
    parts = tuple(name.split("/"))
    if len(parts) > limits.depth:
        raise SubmissionError(
            Rule.PATH, f"lies {len(parts)} deep; at most {limits.depth} are allowed", shown
        )
    for part in parts:
        _check_part(part, shown)
    return parts


def _check_part(part: str, shown: str) -> None:
    if part in ("", ".", ".."):
        raise SubmissionError(Rule.NAME, f"its name has a part {part!r}", shown)
    if part.endswith("."):
        raise SubmissionError(Rule.NAME, "a part of its name ends with a dot", shown)
    if part.partition(".")[0].casefold() in _DEVICES:
        raise SubmissionError(Rule.NAME, f"{part!r} is a device on Windows", shown)


class NameBook:
    """The names so far: no two that are one on a machine which takes A for a, or é for é."""

    def __init__(self) -> None:
        self._spelt: dict[str, tuple[str, bool]] = {}
        self._entries: set[str] = set()

    def add(self, parts: tuple[str, ...], *, is_folder: bool) -> None:
        """Take in one entry.

        Raises:
            SubmissionError: its name is taken, or is in the way of another one.
        """
        name = "/".join(parts)
        for depth in range(1, len(parts)):
            self._spell("/".join(parts[:depth]), True, name)
        self._spell(name, is_folder, name)
        if name in self._entries:
            raise SubmissionError(Rule.TWICE, "is there twice", name)
        self._entries.add(name)

    def _spell(self, path: str, is_folder: bool, entry: str) -> None:
        # Names are ASCII by now. Should that ever change, this is right all the same.
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
        before, was_folder = self._spelt.setdefault(folded, (path, is_folder))
        if before != path:
            raise SubmissionError(
                Rule.TWICE, f"{path!r} and {before!r} are one name on some machines", entry
            )
        if was_folder != is_folder:
            raise SubmissionError(Rule.TWICE, f"{path!r} is a file and a folder", entry)
