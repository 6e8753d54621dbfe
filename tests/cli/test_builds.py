"""What is said of a bot that is not built, is older than its sources, or lacks packages."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from arena.cli.builds import remark_on, require_built, touch_built
from arena.errors import BotError
from arena.submissions.manifest import Manifest, read_manifest

OLD: Final = 1_000_000_000
NEW: Final = OLD + 100
"""Seconds since 1970, of files."""


def bot(folder: Path, run: str, build: str = '["make"]') -> Manifest:
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text(
        f'name = "hasty"\nversion = "1"\nlanguage = "other"\nrun = {run}\n'
        + (f"build = {build}\n" if build else "")
    )
    return read_manifest(folder)


def put(folder: Path, *names: str, age: int) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        path.chmod(0o755)
        os.utime(path, (age, age))


def told(capsys: pytest.CaptureFixture[str], *bots: Manifest) -> str:
    remark_on(bots)
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("run", "built"),
    [
        ('["./bin/bot"]', "bin/bot"),
        ('["node", "dist/main.js"]', "dist/main.js"),
        ('["java", "@bot/target/classpath", "HastyBot"]', "bot/target/classpath"),
    ],
)
def test_a_source_that_is_newer_than_what_was_built_is_named_once(
    run: str, built: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hasty = bot(tmp_path / "hasty", run)
    put(hasty.folder, built, age=OLD)
    put(hasty.folder, "src/main.go", age=NEW)
    assert told(capsys, hasty, hasty) == (
        "hasty: what is played was built before src/main.go was changed; "
        f"`arena build-bot {hasty.folder}`\n"
    )
    touch_built(hasty)
    assert told(capsys, hasty) == ""


@pytest.mark.parametrize(
    "name",
    [
        *("README.md", "bot.toml", "hasty_test.go", "hasty.test.ts", "src/test/java/A.java"),
        *("node_modules/x/index.js", "target/x.rs", "build/x.cpp", ".git/x.c", "bin/bot"),
    ],
)
def test_what_a_bot_is_not_built_from_may_be_newer(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hasty = bot(tmp_path / "hasty", '["./bin/bot"]')
    put(hasty.folder, "bin/bot", age=OLD)
    put(hasty.folder, name, age=NEW)
    assert told(capsys, hasty) == ""


def test_a_bot_without_a_build_is_never_out_of_date(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hasty = bot(tmp_path / "hasty", '["./run.sh"]', build="")
    put(hasty.folder, "run.sh", age=OLD)
    put(hasty.folder, "more.c", age=NEW)
    assert told(capsys, hasty) == ""


@pytest.mark.parametrize(
    ("package", "is_told"),
    [
        ('{"dependencies": {"@mille-arena/sdk": "file:./sdk"}}', True),
        ('{"type": "module"}', False),
        ('{"dependencies": {}}', False),
        ("[]", False),
        ("{", False),
    ],
)
def test_packages_that_were_not_fetched_are_told(
    package: str, is_told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hasty = bot(tmp_path / "hasty", '["node", "main.js"]', build="")
    (hasty.folder / "package.json").write_text(package)
    assert ("there is no node_modules; `arena build-bot" in told(capsys, hasty)) is is_told
    (hasty.folder / "node_modules").mkdir()
    assert told(capsys, hasty) == ""


def test_a_bot_that_was_not_built_is_refused_with_what_builds_it(tmp_path: Path) -> None:
    hasty = bot(tmp_path / "hasty", '["java", "@bot/target/classpath", "HastyBot"]')
    put(hasty.folder, "java", age=OLD)
    with pytest.raises(BotError, match=r"no such file; `arena build-bot .*` builds it|no program"):
        require_built(hasty)
