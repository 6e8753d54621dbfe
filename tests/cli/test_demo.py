"""`arena demo`, with its real match, and how a hand is shown."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from arena.cli.demo import random_hand
from arena.cli.showing import Show
from arena.engine.playthrough import parse

ARENA = Path(sys.executable).with_name("arena")
GOLDEN = Path(__file__).parents[1] / "golden"


def shown(name: str, names: tuple[str, ...], *, brief: bool = False) -> str:
    out = io.StringIO()
    playthrough = parse((GOLDEN / f"{name}.txt").read_text(encoding="utf-8"))
    Show(Console(file=out, width=80, force_terminal=True), names, brief=brief).play(playthrough)
    return out.getvalue()


def test_demo_plays_a_match_and_shows_three_hands() -> None:
    done = subprocess.run(
        [ARENA, "demo", "--games", "1"], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("The hand is over: ") == 3
    assert "express in brief" in done.stdout
    assert "plateau in brief" in done.stdout
    assert "'1000 bornes'" in done.stdout  # the seed, for whoever wants the same hands
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_demo_shows_the_hand_with_most_coups_fourres() -> None:
    """With its own seed there is one, so that a first look shows what the game is about."""
    done = subprocess.run([ARENA, "demo"], capture_output=True, text=True, check=False, timeout=120)
    assert ": coup_fourre " in done.stdout


def test_coup_fourre_stands_out() -> None:
    text = shown("express_win_by_coup_fourre", ("ann", "bob"))
    (line,) = (line for line in text.splitlines() if "coup_fourre" in line)
    assert "\x1b[1;37;41m" in line  # bold white on red


@pytest.mark.parametrize(
    ("name", "players", "words"),
    [
        ("shutout", 2, "shutout"),
        ("delayed_action", 2, "delayed action"),
        ("last_card", 2, "no card is left that could change anything; nobody wins"),
        ("exhausted_pile", 3, "nobody can play a card any more; nobody wins"),
    ],
)
def test_end_of_a_hand_says_why_and_what_it_brought(name: str, players: int, words: str) -> None:
    text = shown(name, ("ann", "bob", "cid")[:players])
    assert words in " ".join(text.split())


def test_brief_hand_is_one_line_an_action() -> None:
    text = shown("plateau_2", ("ann", "bob"), brief=True)
    decisions = parse((GOLDEN / "plateau_2.txt").read_text(encoding="utf-8")).decisions
    actions = [line for line in text.splitlines() if ": \x1b[36m" in line]
    assert len(actions) == len([one for one in decisions if one.action.text[:4] != "coup"])


def test_random_hand_is_the_same_for_the_same_seed() -> None:
    assert random_hand("express", 2, "7") == random_hand("express", 2, "7")
    assert random_hand("express", 2, "7") != random_hand("express", 2, "8")
