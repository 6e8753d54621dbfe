"""`arena competition verify`: a line for everything that is wrong, and an exit code."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
import typer

from arena.cli.competitionverify import verify
from arena.cli.exits import run
from tests.tournament.competition.archiveworld import World

pytest_plugins = ["tests.tournament.competition.archivefixtures"]

APP = typer.Typer()
APP.command("verify")(verify)


@APP.callback()
def _group() -> None:
    """So that the command has a name."""


class Done(NamedTuple):
    code: int
    out: str
    err: str


def arena(*args: str | Path) -> Done:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(APP, ["verify", *map(str, args)])
    return Done(code, out.getvalue(), err.getvalue())


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def test_what_holds(whole: Path, world: World) -> None:
    done = arena(whole, "--commitment", world.here.commitment.upper())
    assert done.code == 0
    *notes, summary, head, commitment, last = done.out.splitlines()
    assert last == "school-afternoon: all holds"
    assert commitment == f"commitment {world.here.commitment}"
    assert head == f"head {json.loads(world.stored[-1])['chain']}"
    assert summary.startswith(f"School afternoon: finished, {len(world.stored)} lines of the ")
    assert (
        "note journal.jsonl, line 15, by admin token 1f2e: 1/1.2, round 1, table 2, "
        "is played again: a plug was pulled"
    ) in notes
    assert "note ann/keeper: 3 attempts, of which 1 came to nothing; 0 reruns" in notes
    assert all(note.startswith("note ") for note in notes)


def test_what_does_not_hold(copy: Path) -> None:
    with (copy / "competition.toml").open("a") as file:
        file.write("# and one more thing\n")
    done = arena(copy, "--jobs", "1")
    assert done.code == 1
    found = [line for line in done.out.splitlines() if line.startswith("FAIL ")]
    assert found[0].startswith("FAIL competition.toml: was changed: its SHA-256 is ")
    assert found[1] == (
        "FAIL competition.toml: is not the file that the first line of the journal announces"
    )
    assert done.out.splitlines()[-1] == "school-afternoon: 2 things wrong"
    assert done.err == ""


def test_as_json(copy: Path) -> None:
    (copy / "extra.txt").write_text("x")
    done = arena(copy, "--json")
    facts = json.loads(done.out)
    assert done.code == 1
    assert facts["findings"] == [
        {
            "file": "extra.txt",
            "line": None,
            "what": "does not belong there: MANIFEST.json does not name it",
        },
        {"file": "extra.txt", "line": None, "what": "belongs to nothing in the competition"},
    ]
    assert facts["phase"] == "finished"
    assert {"bot": "ann/keeper", "attempts": 3, "void": 1, "reruns": 0} in facts["attempts"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["nowhere"], "nowhere: cannot be read: No such file or directory"),
        (["."], ".: is no archive of a competition: it has no MANIFEST.json"),
        ([".", "--head", "12"], "'12' is not 64 hexadecimal digits"),
        ([".", "--jobs", "-1"], "-1"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = arena(*args)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert done.err.count("\n") == 1


def test_names_that_would_move_the_cursor_are_shown(copy: Path) -> None:
    (copy / "a\x1b[2Jb\nc").write_text("x")
    done = arena(copy)
    assert done.code == 1
    assert "\x1b" not in done.out
    assert any("does not belong there" in line for line in done.out.splitlines())
