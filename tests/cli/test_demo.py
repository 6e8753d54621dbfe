"""`arena demo`: a league of real programs, and a coup fourré from its record."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ARENA = Path(sys.executable).with_name("arena")


@pytest.fixture(name="folder")
def short_folder() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's."""
    with tempfile.TemporaryDirectory(prefix="demo-") as name:
        yield Path(name)


def demo(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ARENA, "demo", *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"PATH": "/usr/bin:/bin", "TMPDIR": str(folder), "COLUMNS": "100"},
    )


def test_demo_plays_a_league_and_shows_a_coup_fourre_of_it(folder: Path) -> None:
    done = demo(folder)
    assert done.returncode == 0, done.stderr
    table = [line for line in done.stdout.splitlines() if "cautious" in line or "random" in line]
    assert len(table) >= 2
    assert "a coup fourré, from the record of its match" in done.stdout
    assert done.stdout.count(": coup_fourre ") == 1
    assert "window" in done.stdout
    assert "seed 1000 bornes" in done.stderr  # for whoever wants the same games


def test_demo_leaves_nothing_behind(folder: Path) -> None:
    done = demo(folder, "--boards", "1", "--seed", "another")
    assert done.returncode == 0, done.stderr
    assert list(folder.iterdir()) == []
