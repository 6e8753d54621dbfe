"""The table and the bots of `sdk/README.md`, from the templates of new bots.

`python -m tests.sdkguide` makes them again. Between two lines of comment in that file stands what
this makes; tests/languages/test_guide.py compares.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Final

from arena.cli.kits import KITS, kit_of
from arena.cli.newbot import BOT, names_from

README: Final = Path(__file__).parents[1] / "sdk" / "README.md"
BEGIN: Final = "<!-- languages: begin, made by python -m tests.sdkguide -->\n"
END: Final = "<!-- languages: end -->\n"


@dataclass(frozen=True)
class Language:
    """A language in the guide: what is to be installed, and where its bot begins and ends."""

    key: str
    title: str
    install: str
    code: str
    begin: str
    end: str = "\n}\n"


LANGUAGES: Final = (
    Language("python", "Python", "Python 3.11", "python", "class ", "\n\n\n"),
    Language("typescript", "TypeScript", "Node 20, npm", "ts", "export class "),
    Language("javascript", "JavaScript", "Node 20, npm", "js", "export class "),
    Language("go", "Go", "Go 1.24", "go", "type HastyBot "),
    Language("rust", "Rust", "Rust 1.85", "rust", "impl Bot "),
    Language("java", "Java", "JDK 17, Maven", "java", "public final class ", "\n  }\n"),
    Language(
        "cpp",
        "C++",
        "g++ 12, CMake 3.25; of Debian: libgrpc++-dev, libprotobuf-dev, protobuf-compiler, "
        "protobuf-compiler-grpc",
        "cpp",
        "class ",
        "\n};\n",
    ),
)


def section() -> str:
    """The part of the README that is made here."""
    return "\n".join([*_table(), "", *_bots()])


def _table() -> Iterator[str]:
    yield "| language | install | ten lines of bot | run |"
    yield "|---|---|---|---|"
    for one in LANGUAGES:
        build = "" if one.key == "python" else "`arena build-bot hasty`, "
        title = f"[{one.title}]({_home(one.key)}/README.md)"
        run = f"`arena new-bot hasty --lang {one.key}`, {build}`arena match ./hasty random`"
        anchor = one.title.lower().replace("++", "")
        yield f"| {title} | {one.install} | [hasty](#{anchor}) | {run} |"
    yield (
        "| [any other](bridge/README.md) | none | [lines of JSON](bridge/README.md) | "
        "`arena match ./example_bots/lua_racer random` |"
    )


def _home(key: str) -> str:
    return KITS.get(key, key)


def _bots() -> Iterator[str]:
    for one in LANGUAGES:
        yield f"### {one.title}\n\n```{one.code}\n{bot_in(one)}\n```\n"


def bot_in(language: Language) -> str:
    """The bot that `arena new-bot hasty` writes, without what stands around it."""
    words = names_from("hasty").words
    if language.key == "python":
        text = Template(BOT).substitute(words)
    else:
        kit = kit_of(language.key, words)
        text = kit.files[kit.edit].content.decode()
    begin = text.index(language.begin)
    end = text.index(language.end, begin) + len(language.end)
    return textwrap.dedent(text[begin:end]).rstrip()


def main() -> None:
    """Write the section into the README."""
    before, rest = README.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    README.write_text(before + BEGIN + "\n" + section() + "\n" + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
