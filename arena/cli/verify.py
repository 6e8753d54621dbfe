"""`arena verify`: is what a record says what happened?"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.cli.exits import ExitCode
from arena.cli.output import JsonOption, print_json, printable, remarks
from arena.cli.records import open_record
from arena.errors import InputError
from arena.referee.reading import BrokenOff, RecordError
from arena.referee.verifying import Verified
from arena.referee.verifying import verify as verify_record

__all__ = ["verify"]


class _State(StrEnum):
    """What came of a file; the value is its word in JSON."""

    OK = "ok"
    FAILED = "failed"
    BROKEN_OFF = "broken_off"
    REFUSED = "refused"


_WORDS: Final = {
    _State.OK: "ok  ",
    _State.FAILED: "FAIL",
    _State.BROKEN_OFF: "CUT ",
    _State.REFUSED: "????",
}


@dataclass(frozen=True, slots=True)
class _Outcome:
    path: Path
    state: _State
    message: str
    line: int | None = None
    verified: Verified | None = None


def verify(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Records of matches.", show_default=False),
    ],
    head: Annotated[
        str | None,
        typer.Option(
            metavar="HEX",
            help="The head that was published for the record, its last chain hash; for one FILE.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check records of matches: was anything changed, and can it have happened?

    Looks at the chain of hashes, deals the cards again from the seeds, plays every action by the
    rules, and works out times, strikes, results and the verdict a second time. Only a published
    head proves that nobody made up the whole record; arena/referee/README.md says why.

    One line a file: `ok`; `FAIL` with the first line that is wrong and what would be right; `CUT`
    if the attempt was broken off, which leaves no verdict; `????` for what is no record of this
    engine or cannot be read.

    Exit code 0 if every file is ok, 2 if one is none of our records, else 1.
    """
    published = _head(head, files)
    outcomes = []
    for path in _with_progress(files):
        outcome = _outcome(path, published)
        outcomes.append(outcome)
        if not as_json:
            typer.echo(f"{_WORDS[outcome.state]} {printable(str(path))}: {outcome.message}")
    if as_json:
        print_json(_facts(outcomes))
    elif len(outcomes) > 1:
        counts = {state: sum(one.state is state for one in outcomes) for state in _State}
        words = [f"{count} {_NAMES[state]}" for state, count in counts.items() if count]
        typer.echo(f"{len(outcomes)} records: {', '.join(words)}")
    states = {outcome.state for outcome in outcomes}
    if _State.REFUSED in states:
        raise typer.Exit(ExitCode.BAD_INPUT)
    if states != {_State.OK}:
        raise typer.Exit(ExitCode.FAILED)


_NAMES: Final = {
    _State.OK: "ok",
    _State.FAILED: "wrong",
    _State.BROKEN_OFF: "broken off",
    _State.REFUSED: "not read",
}


def _head(head: str | None, files: list[Path]) -> str | None:
    if head is None:
        return None
    if len(files) != 1:
        raise typer.BadParameter("goes with one FILE: a head belongs to one record")
    if re.fullmatch("[0-9a-fA-F]{64}", head) is None:
        raise typer.BadParameter(f"{head!r} is not 64 hexadecimal digits", param_hint="'--head'")
    return head.lower()


def _outcome(path: Path, published: str | None) -> _Outcome:
    try:
        with open_record(path) as file:
            right = verify_record(file)
    except BrokenOff as error:
        return _Outcome(path, _State.BROKEN_OFF, str(error), error.line)
    except RecordError as error:
        return _Outcome(path, _State.FAILED, str(error), error.line)
    except InputError as error:
        return _Outcome(path, _State.REFUSED, str(error))
    if published not in (None, right.head):
        message = f"its head is {right.head}, not the published {published}: another record"
        return _Outcome(path, _State.FAILED, message, right.lines, right)
    kind = right.verdict.kind
    numbers = f"{_count(right.games, 'game')}, {_count(right.actions, 'action')}"
    return _Outcome(path, _State.OK, f"{kind}, {numbers}, head {right.head}", None, right)


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _facts(outcomes: list[_Outcome]) -> dict[str, object]:
    return {
        **{state.value: sum(one.state is state for one in outcomes) for state in _State},
        "records": [
            {
                "file": str(one.path),
                "state": one.state.value,
                "message": one.message,
                "line": one.line,
                **_details(one.verified),
            }
            for one in outcomes
        ],
    }


def _details(right: Verified | None) -> dict[str, object]:
    if right is None:
        return {}
    return {
        "match": right.header.match,
        "attempt": right.header.attempt,
        "verdict": right.verdict.kind,
        "ranks": right.verdict.ranks,
        "lines": right.lines,
        "games": right.games,
        "actions": right.actions,
        "head": right.head,
    }


_PATIENCE: Final = 2.0  # seconds before progress is shown


def _with_progress(files: list[Path]) -> Iterator[Path]:
    """The files one by one, with progress on standard error once that takes long."""
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=remarks(),
        transient=True,
    )
    task = progress.add_task("records", total=len(files))
    show_at = time.monotonic() + _PATIENCE
    try:
        for path in files:
            yield path
            progress.advance(task)
            # Where the lines themselves are seen, they are progress enough.
            hidden = not sys.stdout.isatty()
            if hidden and not progress.live.is_started and time.monotonic() >= show_at:
                progress.start()
    finally:
        if progress.live.is_started:
            progress.stop()
