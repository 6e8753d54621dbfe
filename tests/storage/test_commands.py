"""`arena backup`, `arena restore` and `arena check-data`: what they print, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

from arena.cli.backup import backup
from arena.cli.checkdata import check_data
from arena.cli.exits import ExitCode, run
from arena.cli.restore import restore
from arena.storage.store import open_store
from tests.storage.cluster import Cluster
from tests.storage.conftest import FakeClock
from tests.storage.test_backup import play
from tests.storage.worlds import digest


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    monkeypatch.setenv("COLUMNS", "200")
    app = typer.Typer()
    for command, name in ((backup, "backup"), (restore, "restore"), (check_data, "check-data")):
        app.command(name)(command)
    return app


@pytest.fixture
def data(tmp_path: Path, clock: FakeClock) -> Path:
    with open_store(tmp_path / "data", clock) as store:
        play(store, "ann", "bob")
    return tmp_path / "data"


def test_there_and_back(
    app: typer.Typer, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, other = str(tmp_path / "copy"), str(tmp_path / "other")
    assert run(app, ["backup", str(data), copy]) == ExitCode.FINE
    assert capsys.readouterr().out == f"{copy}: the database and 4 files, 30 bytes\n"
    assert run(app, ["restore", copy, other]) == ExitCode.FINE
    told = capsys.readouterr().out
    assert told.startswith(f"{other}: as it was 20")
    assert told.endswith("UTC, with 4 files\n")
    assert run(app, ["check-data", other, "--no-records"]) == ExitCode.FINE
    told = capsys.readouterr().out
    assert told == "1 matches, 1 results, 2 rating events, 4 files: all holds\n"


def test_json(
    app: typer.Typer, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, other = str(tmp_path / "copy"), str(tmp_path / "other")
    assert run(app, ["backup", str(data), copy, "--json"]) == ExitCode.FINE
    made = json.loads(capsys.readouterr().out)
    assert (made["files"], made["bytes"], made["missing"]) == (4, 30, [])
    assert run(app, ["restore", copy, other, "--json"]) == ExitCode.FINE
    assert json.loads(capsys.readouterr().out)["at"] == made["at"]
    # Its record is none that could be played again.
    assert run(app, ["check-data", other, "--json"]) == ExitCode.FAILED
    found = json.loads(capsys.readouterr().out)
    assert (found["matches"], found["results"], found["files"]) == (1, 1, 4)
    (violation,) = found["violations"]
    assert violation["promise"] == 5
    assert violation["what"].startswith("match 1: its record does not hold: ")


def test_what_is_broken_is_one_line_each(
    app: typer.Typer, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = digest("record 1-1")
    (data / "records" / name[:2] / name).unlink()
    assert run(app, ["check-data", str(data)]) == ExitCode.FAILED
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("promise 5: ")
    assert first.endswith(f"{name}: No such file or directory")
    assert last.endswith("4 files: 1 broken promises")
    assert run(app, ["backup", str(data), str(tmp_path / "copy")]) == ExitCode.FAILED
    assert f"missing or damaged: records/{name}" in capsys.readouterr().out


def test_the_database_is_told_by_the_environment_too(
    app: typer.Typer,
    tmp_path: Path,
    clock: FakeClock,
    postgres: Cluster,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with postgres.fresh() as url:
        with open_store(tmp_path / "data", clock, url=url) as store:
            play(store, "ann", "bob")
        monkeypatch.setenv("ARENA_DATABASE", url)
        assert run(app, ["backup", str(tmp_path / "data"), str(tmp_path / "copy")]) == ExitCode.FINE
        assert run(app, ["check-data", str(tmp_path / "data"), "--no-records"]) == ExitCode.FINE


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["backup", "{}", "copy"], "has no arena.sqlite"),
        (["restore", "{}", "other"], "is none: backup.json"),
        (["check-data", "{}"], "has no arena.sqlite"),
        (["check-data", "{}", "--database", "mysql://u:secret@h/d"], "'mysql' is not known"),
    ],
)
def test_bad_input_is_one_line(
    app: typer.Typer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    code = run(app, [word.replace("{}", "empty") for word in words])
    assert code == ExitCode.BAD_INPUT
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert "secret" not in line
    assert [one.name for one in tmp_path.iterdir()] == ["empty"]
