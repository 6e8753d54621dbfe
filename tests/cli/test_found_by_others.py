"""What a new user and an attacker have found at the edges of the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ARENA = Path(sys.executable).with_name("arena")
ONE_HAND = ("--boards", "1", "--hands", "1")


@pytest.fixture(name="room")
def room_with_bots(tmp_path: Path) -> Path:
    (tmp_path / "odd.py").write_text(
        "import asyncio\n"
        "from arena_sdk import Bot\n"
        "class B(Bot):\n"
        "    def choose(self, prompt):\n"
        "        raise asyncio.CancelledError\n"
        "class R(Bot):\n"
        "    def choose(self, prompt):\n"
        "        return 'discard'\n"
    )
    return tmp_path


def arena(room: Path, line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f"{ARENA} {line}"],
        capture_output=True,
        text=True,
        cwd=room,
        check=False,
        timeout=240,
    )


def test_whatever_a_bot_raises_in_process_is_its_own_fault(room: Path) -> None:
    done = arena(room, f"match odd:B random {' '.join(ONE_HAND)} --in-process --json")
    facts = json.loads(done.stdout)
    assert facts["voids"] == []
    assert [one["reason"] for one in facts["forfeits"]] == ["CRASH", "CRASH"]
    assert "CancelledError" in facts["forfeits"][0]["detail"]


def test_a_name_is_no_picture(room: Path) -> None:
    done = arena(room, f"match odd:B random {' '.join(ONE_HAND)} --in-process")
    assert "odd:B: 2 forfeits" in done.stdout


@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full", "<&- 2>&-"])
def test_a_match_needs_nobody_who_reads_its_remarks(room: Path, closed: str) -> None:
    done = arena(room, f"match random cautious {' '.join(ONE_HAND)} {closed}")
    assert done.returncode == 0
    assert "1 board" in done.stdout


@pytest.mark.slow
def test_check_bot_fails_a_bot_whose_every_answer_is_none(room: Path) -> None:
    done = arena(room, "check-bot odd:R --pause 0 --json")
    assert done.returncode == 1
    facts = json.loads(done.stdout)
    assert not facts["passed"]
    assert "TypeError" in facts["scenarios"][0]["log"]


def test_that_a_bot_has_changed_is_said_when_a_series_is_taken_up_again(room: Path) -> None:
    folder = room / "mine"
    assert arena(room, "new-bot mine").returncode == 0
    line = f"match ./mine random {' '.join(ONE_HAND)} --seed 1 --in-process --resume r.state"
    assert arena(room, line).returncode == 0
    with (folder / "mine_bot.py").open("a") as file:
        file.write("# better\n")
    again = arena(room, line)
    assert again.returncode == 0
    assert "changed since r.state was begun: mine; the table is of both" in again.stderr


def test_a_bot_that_is_no_python_is_told_where(room: Path) -> None:
    (room / "broken").mkdir()
    (room / "broken" / "bot.toml").write_text(
        'name = "broken"\nversion = "1"\nlanguage = "python"\nrun = ["python", "b.py"]\n'
    )
    (room / "broken" / "b.py").write_text("from arena_sdk import Bot\ndef f(:\n")
    done = arena(room, f"match ./broken random {' '.join(ONE_HAND)}")
    assert done.returncode == 2
    assert "SyntaxError" in done.stderr
    assert f"({room}/broken/b.py, line 2)" in done.stderr.splitlines()[-1]


def test_a_program_without_quotes_is_told_to_have_them(room: Path) -> None:
    done = arena(room, "match random -- python bot.py")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "arena: bot python: a program is given as one argument, in quotes: '-- python ...'"
    )
