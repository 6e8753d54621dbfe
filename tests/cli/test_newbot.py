"""`arena new-bot`: what it writes works, and what it refuses leaves nothing behind."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from arena.cli.exits import ExitCode, run
from arena.cli.kits import KITS
from arena.cli.newbot import names_from, new_bot
from arena.cli.output import flowing
from arena.errors import BotError
from arena.submissions.limits import ArchiveLimits
from arena.submissions.manifest import LANGUAGES, example_bots, read_manifest
from arena.submissions.selecting import select
from arena_sdk._loading import class_in_file
from arena_sdk.testing import play_game
from tests.sdk.bots import Chooses

app = typer.Typer()
app.command("new-bot", help=flowing(new_bot))(new_bot)


@app.callback()
def root() -> None:
    """As in the command itself: without it typer would make one command of an app with one."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*args: str) -> int:
    return run(app, ["new-bot", *args])


def python(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", *args],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


# -- what is written --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "files", "class_name"),
    [
        ("hasty", {"hasty_bot.py", "test_hasty.py"}, "HastyBot"),
        ("fast-car_2", {"fast_car_2_bot.py", "test_fast_car_2.py"}, "FastCar2Bot"),
        ("my-bot", {"my_bot.py", "test_my_bot.py"}, "MyBot"),
        ("bot", {"bot.py", "test_bot.py"}, "BotBot"),
        ("RoadRunner", {"roadrunner_bot.py", "test_roadrunner.py"}, "RoadRunnerBot"),
        ("speedbot", {"speedbot.py", "test_speedbot.py"}, "SpeedbotBot"),
        ("X", {"x_bot.py", "test_x.py"}, "XBot"),
    ],
)
def test_a_bot_is_written_and_its_names_follow(
    name: str, files: set[str], class_name: str, here: Path
) -> None:
    assert call(name) == ExitCode.FINE
    assert {path.name for path in here.iterdir()} == {name}
    assert {path.name for path in (here / name).iterdir()} == {"bot.toml", *files}
    manifest = read_manifest(here / name)
    assert (manifest.name, manifest.language) == (name, "python")
    module = (files - {f"test_{name}"} - {one for one in files if one.startswith("test_")}).pop()
    assert manifest.run == ("python", module)
    assert class_in_file(here / name / module).__name__ == class_name


