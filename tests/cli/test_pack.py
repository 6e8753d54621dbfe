"""`arena pack`: what it says and writes, and that what it refuses leaves nothing behind."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from pathlib import Path

import pytest

from arena.cli.app import app
from arena.cli.exits import ExitCode, run
from arena.submissions.intake import Intake

TOML = 'name = "hasty"\nversion = "1.2"\nlanguage = "python"\nrun = ["python", "bot.py"]\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present folder, with a bot in the folder `hasty`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "hasty").mkdir()
    (tmp_path / "hasty" / "bot.toml").write_text(TOML)
    (tmp_path / "hasty" / "bot.py").write_text("pass\n")
    return tmp_path


def call(*args: str) -> int:
    return run(app, ["pack", *args])


def refused(capsys: pytest.CaptureFixture[str], *args: str, code: int = ExitCode.BAD_INPUT) -> str:
    """The one line with which a call is refused; no file has come, gone or changed."""
    before = contents(Path.cwd())
    assert call(*args) == code
    told = capsys.readouterr()
    assert told.out == ""
    assert contents(Path.cwd()) == before
    (line,) = told.err.splitlines()
    return line


def contents(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def test_it_says_what_it_made_and_that_is_accepted(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    (here / "hasty" / ".env").write_text("secret")
    assert call("hasty") == ExitCode.FINE
    archive = here / "hasty.zip"
    size, digest = archive.stat().st_size, hashlib.sha256(archive.read_bytes()).hexdigest()
    assert capsys.readouterr().out.splitlines() == [
        "left out  hasty/.env  (hidden)".replace("hasty/", ""),
        f"hasty.zip: hasty 1.2, 2 files with {len(TOML) + 5} bytes, packed {size} bytes",
        f"SHA-256 {digest}",
    ]
    assert archive.stat().st_mode & 0o777 == 0o644
    with archive.open("rb") as file:
        assert Intake().check(file.fileno()).digest == digest


def test_the_help_says_where_it_goes(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--help") == ExitCode.FINE
    told = " ".join(capsys.readouterr().out.split())
    assert "Writes it to the present folder, unless --out says otherwise." in told


def test_json(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "hasty" / "__pycache__").mkdir()
    assert call("hasty", "--out", "made.zip", "--json") == ExitCode.FINE
    content = (here / "made.zip").read_bytes()
    assert json.loads(capsys.readouterr().out) == {
        "file": "made.zip",
        "bytes": len(content),
        "files": ["bot.py", "bot.toml"],
        "unpacked": len(TOML) + 5,
        "sha256": hashlib.sha256(content).hexdigest(),
        "left_out": [{"path": "__pycache__/", "why": "a cache of Python's"}],
    }


def test_the_present_folder_can_be_packed_again_and_again(
    capsys: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(here / "hasty")
    assert call(".") == ExitCode.FINE
    first = (here / "hasty" / "hasty.zip").read_bytes()
    assert "left out" not in capsys.readouterr().out
    assert call(".") == ExitCode.FINE
    assert "left out  hasty.zip  (the archive itself)" in capsys.readouterr().out
    assert (here / "hasty" / "hasty.zip").read_bytes() == first
    assert sorted(os.listdir(here / "hasty")) == ["bot.py", "bot.toml", "hasty.zip"]


def test_a_long_list_is_cut_short(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    for number in range(25):
        (here / "hasty" / f".{number:02}").touch()
    assert call("hasty") == ExitCode.FINE
    told = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in told] == ["left"] * 21 + ["hasty.zip:", "SHA-256"]
    assert told[20] == "left out  5 more; --json lists all"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "a b",
            "entry 'a b': its name holds something else than A-Z a-z 0-9 . _ - and / (rule: na",
        ),
        ("aux.py", "entry 'aux.py': 'aux.py' is a device on Windows (rule: name)"),
        ("Bot.py", "entry 'bot.py': 'bot.py' and 'Bot.py' are one name on some machines (rule: tw"),
    ],
)
def test_what_would_be_refused_is_refused_before_anything_is_written(
    name: str, problem: str, capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    (here / "hasty" / name).write_text("x")
    assert refused(capsys, "hasty").startswith(f"arena: {problem}")


def test_a_bad_manifest_is_told_with_its_line(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    (here / "hasty" / "bot.toml").write_text(TOML + "players = [1]\n")
    assert refused(capsys, "hasty").startswith(
        "arena: hasty/bot.toml: line 5: players [1]: must be"
    )
    (here / "hasty" / "bot.toml").unlink()
    assert refused(capsys, "hasty") == "arena: hasty/bot.toml: No such file or directory"


@pytest.mark.parametrize(
    ("out", "problem"),
    [
        ("hasty", "hasty: is no file; --out names the archive, such as mybot.zip"),
        ("hasty/bot.py", "hasty/bot.py: exists and is no archive; take another name"),
        ("/dev/null", "/dev/null: is no file"),
        ("gone", "gone: is no file"),
        ("no/where.zip", "no/where.zip: cannot be written: No such file or directory"),
        ("hasty/bot.py/x.zip", "hasty/bot.py/x.zip: cannot be written: Not a directory"),
    ],
)
def test_nothing_but_an_archive_is_written_over(
    out: str, problem: str, capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    (here / "gone").symlink_to("nowhere")
    assert refused(capsys, "hasty", "--out", out).startswith(f"arena: {problem}")


@pytest.mark.parametrize("folder", ["nowhere", "hasty/bot.py"])
def test_what_is_no_folder_is_refused(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"'{folder}'" in refused(capsys, folder)


@pytest.mark.parametrize(
    ("number", "code", "told"),
    [
        (errno.ENOSPC, ExitCode.FAILED, "arena: No space left on device"),
        (errno.EROFS, ExitCode.BAD_INPUT, "arena: hasty.zip: cannot be written: Read-only file sy"),
    ],
)
def test_half_an_archive_is_never_left(
    number: int,
    code: int,
    told: str,
    capsys: pytest.CaptureFixture[str],
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    call("hasty")
    capsys.readouterr()
    (here / "hasty" / "bot.py").write_text("changed\n")

    def full(_descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", full)
    assert refused(capsys, "hasty", code=code).startswith(told)
