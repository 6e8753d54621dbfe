"""What sdk/bridge/README.md shows is true: its bots play, its lines are real."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Final

from arena.submissions.manifest import read_manifest
from arena_sdk import Prompt, Stage
from arena_sdk._bridge_lines import line_from, request_from
from arena_sdk.testing import prompts
from millearena.v1 import match_service_pb2 as pb
from tests.sdk.bots import wire_prompt
from tests.sdk.bridgehouse import played
from tests.sdk.test_bridge_examples import need

README: Final = Path(__file__).parents[2] / "sdk" / "bridge" / "README.md"


def blocks(language: str) -> list[str]:
    text = README.read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def the_prompt() -> Prompt:
    """An early prompt of a player with something to choose."""
    return next(one for one in prompts(Stage.PLAY, seed=2, hands=1) if len(one.legal) > 3)


def shown() -> str:
    """The prompt of the README: its line, cut into lines."""
    message = wire_prompt(the_prompt(), "5e576d394a43ca65fc50cf3cfb8ba58a", 1)
    line = line_from(pb.PlayResponse(prompt=message)).decode()
    cut = textwrap.wrap(line.replace(",", ", "), 116, break_long_words=False)
    return "".join(f"{one.replace(', ', ',')}\n" for one in cut)


def bot(folder: Path, name: str, program: str) -> Path:
    (toml,) = blocks("toml")
    folder = folder / "bot"
    folder.mkdir()
    (folder / name).write_text(program)
    if name.endswith(".lua"):
        toml = toml.replace('"sh", "tiny.sh"', f'"lua5.4", "{name}"')
    (folder / "bot.toml").write_text(toml)
    return folder


def test_the_smallest_bot_plays(tmp_path: Path) -> None:
    program, command = blocks("sh")
    seen = played(read_manifest(bot(tmp_path, "tiny.sh", program)))
    assert (seen.verdict, sum(seen.tally.faults.values()), seen.log) == ("COMPLETED", 0, "")
    assert command.startswith(".venv/bin/arena match ./tiny random")


def test_the_bot_in_lua_plays(tmp_path: Path) -> None:
    need("lua_racer")
    (program,) = blocks("lua")
    seen = played(read_manifest(bot(tmp_path, "moony.lua", program)))
    assert (seen.verdict, sum(seen.tally.faults.values()), seen.log) == ("COMPLETED", 0, "")


def test_the_lines_of_a_bot_are_requests() -> None:
    (lines,) = blocks("json")
    requests = [request_from(line.encode()) for line in lines.splitlines()]
    arms = [one.WhichOneof("message") for one in requests]
    assert arms == ["join", "answer", "answer", "answer", "note"]


def test_the_prompt_is_a_real_one() -> None:
    assert blocks("prompt") == [shown()]
    assert (
        "".join(shown().splitlines())
        == line_from(
            pb.PlayResponse(prompt=wire_prompt(the_prompt(), "5e576d394a43ca65fc50cf3cfb8ba58a", 1))
        )
        .decode()
        .strip()
    )