def test_its_test_passes_with_nothing_but_python(here: Path) -> None:
    assert call("fast-car") == ExitCode.FINE
    done = python("-m", "unittest", "discover", "fast-car")
    assert done.returncode == 0, done.stderr
    assert "Ran 3 tests" in done.stderr
    done = python("-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "fast-car")
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


def test_its_test_can_fail(here: Path) -> None:
    call("hasty")
    path = here / "hasty" / "hasty_bot.py"
    path.write_text(path.read_text().replace("prompt.attacks[0]", "prompt.attacks[9]"))
    done = python("-m", "unittest", "discover", "hasty")
    assert done.returncode != 0
    assert "IndexError" in done.stderr


@pytest.mark.parametrize("rules", ["classic", "express", "plateau"])
def test_it_is_better_than_random(rules: str, here: Path) -> None:
    call("hasty")
    hasty = class_in_file(here / "hasty" / "hasty_bot.py")
    won = 0
    for seed in range(10):
        for seat in (0, 1):
            rival = Chooses(lambda prompt: rival.rng.choice(prompt.legal))  # noqa: B023
            bots = [hasty(), rival] if seat == 0 else [rival, hasty()]
            won += play_game(bots, rules=rules, seed=seed)[-1].game_winner == seat
    assert won >= 15  # of 20; by luck alone with a chance of 2 %


def test_a_linter_has_nothing_to_say(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call("fast-car")
    monkeypatch.chdir("fast-car")
    done = python("-m", "ruff", "check", "--isolated", "--select", "B,E,F,I,N,PL,SIM,UP,W")
    assert done.returncode == 0, done.stdout
    done = python("-m", "ruff", "format", "--isolated", "--check")
    assert done.returncode == 0, done.stdout


# -- what is said -----------------------------------------------------------------------------


def test_it_says_what_to_do_next(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    assert call("hasty") == ExitCode.FINE
    told = capsys.readouterr()
    first, *steps = told.out.splitlines()
    assert first == "hasty is a bot that plays. What next:"
    assert [step.split()[0] for step in steps] == ["edit", "test", "play"]
    edit, test, play = (shlex.split(step)[1:] for step in steps)
    assert Path(*edit).is_file()
    assert test[0] == sys.executable
    assert python(*test[1:]).returncode == 0
    assert play[0] == str(Path(sys.executable).with_name("arena"))
    assert play[1:] == ["match", "./hasty", "random", "--boards", "10", "--in-process"]
    assert told.err == ""


def test_programs_below_this_folder_are_named_from_here(
    capsys: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(here / ".venv" / "bin" / "python3"))
    call("hasty")
    _, _, test, play = capsys.readouterr().out.splitlines()
    assert test.split()[1] == ".venv/bin/python"
    assert play.split()[1] == ".venv/bin/arena"


def test_another_place(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "my bots").mkdir()
    assert call("hasty", "--dir", "my bots") == ExitCode.FINE
    assert (here / "my bots" / "hasty" / "hasty_bot.py").is_file()
    _, edit, _, play = capsys.readouterr().out.splitlines()
    assert shlex.split(edit)[1] == "my bots/hasty/hasty_bot.py"
    assert "'./my bots/hasty'" in play


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("hasty", "--json") == ExitCode.FINE
    told = json.loads(capsys.readouterr().out)
    assert told["folder"] == "hasty"
    assert told["files"] == ["bot.toml", "hasty_bot.py", "test_hasty.py"]
    assert told["next"].keys() == {"edit", "test", "play"}


# -- what is refused --------------------------------------------------------------------------


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """The one line with which a call is refused; nothing is left behind."""
    before = sorted(Path.cwd().iterdir())
    assert call(*args) == ExitCode.BAD_INPUT
    told = capsys.readouterr()
    assert told.out == ""
    assert sorted(Path.cwd().iterdir()) == before
    (line,) = told.err.splitlines()
    return line


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", ".", "..", "a/b", "/tmp/x", "a b", "-a-", "a-", "_a", "a--b", "a-_b", "1a"),
        *("höchst", "a\nb", "a.b", "a\0b", "$name", "a" * 65, "\u202ea"),
    ],
)
def test_a_bad_name_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = refused(capsys, "--", name)
    assert re.match(r"arena: name .+: must be at most 64 letters and digits, beginning", line)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("class", "class is a word of Python's; take class-bot"),
        ("match", "match is a word of Python's"),
        ("random", "a module that bots use is called random"),
        ("Json", "a module that bots use is called json"),
        ("arena-sdk", "a module that bots use is called arena_sdk"),
        ("test", "its file would be taken for a test"),
        ("test-drive", "its file would be taken for a test"),
        ("cautious", "an example bot is called so"),
    ],
)
def test_a_name_that_means_something_else_is_refused(
    name: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(capsys, name)
    assert line.startswith(f"arena: name {name!r}: ")
    assert why in line


def test_no_example_s_name_can_be_taken() -> None:
    for name in example_bots():
        with pytest.raises(BotError):
            names_from(name)


@pytest.mark.parametrize("lang", KITS)
def test_a_bot_in_another_language_has_its_sdk_along(
    lang: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("fast-car", "--lang", lang, "--json") == ExitCode.FINE
    told = json.loads(capsys.readouterr().out)
    folder = here / "fast-car"
    bot = read_manifest(folder)
    assert (bot.name, bot.language) == ("fast-car", lang)
    assert (here / told["next"]["edit"]).is_file()
    own = [path for path in folder.rglob("*") if path.is_file() and path.parent != folder / "sdk"]
    assert any(path.is_relative_to(folder / "sdk") for path in own)
    for path in own:
        assert not re.search("__(name|stem|Class)__", str(path)), path
        if not path.is_relative_to(folder / "sdk"):
            assert not re.search("__(name|stem|Class)__", path.read_text()), path
    assert "FastCarBot" in (here / told["next"]["edit"]).read_text()
    select(folder, ArchiveLimits(), is_built=bool(bot.build))  # as `arena pack` does


@pytest.mark.parametrize("lang", KITS)
@pytest.mark.parametrize("name", ["match", "statistics", "main", "test", "go", "fmt"])
def test_names_that_mean_something_in_python_only_are_free_elsewhere(
    name: str, lang: str, here: Path
) -> None:
    assert call(name, "--lang", lang) == ExitCode.FINE
    assert read_manifest(here / name).language == lang


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("build", "Cargo has a folder build of its own; take build-bot"),
        ("incremental", "take incremental-bot"),
        ("arena-sdk", "a module that bots use is called arena_sdk"),
    ],
)
def test_names_that_cargo_needs_are_refused_for_rust(
    name: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert why in refused(capsys, name, "--lang", "rust")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["go", "main", "fmt", "internal", "con", "Fast-Car"])
