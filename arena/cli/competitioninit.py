"""`arena competition init`: a file of regulations to begin with."""

from __future__ import annotations

import errno
import os
import shlex
import sys
import tempfile
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer

from arena.cli.competitiontemplate import MOST, Wishes, plans_for, written
from arena.cli.output import JsonOption, print_json, remarks, results
from arena.errors import InputError, quoted
from arena.tournament import competition
from arena.tournament.competition.regulationsparts import FILE_NAME, LONGEST_TITLE

__all__ = ["Example", "example_text", "init"]

T = TypeVar("T")

_WHEN: Final = ("afternoon", "week")


class Example(StrEnum):
    """The examples that there are."""

    SCHOOL = "school"
    COMPANY = "company"
    FINAL = "final"
    TABLES = "tables"


def init(
    file: Annotated[
        Path, typer.Argument(metavar="[FILE]", help="The file that is written.")
    ] = Path(FILE_NAME),
    example: Annotated[
        Example | None,
        typer.Option(
            help="Ask nothing, and write an example: a school afternoon (12 bots, Swiss then "
            "knock-out), a company league (20, round robin), a university final (8, groups then "
            "double elimination), or an event at tables of four (16)."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write the regulations of a competition: a file with remarks, to be changed as you like.

    On a terminal it asks four questions. The file is right as it is; after a change, validate says
    what is wrong, and in which line.
    """
    from arena.tournament.competition.regulationsfile import regulations_from

    if os.path.lexists(file) and not force:
        raise InputError(f"{file}: exists already; --force overwrites it, or name another file")
    if example is not None:
        text = example_text(example)
    elif sys.stdin.isatty():
        text = written(_asked())
    else:
        raise InputError(
            "there is no terminal to ask questions on; say which example is meant: "
            f"--example {', '.join(Example)}"
        )
    made = regulations_from(text, str(file))
    _write(file, text, force=force)
    check = f"arena competition validate {shlex.quote(str(file))}"
    if as_json:
        print_json({"file": str(file), "name": made.name, "title": made.title, "next": check})
        return
    results().print(f"{file} has the regulations of {made.title!r}. What next:", soft_wrap=True)
    results().print(f"  edit   {shlex.quote(str(file))}", soft_wrap=True)
    results().print(f"  check  {check}", soft_wrap=True)


def example_text(example: Example) -> str:
    """The file of an example."""
    (folder,) = competition.__path__
    return (Path(folder) / "examples" / f"{example}.toml").read_text("utf-8")


# -- asking -------------------------------------------------------------------------------------


def _asked() -> Wishes:
    title = _ask("What is it called", "School afternoon", _title)
    entrants = _ask("How many bots can play, at most", "12", _number)
    when = _ask(f"Is it for an {_WHEN[0]} or a {_WHEN[1]}", _WHEN[0], _one_of(_WHEN))
    plans = plans_for(entrants)
    for name, plan in plans.items():
        remarks().print(f"  {name:12} {plan.meaning}", soft_wrap=True)
    chosen = _ask("What is played", next(iter(plans)), _one_of(tuple(plans)))
    return Wishes(title=title, entrants=entrants, is_week=when == _WHEN[1], plan=plans[chosen])


def _ask(question: str, default: str, read: Callable[[str], T]) -> T:
    """An answer, asked for until it is right."""
    while True:
        remarks().print(f"{question} [{default}]: ", end="", soft_wrap=True)
        line = sys.stdin.readline()
        if not line:
            raise typer.Abort
        try:
            return read(line.strip() or default)
        except InputError as error:
            remarks().print(f"  {error}", soft_wrap=True)


def _title(answer: str) -> str:
    if not answer or not answer.isprintable() or len(answer) > LONGEST_TITLE:
        raise InputError(f"must be 1 to {LONGEST_TITLE} printable characters")
    return answer


def _number(answer: str) -> int:
    if answer.isascii() and answer.isdecimal() and 2 <= int(answer[:9]) <= MOST:
        return int(answer)
    raise InputError(f"must be a number from 2 to {MOST}, not {quoted(answer)}")


def _one_of(words: tuple[str, ...]) -> Callable[[str], str]:
    def read(answer: str) -> str:
        found = [word for word in words if answer and word.startswith(answer.lower())]
        if answer.lower() in words:
            return answer.lower()
        if len(found) == 1:
            return found[0]
        raise InputError(f"must be one of {', '.join(words)}, not {quoted(answer)}")

    return read


# -- writing ------------------------------------------------------------------------------------


def _write(path: Path, text: str, *, force: bool) -> None:
    """Write a file whole or not at all.

    Raises:
        InputError: it cannot be written, or somebody has made one of that name meanwhile.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=".competition-", dir=path.parent) as aside:
            made = Path(aside) / "file"
            made.write_text(text, "utf-8", newline="\n")
            if force:
                made.replace(path)
            else:
                path.hardlink_to(made)
    except FileExistsError:
        raise InputError(f"{path}: exists already; --force overwrites it") from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise  # no fault of whoever typed it
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
