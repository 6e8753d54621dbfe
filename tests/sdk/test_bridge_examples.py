"""The example bots behind the bridge: each decides as the racer in Python does."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from arena.engine.cards import Card
from arena.submissions.manifest import example_bots, find_bot
from arena_sdk import Bot, Prompt, Stage
from arena_sdk._bridge_lines import line_from, request_from
from arena_sdk._loading import class_in_file
from arena_sdk.testing import prompts
from millearena.v1 import match_service_pb2 as pb
from tests.sdk.bots import wire_prompt
from tests.sdk.wire import OVER, welcome

ROOT: Final = Path(__file__).parents[2]

TESTS: Final = {
    "awk_racer": "sh test_racer.sh",
    "lua_racer": "lua5.4 test_racer.lua",
    "c_racer": "make -s test",
}

NEEDS: Final = {
    "awk_racer": ("awk", "sh -c 'command -v awk'"),
    "lua_racer": ("lua5.4 with lua-cjson", "lua5.4 -e 'require \"cjson\"'"),
    "c_racer": ("cc and libcjson-dev", "printf '#include <cjson/cJSON.h>' | cc -E -"),
}


@pytest.fixture(scope="module")
def asked() -> list[Prompt]:
    """Prompts of every kind and of several sizes of table."""
    found: list[Prompt] = []
    for rules, players in (("classic", 2), ("classic", 4), ("express", 3), ("leaflet", 2)):
        found += prompts(rules=rules, players=players, seed=7, hands=3)
    assert {one.kind for one in found} >= {Stage.PLAY, Stage.RESPOND, Stage.DRAW}
    return found


def need(name: str) -> None:
    what, trial = NEEDS[name]
    if subprocess.run(["sh", "-c", trial], capture_output=True, check=False).returncode:
        pytest.skip(f"{name}: this machine has no {what}")


def folder_of(name: str, tmp_path: Path) -> Path:
    """A copy of a bot's folder, built."""
    folder = Path(shutil.copytree(example_bots()[name], tmp_path / name))
    if (folder / "Makefile").exists():
        subprocess.run(["make", "-s", "-B", name], cwd=folder, check=True)
    return folder


def said(folder: Path, name: str, messages: list[pb.PlayResponse]) -> list[pb.PlayRequest]:
    """What a bot says to messages, and that it ends when nothing more comes."""
    done = subprocess.run(
        find_bot(str(folder)).run,
        cwd=folder,
        input=b"".join(map(line_from, messages)),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b""), name
    return [request_from(line) for line in done.stdout.splitlines(keepends=True)]


def racer() -> Bot:
    bot: Any = class_in_file(ROOT / "example_bots" / "racer" / "racer_bot.py")()
    assert isinstance(bot, Bot)
    return bot


@pytest.mark.parametrize("awk", ["gawk", "mawk"])
def test_the_one_in_awk_is_for_every_awk(
    awk: str, asked: list[Prompt], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = shutil.which(awk)
    if program is None:
        pytest.skip(f"this machine has no {awk}")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "awk").symlink_to(program)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    decides_as_the_racer("awk_racer", asked, tmp_path)


@pytest.mark.parametrize("name", NEEDS)
def test_it_decides_as_the_racer_in_python(name: str, asked: list[Prompt], tmp_path: Path) -> None:
    need(name)
    decides_as_the_racer(name, asked, tmp_path)


def decides_as_the_racer(name: str, asked: list[Prompt], tmp_path: Path) -> None:
    told = [pb.PlayResponse(welcome=welcome())]
    told += [pb.PlayResponse(prompt=wire_prompt(one, f"id {n}", 1)) for n, one in enumerate(asked)]
    told += [pb.PlayResponse(rejection=pb.Rejection()), pb.PlayResponse(match_over=OVER)]
    join, *answers = said(folder_of(name, tmp_path), name, told)
    assert (join.join.protocol_version, join.join.bot_name) == (1, name)
    model = racer()
    for number, (prompt, request) in enumerate(zip(asked, answers, strict=True)):
        answer = request.answer
        wanted = model.choose(prompt)
        assert answer.prompt_id == f"id {number}"
        assert prompt.legal[answer.legal_index] == wanted, prompt
        if prompt.has_choice:
            orders = {Card(card - 1) for card in answer.coup_fourre_on}
            assert orders == set(model.standing_orders(prompt))


@pytest.mark.parametrize("name", TESTS)
def test_its_own_tests_pass(name: str, tmp_path: Path) -> None:
    need(name)
    folder = folder_of(name, tmp_path)
    done = subprocess.run(
        TESTS[name].split(), cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, ""), done
    assert done.stdout.endswith("6 tests passed\n")
