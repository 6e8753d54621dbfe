"""How commands end: what they raise becomes a line, a code and, if asked for, JSON."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import pytest
import typer

from arena.cli.exits import ExitCode, run
from arena.cli.output import JsonOption, print_json
from arena.errors import HostFault, IllegalAction, InputError, RuleSetError


def command(body: Callable[[], object]) -> typer.Typer:
    """Return an application with one command, `work`, that runs `body`."""
    app = typer.Typer()

    @app.callback()
    def _root() -> None: ...

    @app.command()
    def work(
        _path: Annotated[Path | None, typer.Argument(exists=True)] = None,
        _number: Annotated[int, typer.Option("--number", min=1)] = 1,
        _as_json: JsonOption = False,
    ) -> None:
        body()

    return app


def raising(error: BaseException) -> typer.Typer:
    def body() -> None:
        raise error

    return command(body)


ENDINGS = [
    (RuleSetError("unknown preset 'x'"), 2, "input", "unknown preset 'x'"),
    (InputError("two\n  lines"), 2, "input", "two lines"),
    (InputError("[bold]no[/bold] \x1b[31m"), 2, "input", r"[bold]no[/bold] \x1b[31m"),
    (IllegalAction("not now"), 1, "failed", "not now"),
    (HostFault(), 1, "failed", "HostFault"),
    (KeyboardInterrupt(), 130, "interrupted", "interrupted"),
    (typer.Abort(), 130, "interrupted", "interrupted"),
    (typer.BadParameter("no"), 2, "usage", "invalid value: no (see 'arena work --help')"),
    (ExceptionGroup("tasks", [RuleSetError("inner")]), 2, "input", "inner"),
    (
        ZeroDivisionError("by zero"),
        70,
        "internal",
        "ZeroDivisionError: by zero (a bug in arena; run with ARENA_TRACEBACK=1 to see where)",
    ),
    (
        BrokenPipeError(32, "a bot's pipe"),
        70,
        "internal",
        "BrokenPipeError: [Errno 32] a bot's pipe"
        " (a bug in arena; run with ARENA_TRACEBACK=1 to see where)",
    ),
    (
        asyncio.CancelledError(),
        70,
        "internal",
        "CancelledError (a bug in arena; run with ARENA_TRACEBACK=1 to see where)",
    ),
]
NAMES = [f"{type(error).__name__}-{at}" for at, (error, *_) in enumerate(ENDINGS)]


@pytest.mark.parametrize(("error", "code", "kind", "message"), ENDINGS, ids=NAMES)
def test_failure_is_one_line_and_one_code(
    error: BaseException, code: int, kind: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(raising(error), ["work"]) == code
    told = capfd.readouterr()
    assert told.err == f"arena: {message}\n"
    assert told.out == ""

    assert run(raising(error), ["work", "--json"]) == code
    told = capfd.readouterr()
    assert told.err == f"arena: {message}\n"
    assert json.loads(told.out) == {"error": {"kind": kind, "message": message}}


USAGE = [
    (["--wrong"], "no such option: --wrong"),
    (["--number"], "option '--number' requires an argument (see 'arena work --help')"),
    (["a", "b"], "'a'"),
    (["--number", "many"], "'--number'"),
    (["--number", "many"], "'many'"),
    (["--number", "0"], "greater than or equal to 1, not '0' (see 'arena work --help')"),
    (["/no/such/file"], "/no/such/file"),
]


@pytest.mark.parametrize(("args", "part"), USAGE)
def test_usage_error_names_what_is_wrong(
    args: list[str], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command(lambda: None), ["work", *args]) == 2
    told = capsys.readouterr()
    assert part in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


def test_success_prints_and_is_zero(capsys: pytest.CaptureFixture[str]) -> None:
    for args in (["work"], ["work", "--json"]):
        assert run(command(lambda: print_json({"games": 3})), args) == 0
        assert json.loads(capsys.readouterr().out) == {"games": 3}


def test_command_that_has_told_its_failure_itself(capsys: pytest.CaptureFixture[str]) -> None:
    def body() -> None:
        print_json({"failed": 1})
        raise typer.Exit(1)

    for args in (["work"], ["work", "--json"]):
        assert run(command(body), args) == 1
        told = capsys.readouterr()
        assert (json.loads(told.out), told.err) == ({"failed": 1}, "")


def test_what_was_printed_before_a_failure_does_not_spoil_the_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def body() -> None:
        print_json([1, 2])
        raise InputError("third game: no such bot")

    assert run(command(body), ["work", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["message"] == "third game: no such bot"


def test_json_after_the_double_dash_is_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command(lambda: None), ["work", "--", "--json"]) == 2
    assert capsys.readouterr().out == ""


def test_a_command_among_the_arguments_is_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    """`-- ./mybot --fast` names a bot; click would take whatever begins with `--` for an option."""
    app, seen = typer.Typer(), []

    @app.callback()
    def _root() -> None: ...

    @app.command()
    def work(
        names: Annotated[list[str], typer.Argument()],
        _number: Annotated[int, typer.Option("--number")] = 1,
    ) -> None:
        seen.append([name.strip() for name in names])

    assert run(app, ["work", "a", "-- ./mybot --fast", "--number", "3", "-- x"]) == 0
    assert seen == [["a", "-- ./mybot --fast", "-- x"]]
    assert run(app, ["work", "a", "--wrong"]) == 2
    assert "no such option: --wrong" in capsys.readouterr().err


def test_traceback_on_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(os.environ, "ARENA_TRACEBACK", "1")
    assert run(raising(ZeroDivisionError("by zero")), ["work"]) == 70
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[-2:-1] == ["ZeroDivisionError: by zero"]
    assert lines[-1].startswith("arena: ZeroDivisionError: by zero (a bug in arena")


def test_a_failure_leaves_ctrl_c_as_it_was() -> None:
    """Whoever runs a command in their own process goes on after it."""
    before = signal.getsignal(signal.SIGINT)
    assert run(raising(HostFault("gone")), ["work"]) == ExitCode.FAILED
    assert signal.getsignal(signal.SIGINT) is before


def test_remarks_that_cannot_be_written_are_no_failure() -> None:
    # What is buffered waits until the interpreter ends, and would have it end with 120.
    program = (
        "import sys\n"
        "from arena.cli import app\n"
        "def run(*args):\n"
        "    sys.stderr = open(2, 'w', closefd=False)\n"
        "    print('done', file=sys.stderr)\n"
        "    print('result')\n"
        "    return 0\n"
        "app.run = run\n"
        "app.main()\n"
    )
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            stderr=full,
            check=False,
            timeout=60,
        )
    assert (done.returncode, done.stdout) == (ExitCode.FINE, b"result\n")
