"""The command as a person or a program meets it: a process, its two streams, its exit code."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main

import arena
from arena.cli.app import BOTS, COMPETE, EXAMPLES, LADDER, MEASURE, PLAY, RECORDS, RULES, RUN, app

ARENA = Path(sys.executable).with_name("arena")
QUOTED = shlex.quote(str(ARENA))


def call(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ARENA, *args], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version(option: str) -> None:
    done = call(option)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"arena {arena.__version__}\n"


@pytest.mark.parametrize("args", [["--help"], ["-h"], []], ids=["long", "short", "nothing"])
def test_help_tells_what_it_is_and_the_exit_codes(args: list[str]) -> None:
    done = call(*args)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: arena [OPTIONS] COMMAND" in done.stdout
    assert "bots that play Mille Bornes" in done.stdout
    lines = {" ".join(line.split()) for line in done.stdout.splitlines()}
    for code, word in [(0, "fine"), (1, "failed"), (2, "bad input"), (70, "internal error")]:
        assert any(line.startswith(f"{code} {word}") for line in lines)
    assert "130 interrupted" in lines


def test_help_fits_in_eighty_columns() -> None:
    assert max(map(len, call("--help").stdout.splitlines())) <= 80


def test_every_command_has_help_in_one_sentence_and_a_heading() -> None:
    group = typer.main.get_command(app)
    for name, command in getattr(group, "commands").items():  # noqa: B009 - typer hides the type
        first = (command.help or "").partition("\n\n")[0]
        assert first.endswith((".", "?")), f"`arena {name}`: {first!r}"
        panels = (PLAY, BOTS, LADDER, RUN, COMPETE, RECORDS, RULES, MEASURE)
        assert command.rich_help_panel in panels, f"`arena {name}`"


def commands_of(group: Any) -> list[Any]:
    """A group's commands, those of its groups included."""
    found = []
    for command in group.commands.values():
        found.append(command)
        if hasattr(command, "commands"):
            found += commands_of(command)
    return found


def test_the_terminal_breaks_the_lines_of_a_help() -> None:
    """typer keeps a docstring's own line breaks, which leaves orphans in eighty columns."""
    helps = [command.help or "" for command in commands_of(typer.main.get_command(app))]
    assert len(helps) >= 6
    for text in helps:
        assert "\n" not in text.replace("\n\n", "")


def test_every_example_names_a_command() -> None:
    commands = getattr(typer.main.get_command(app), "commands")  # noqa: B009
    for example in EXAMPLES:
        program, command, *_ = example.split()
        assert program == "arena"
        assert command in commands


def test_unknown_command_is_bad_input_and_one_line() -> None:
    done = call("nonsense")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "arena: no such command 'nonsense' (see 'arena --help')\n"


def test_unknown_command_as_json() -> None:
    done = call("nonsense", "--json")
    message = "no such command 'nonsense' (see 'arena --help')"
    assert done.returncode == 2
    assert done.stderr == f"arena: {message}\n"
    assert json.loads(done.stdout) == {"error": {"kind": "usage", "message": message}}


def test_unknown_option_is_bad_input() -> None:
    done = call("--nonsense")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "arena: no such option: --nonsense (see 'arena --help')\n"


def test_bytes_that_are_no_text_and_control_characters_are_made_harmless() -> None:
    done = subprocess.run(
        [ARENA, b"\xff\n\x1b[31m[bold]no", "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "\x1b" not in done.stderr
    assert "[bold]no" in done.stderr
    assert "[bold]no" in json.loads(done.stdout)["error"]["message"]


def test_reader_that_went_away_is_no_error() -> None:
    # The shell's exit code is the one of `arena`, its reader is gone before it writes.
    script = f"set -o pipefail; (sleep 0.2; exec {QUOTED} --help) | true; echo $? >&2"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr == "1\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_full_disk_is_told_and_fails(unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [ARENA, "--version"],
            env={"PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "arena: No space left on device\n"


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_change_no_exit_code(closed: str) -> None:
    for args, code in [("--version", 0), ("nonsense", 2), ("nonsense --json", 2)]:
        done = subprocess.run(
            ["bash", "-c", f"{QUOTED} {args} {closed}"], capture_output=True, text=True, check=False
        )
        assert done.returncode == code
        assert "Traceback" not in done.stderr


def test_terminal_without_accents_gets_help() -> None:
    done = subprocess.run(
        [ARENA, "--help"], env={"PYTHONIOENCODING": "ascii"}, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Mille Bornes" in done.stdout


def test_completion_answers_the_shell() -> None:
    done = subprocess.run(
        [ARENA],
        env={"_ARENA_COMPLETE": "complete_bash", "COMP_WORDS": "arena --vers", "COMP_CWORD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.split()) == (0, ["--version"])
