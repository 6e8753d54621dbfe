"""How a command speaks: results on standard output, everything else on standard error.

With `--json` a command prints one JSON value, once, at its end. Progress and remarks go to
`remarks()`, which is standard error, so that a result can always be piped. Neither console reads
markup: what is printed may quote what somebody wrote, and `[/x]` shall stay that.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import sys
from collections.abc import Callable
from typing import IO, Annotated, Any, TextIO, cast

import typer
from rich.console import Console

__all__ = ["JsonOption", "flowing", "print_json", "printable", "remarks", "results"]

JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON value instead of text, also on failure.")
]
"""The type of a command's parameter `as_json`: the same flag with the same words everywhere."""


def print_json(value: object) -> None:
    """Print `value` as the command's one JSON result."""
    typer.echo(json.dumps(value, indent=2))


def results() -> Console:
    """The console for what was asked for."""
    return Console(highlight=False, markup=False, emoji=False)


def remarks() -> Console:
    """The console for progress and remarks, which are no result."""
    quiet = cast("IO[str]", _Forgiving(sys.stderr))
    return Console(file=quiet, highlight=False, markup=False, emoji=False)


class _Forgiving:
    """A stream whose reader may be gone, or its disk full: a remark less ends nothing."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError, ValueError):
            return self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def printable(text: str) -> str:
    """A stranger's text for the terminal: what would move the cursor or change colours is shown."""
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


def flowing(command: Callable[..., object]) -> str:
    """A command's docstring as its help: paragraphs without line breaks of their own.

    The terminal breaks the lines; typer would keep ours as well.
    """
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
