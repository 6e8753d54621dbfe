"""`arena build-bot`: builds where the bot lies, with this machine's tools."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import typer

from arena.cli.buildbot import build_bot
from arena.cli.exits import ExitCode, run

app = typer.Typer()
app.command("build-bot")(build_bot)


@app.callback()
def root() -> None:
    """As in the command itself: without it typer would make one command of an app with one."""


def bot(folder: Path, build: str) -> str:
    folder.mkdir()
    (folder / "bot.toml").write_text(
        f'name = "{folder.name}"\nversion = "1"\nlanguage = "other"\nrun = ["./made"]\n{build}'
    )
    return str(folder)


def test_a_build_runs_in_the_bot_s_folder(tmp_path: Path) -> None:
    made = bot(tmp_path / "one", 'build = ["sh", "-c", "echo made > made"]')
    assert run(app, ["build-bot", made]) == ExitCode.FINE
    assert (tmp_path / "one" / "made").read_text() == "made\n"


def test_a_build_that_fails_is_told_and_the_others_are_built(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bad = bot(tmp_path / "bad", 'build = ["sh", "-c", "echo no such thing; exit 3"]')
    good = bot(tmp_path / "good", 'build = ["touch", "made"]')
    assert run(app, ["build-bot", bad, good]) == ExitCode.FAILED
    told = capfd.readouterr()
    assert "bad: the build failed: " in told.err
    assert "ended with 3" in told.err
    assert "no such thing" in told.err
    assert (tmp_path / "good" / "made").exists()
    assert "good: built in " in told.out


def test_json_has_the_end_of_the_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    bad = bot(tmp_path / "bad", 'build = ["sh", "-c", "seq 100; exit 1"]')
    assert run(app, ["build-bot", bad, "--json"]) == ExitCode.FAILED
    (row,) = json.loads(capfd.readouterr().out)["bots"]
    assert row["log"][-1] == "100"
    assert len(row["log"]) == 30
    assert row["problem"].endswith("ended with 1")


def test_a_bot_without_a_build_needs_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(app, ["build-bot", bot(tmp_path / "plain", "")]) == ExitCode.FINE
    assert capfd.readouterr().out == "plain: nothing to build\n"


@pytest.mark.parametrize("tool", ["no-such-tool", "./no-such-script"])
def test_a_missing_tool_is_named(
    tool: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lacking = bot(tmp_path / "lacking", f'build = ["{tool}"]')
    assert run(app, ["build-bot", lacking]) == ExitCode.BAD_INPUT
    assert f"no program {tool!r} to build it with" in capfd.readouterr().err


def test_colours_do_not_reach_a_pipe(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    script = r"printf '\\033[0m\\033[0m'; printf '\\033[1;31mERROR\\033[m: no table\\n\\n'; exit 1"
    loud = bot(tmp_path / "loud", f'build = ["sh", "-c", "{script}"]')
    assert run(app, ["build-bot", loud]) == ExitCode.FAILED
    told = capfd.readouterr().err
    assert "\nERROR: no table\n\nloud: the build failed" in told
    assert "\x1b" not in told


def test_a_build_that_had_nothing_to_do_is_as_new_as_one_that_had(tmp_path: Path) -> None:
    made = bot(tmp_path / "one", 'build = ["true"]')
    program = tmp_path / "one" / "made"
    program.write_text("")
    os.utime(program, (1, 1))
    assert run(app, ["build-bot", made]) == ExitCode.FINE
    assert program.stat().st_mtime > 1


def test_a_build_gets_no_input(tmp_path: Path) -> None:
    reads = bot(tmp_path / "reads", 'build = ["sh", "-c", "cat > made"]')
    assert run(app, ["build-bot", reads]) == ExitCode.FINE
    assert (tmp_path / "reads" / "made").read_text() == ""
