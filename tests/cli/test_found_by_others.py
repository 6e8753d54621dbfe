"""What a new user and an attacker have found at the edges of the command line."""

from __future__ import annotations

import json
import os
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


NODE = """\
file:///home/me/hasty/main.js:2
const x = ;
          ^

SyntaxError: Unexpected token ';'
    at compileSourceTextModule (node:internal/modules/esm/utils:346:16)
    at ModuleLoader.moduleStrategy (node:internal/modules/esm/translators:146:18)
    at #translate (node:internal/modules/esm/loader:497:12)
    at ModuleLoader.loadAndTranslate (node:internal/modules/esm/loader:544:27)
    at async ModuleJob._link (node:internal/modules/esm/module_job:148:19)

Node.js v20.20.2
"""


@pytest.mark.parametrize("command", ["match", "check-bot", "try"])
def test_of_an_error_in_another_language_what_and_where_is_told(room: Path, command: str) -> None:
    (room / "hasty").mkdir()
    (room / "hasty" / "bot.toml").write_text(
        'name = "hasty"\nversion = "1"\nlanguage = "other"\nrun = ["sh", "bot.sh"]\n'
    )
    (room / "hasty" / "bot.sh").write_text(f"cat >&2 <<'END'\n{NODE}END\nexit 1\n")
    more = {"match": f"random {' '.join(ONE_HAND)}", "check-bot": "", "try": "--no-docker"}
    done = arena(room, f"{command} ./hasty {more[command]}")
    assert done.returncode == (2 if command == "match" else 1)
    if command == "match":
        assert done.stderr.splitlines()[-1] == (
            "arena: bot 'hasty' did not start: it exited with code 1 before it joined: "
            "SyntaxError: Unexpected token ';' (/home/me/hasty/main.js, line 2)"
        )
    else:
        assert "it wrote: file:///home/me/hasty/main.js:2\n" in done.stdout
        assert "it wrote: SyntaxError: Unexpected token ';'\n" in done.stdout


@pytest.mark.parametrize("command", ["match", "league", "check-bot", "try"])
def test_a_bot_that_is_not_built_is_refused_with_what_builds_it(room: Path, command: str) -> None:
    (room / "hasty").mkdir()
    (room / "hasty" / "bot.toml").write_text(
        'name = "hasty"\nversion = "1"\nlanguage = "other"\nrun = ["./bin/bot"]\nbuild = ["make"]\n'
    )
    more = {"match": "random", "league": "random", "check-bot": "", "try": "--no-docker"}
    done = arena(room, f"{command} ./hasty {more[command]}")
    if command == "try":  # what a server builds is not looked for here
        assert "cannot be told without Docker" in done.stderr
        return
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"arena: bot 'hasty': {room}/hasty/bin/bot: no such program; "
        f"`arena build-bot {room}/hasty` builds it"
    )


@pytest.mark.slow
@pytest.mark.parametrize("command", ["match", "league"])
def test_that_sources_are_newer_than_what_is_played_is_said_once(room: Path, command: str) -> None:
    assert arena(room, "new-bot hasty").returncode == 0
    (room / "hasty" / "bot.toml").write_text(
        'name = "hasty"\nversion = "1"\nlanguage = "other"\nbuild = ["make"]\n'
        f'run = ["{sys.executable}", "bot.js"]\n'
    )
    (room / "hasty" / "hasty_bot.py").rename(room / "hasty" / "bot.js")
    os.utime(room / "hasty" / "bot.js", (1, 1))
    (room / "hasty" / "rules.c").write_text("")
    done = arena(room, f"{command} ./hasty random cautious {' '.join(ONE_HAND)} --ruleset express")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("hasty: what is played was built before rules.c was changed") == 1


def test_a_program_without_quotes_is_told_to_have_them(room: Path) -> None:
    done = arena(room, "match random -- python bot.py")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "arena: bot python: a program is given as one argument, in quotes: '-- python ...'"
    )
