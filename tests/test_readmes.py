"""What the READMEs show is true: their programs run, their commands exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAIN = "from arena.cli import main; main()"


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", *args],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=60,
    )


def blocks(path: str, language: str) -> list[str]:
    text = (ROOT / path).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_engine_readme_program_plays_a_hand() -> None:
    (program,) = blocks("arena/engine/README.md", "python")
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"\(\d+, \d+, \d+\)\n", done.stdout)


def commands(path: str) -> list[list[str]]:
    lines = [line for block in blocks(path, "sh") for line in block.splitlines()]
    shown = [line.partition("#")[0].split() for line in lines]
    return [words[1:] for words in shown if words and words[0] == ".venv/bin/arena"]


def test_readme_shows_commands() -> None:
    assert len(commands("README.md")) >= 4


@pytest.mark.parametrize("words", commands("README.md"), ids=" ".join)
def test_readme_command_is_understood(words: list[str]) -> None:
    """Every option that is shown is one that the command knows."""
    names = [word for word in words[1:] if word.startswith("-")]
    path = words[:2] if words[0] == "bench" else words[:1]
    done = run(MAIN, *path, "--help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in names)


def test_readme_counts_the_rulings() -> None:
    """R01-R41, X01-X22, P01-P14 (the rulings of the engine's README)."""
    rows = (ROOT / "tests/conformance/RULINGS.md").read_text(encoding="utf-8").splitlines()
    rulings = [row for row in rows if re.match(r"\| [RXP]\d\d \|", row)]
    assert f"Each of the {len(rulings)} rulings" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_readme_tree_names_what_exists() -> None:
    (tree,) = (block for block in blocks("README.md", "") if "proto/" in block)
    folder = ROOT
    for line in tree.splitlines():
        name = line.split()[0]
        if not line.startswith(" "):
            folder = ROOT / name
            assert (ROOT / name).exists(), name
        else:
            assert (folder / name).exists(), name
