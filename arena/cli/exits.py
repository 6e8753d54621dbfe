"""How every command ends: one line, one exit code and, with `--json`, one JSON value.

A command says what went wrong by raising; only this file turns that into words and codes.

    raised by the command            code  kind         who has to do something
    nothing                             0               nobody
    typer.Exit(code)                 code               the command has said it itself
    any other ArenaError, a full disk,  1  failed       see the message
    no memory, no folder to be in
    InputError, a usage error           2  input,usage  whoever typed it
    anything else                      70  internal     we: it is a bug
    KeyboardInterrupt                 130  interrupted  nobody

The line goes to standard error. With `--json` among the arguments standard output is held back
until the command is over, so that a run which fails half-way prints the error as its only value:
`{"error": {"kind": "input", "message": "..."}}`.

A reader that has seen enough (`arena ... | head`) ends the command quietly with code 1.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import select
import signal
import sys
import threading
import traceback
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import typer
import typer.main

from arena.errors import ArenaError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["NOWHERE", "ExitCode", "is_somewhere", "run"]

PROGRAM: Final = "arena"
COMPLETION: Final = "_ARENA_COMPLETE"  # set by the shell's completion script when it asks us
NOWHERE: Final = "the folder that this was started in is gone; start it in another one"
TRACEBACK: Final = "ARENA_TRACEBACK"


class ExitCode(IntEnum):
    """The exit codes of `arena`; its help lists them."""

    FINE = 0
    FAILED = 1
    BAD_INPUT = 2
    INTERNAL = 70
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Failure:
    """What the person or the program that called us is told."""

    code: ExitCode
    kind: str
    message: str


def run(app: typer.Typer, args: Sequence[str]) -> int:
    """Run `app` with `args`, report a failure and return the exit code."""
    if COMPLETION in os.environ:
        app(list(args), prog_name=PROGRAM)  # answers the shell and exits
    as_json = _wants_json(args)
    held = io.StringIO()
    try:
        with contextlib.redirect_stdout(held) if as_json else contextlib.nullcontext():
            code = _invoke(app, args)
        sys.stdout.write(held.getvalue())
        sys.stdout.flush()
    except SystemExit:
        raise
    except BaseException as caught:
        with _uninterrupted():
            error = _unwrap(caught)
            if isinstance(error, BrokenPipeError) and _reader_is_gone():
                _close_stdout()
                return ExitCode.FAILED
            if os.environ.get(TRACEBACK):
                traceback.print_exception(caught)
            failure = _failure(error, _command_path(app, args))
            _report(failure, as_json=as_json)
            return failure.code
    return code


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Whoever presses Ctrl-C twice shall see how it ended all the same."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _invoke(app: typer.Typer, args: Sequence[str]) -> int:
    # Not `app()`: in that way typer would print errors in its own style, and take every broken
    # pipe, also the one to a bot that died, for a reader that went away.
    command = typer.main.get_command(app)
    try:
        with command.make_context(PROGRAM, _without_commands(args)) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return ExitCode.FINE


def _without_commands(args: Sequence[str]) -> list[str]:
    """Arguments in which a bot such as `-- ./mybot --fast` does not pass for an option."""
    return [f" {arg}" if arg.startswith("-- ") else arg for arg in args]


def _wants_json(args: Sequence[str]) -> bool:
    options = args[: args.index("--")] if "--" in args else args
    return "--json" in options


def _unwrap(error: BaseException) -> BaseException:
    # A task group wraps even the only exception of its only task.
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _command_path(app: typer.Typer, args: Sequence[str]) -> str:
    """The command that `args` begin with, e.g. `arena bench engine`: whose help to look at."""
    command: object = typer.main.get_command(app)
    path = [PROGRAM]
    for word in args:
        commands: dict[str, object] = getattr(command, "commands", {})
        if word not in commands:
            break
        command = commands[word]
        path.append(word)
    return " ".join(path)


def _failure(error: BaseException, path: str) -> Failure:
    match error:
        case typer.TyperException():
            return Failure(ExitCode.BAD_INPUT, "usage", _usage_message(error, path))
        case InputError():
            return Failure(ExitCode.BAD_INPUT, "input", _one_line(str(error)))
        case ArenaError():
            message = _one_line(str(error)) or type(error).__name__
            return Failure(ExitCode.FAILED, "failed", message)
        case OSError(errno=number) if number in _EXHAUSTED:
            where = f" for {error.filename}" if error.filename else ""
            return Failure(ExitCode.FAILED, "failed", _one_line(f"{error.strerror}{where}"))
        case ModuleNotFoundError(name=str(name)) if not name.startswith("arena"):
            return Failure(
                ExitCode.FAILED,
                "failed",
                f"the Python package {_one_line(name)} is missing: "
                "pip install 'mille-arena[server]'",
            )
        case MemoryError():
            return Failure(
                ExitCode.FAILED, "failed", "this machine, or a limit, has no memory left"
            )
        case FileNotFoundError() if not is_somewhere():
            return Failure(ExitCode.FAILED, "failed", NOWHERE)
        case KeyboardInterrupt() | typer.Abort():
            return Failure(ExitCode.INTERRUPTED, "interrupted", "interrupted")
        case _:
            what = ": ".join(filter(None, [type(error).__name__, _one_line(str(error))]))
            hint = f"a bug in {PROGRAM}; run with {TRACEBACK}=1 to see where"
            return Failure(ExitCode.INTERNAL, "internal", f"{what} ({hint})")


_EXHAUSTED: Final = (
    errno.ENOSPC,
    errno.EDQUOT,
    errno.ENOMEM,
    errno.EAGAIN,  # no process can be started
    errno.EMFILE,
    errno.ENFILE,
)
"""What this machine has run out of."""


def is_somewhere() -> bool:
    """Whether this process has a working folder."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _usage_message(error: typer.TyperException, path: str) -> str:
    message = _one_line(error.format_message()).rstrip(".")
    message = message[:1].lower() + message[1:]
    return f"{message}{_given(error)} (see '{path} --help')"


def _given(error: typer.TyperException) -> str:
    # pydantic, which converts for typer, keeps the refused value out of its message.
    details = getattr(error.__cause__, "errors", None)
    if details is None:
        return ""
    return f", not {_one_line(repr(details()[0]['input']))}"


def _one_line(text: str) -> str:
    """Make `text`, which may quote anything, harmless to print: one line, nothing unprintable."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in " ".join(text.split())
    )


def _report(failure: Failure, *, as_json: bool) -> None:
    # Plain text, never markup: the message may quote what a stranger wrote.
    with contextlib.suppress(OSError):  # a full disk behind it is no reason to say nothing at all
        sys.stderr.write(f"{PROGRAM}: {failure.message}\n")
        sys.stderr.flush()
    error = {"kind": failure.kind, "message": failure.message}
    try:
        if as_json:
            sys.stdout.write(json.dumps({"error": error}) + "\n")
        sys.stdout.flush()
    except OSError:
        _close_stdout()


def _reader_is_gone() -> bool:
    poller = select.poll()
    poller.register(sys.stdout.fileno(), 0)
    return bool(poller.poll(0))  # without asking for events only errors and hang-ups are told


def _close_stdout() -> None:
    # What is still buffered would fail once more, noisily, when the interpreter ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
