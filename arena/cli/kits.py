"""What a new bot in a language begins with: the template of its SDK, and a copy of the SDK.

    sdk/LANGUAGE/template/          the bot's own files
    sdk/LANGUAGE/template.toml      how it goes on from there

In the names and the content of a template's files `__name__` stands for fast-car, `__stem__` for
fast_car and `__Class__` for FastCarBot. The SDK comes along as `sdk/`: a bot builds wherever it
lies, and keeps the version that it was written for.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.deployed import deployed_sdk, sources_of

__all__ = ["KITS", "File", "Kit", "kit_of"]

KITS: Final[Mapping[str, str]] = {
    "typescript": "typescript",
    "javascript": "typescript",
    "go": "go",
    "rust": "rust",
    "java": "java",
    "cpp": "cpp",
}
"""The folder of the SDK for each language, Python aside: its SDK is installed with the arena."""

_NOT_COPIED: Final = ("check", "codegen", "make-stubs", "stubs", "test", "tests", "tools")
"""Parts of an SDK that are for whoever works on it."""


@dataclass(frozen=True, slots=True)
class File:
    """The content of a file, and whether it is a program."""

    content: bytes
    is_program: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """A new bot's files by path, and what its author does next.

    Attributes:
        files: By path in the bot's folder.
        edit: The file with the bot.
        test: The command, run in the folder, that tests it.
        fetch: The command that fetches what it needs, where its build does not.
        remark: What else its author should know; empty: nothing.
    """

    files: Mapping[str, File]
    edit: str
    test: str
    fetch: str = ""
    remark: str = ""


def kit_of(language: str, words: Mapping[str, str]) -> Kit:
    """The files of a new bot in one of `KITS`; `words` says what stands for what.

    Raises:
        HostFault: this installation lacks the SDK.
    """
    home = deployed_sdk(KITS[language])
    # A language that shares its SDK with another one has a template of its own.
    name = "template" if language == KITS[language] else f"template-{language}"
    says = tomllib.loads((home / f"{name}.toml").read_text(encoding="utf-8"))
    files = {
        _filled(path, words): _template_file(home / name / path, words)
        for path in sources_of(home / name, hidden=True)
    }
    for path in sources_of(home):
        if path.split("/")[0] not in _NOT_COPIED and not path.startswith("template"):
            files[f"sdk/{path}"] = File((home / path).read_bytes(), _is_program(home / path))
    return Kit(
        files=files,
        edit=_filled(says["edit"], words),
        test=_filled(says["test"], words),
        fetch=says.get("fetch", ""),
        remark=says.get("remark", ""),
    )


def _template_file(path: Path, words: Mapping[str, str]) -> File:
    text = path.read_text(encoding="utf-8")
    return File(_filled(text, words).encode(), _is_program(path))


def _filled(text: str, words: Mapping[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"__{name}__", word)
    return text


def _is_program(path: Path) -> bool:
    return os.access(path, os.X_OK)