def test_a_bot_in_go_builds_and_is_tested_whatever_it_is_called(name: str, here: Path) -> None:
    if shutil.which("go") is None:
        pytest.skip("no go")
    assert call(name, "--lang", "go") == ExitCode.FINE
    for command in ("go build -o bin/bot .", "go vet .", "go test ."):
        done = subprocess.run(
            command.split(),
            cwd=here / name,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
            env={**os.environ, "CGO_ENABLED": "0"},
        )
        assert done.returncode == 0, done.stderr


def test_the_module_of_a_bot_in_go_is_none_of_go_s(here: Path) -> None:
    assert call("fmt", "--lang", "go") == ExitCode.FINE
    (module,) = re.findall(r"(?m)^module (\S+)", (here / "fmt" / "go.mod").read_text())
    assert module == "bot-fmt"


@pytest.mark.parametrize("lang", ["rust", "cpp"])
def test_that_the_first_build_takes_long_is_said(
    lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("hasty", "--lang", lang) == ExitCode.FINE
    assert "The first build" in capsys.readouterr().out


@pytest.mark.parametrize("lang", ["other", "cobol", ""])
def test_other_languages_are_told_where_to_look(
    lang: str, capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    line = refused(capsys, "hasty", "--lang", lang)
    where = "there is no template for it, only for python, " if lang in LANGUAGES else "must be one"
    assert line.startswith(f"arena: language {lang!r}: {where}")


@pytest.mark.parametrize("what", ["folder", "file", "link"])
def test_what_is_there_is_left_alone(
    what: str, capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    path = here / "hasty"
    if what == "folder":
        path.mkdir()
    elif what == "file":
        path.write_text("mine")
    else:
        path.symlink_to("nowhere")
    assert refused(capsys, "hasty").startswith("arena: hasty: exists already; ")
    assert os.path.lexists(path)


@pytest.mark.parametrize("place", ["nowhere", "file"])
def test_a_place_that_is_none_is_refused(
    place: str, capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    (here / "file").write_text("")
    assert f"'{place}'" in refused(capsys, "hasty", "--dir", place)


def test_where_nothing_can_be_written_nothing_is(capsys: pytest.CaptureFixture[str]) -> None:
    # /proc takes no folders from anybody, not even from root.
    assert refused(capsys, "hasty", "--dir", "/proc").startswith(
        "arena: /proc/hasty: cannot be written: "
    )


def test_half_a_bot_is_never_left(
    capsys: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []
    write = Path.write_bytes

    def fail_later(path: Path, content: bytes) -> int:
        if written:
            raise PermissionError(13, "Permission denied")
        written.append(path)
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", fail_later)
    assert "cannot be written: Permission denied" in refused(capsys, "hasty")
    assert written
