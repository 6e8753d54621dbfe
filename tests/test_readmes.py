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
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [content for name, content in fenced if name == language]


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
    path = words[:2] if words[0] in ("bench", "competition") else words[:1]
    done = run(MAIN, *path, "--help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in names)


@pytest.mark.slow
def test_the_commands_of_the_readme_do_what_it_says(tmp_path: Path) -> None:
    """All that play, in their order, each in the folder that the one before has left."""
    (tmp_path / ".venv").symlink_to(Path(sys.executable).parents[1])
    playing = ("new-bot", "check-bot", "match", "replay", "rerun", "league", "verify")
    for words in commands("README.md"):
        if words[0] not in playing:
            continue
        line = re.sub(r"--boards \d+", A_FEW, " ".join(words))
        done = subprocess.run(
            ["sh", "-c", f".venv/bin/arena {line}"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"


GUIDE = "sdk/python/README.md"
A_FEW = "--boards 2"


@pytest.mark.slow
def test_the_guide_s_commands_do_what_it_says(tmp_path: Path) -> None:
    """Ten minutes from nothing to a thousand games, in order; fewer games will do here."""
    (tmp_path / ".venv").symlink_to(Path(sys.executable).parents[1])
    lines = [line for block in blocks(GUIDE, "sh") for line in block.splitlines()]
    assert len(lines) == 4
    for line in lines:
        words = re.sub(r"--boards \d+", A_FEW, line).split()
        done = subprocess.run(
            words, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=120
        )
        assert done.returncode == 0, f"{line}\n{done.stderr}"
    written = {path.name: path for path in (tmp_path / "hasty").iterdir()}
    (program,) = (block for block in blocks(GUIDE, "python") if "HastyBot" in block)
    assert written["hasty_bot.py"].read_text(encoding="utf-8") == program


def test_the_guide_s_last_match_has_a_thousand_games() -> None:
    last = blocks(GUIDE, "sh")[-1]
    (boards,) = re.findall(r"--boards (\d+)", last)
    assert last.split()[2:4] == ["./hasty", "keeper"]
    assert 2 * int(boards) == 1000


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
