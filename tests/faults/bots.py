"""Bots for a ladder that things happen to: honest ones, and one of each kind that does wrong."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

from arena.submissions.manifest import example_bots

__all__ = ["HOSTILE", "honest_bot", "hostile_bot", "written_bot"]

HOSTILE: Final = ("crashes", "hangs", "floods", "exits")
"""Dies by a signal, never answers, sends messages without end, exits with code 0."""

_FROM_CORPUS: Final = {"hangs": "silent_turn", "floods": "note_flood", "exits": "exits_well"}
_CORPUS: Final = Path(__file__).parents[1] / "hostile"
_CRASHES: Final = '''\
"""Dies of a segmentation fault at its third prompt."""

import os
import signal

from tests.hostile import wire

seat = wire.Seat()
for number, prompt in enumerate(seat.prompts(), 1):
    if number == 3:
        os.kill(os.getpid(), signal.SIGSEGV)
    seat.answer(prompt)
'''
_TABLE: Final = 'players = [2]\nrulesets = ["express"]\n'


def honest_bot(folder: Path, name: str, label: str = "1", *, source: str = "random") -> Path:
    """A copy of an example bot under another name and label; its folder."""
    place = folder / f"{name}-{label}"
    shutil.copytree(example_bots()[source], place)
    path = place / "bot.toml"
    text = re.sub(r"(?m)^(name|version|players|rulesets) = .*\n", "", path.read_text())
    path.write_text(f'name = "{name}"\nversion = "{label}"\n{text}{_TABLE}')
    return place


def hostile_bot(folder: Path, kind: str) -> Path:
    """A bot that does wrong; its folder has all that it imports."""
    if kind == "crashes":
        return written_bot(folder, kind, _CRASHES)
    code = (_CORPUS / "bots" / f"{_FROM_CORPUS[kind]}.py").read_text()
    return written_bot(folder, kind, code)


def written_bot(folder: Path, name: str, code: str) -> Path:
    """A bot of this code, which may import `tests.hostile.wire`; its folder."""
    place = folder / name
    modules = place / "tests" / "hostile"
    modules.mkdir(parents=True)
    shutil.copy(_CORPUS / "wire.py", modules)
    (place / "bot.py").write_text(code)
    head = f'name = "{name}"\nversion = "1"\nlanguage = "python"\nrun = ["python", "bot.py"]\n'
    (place / "bot.toml").write_text(head + _TABLE)
    return place
