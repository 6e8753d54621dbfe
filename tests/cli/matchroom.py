"""`arena` called in this process, and small bots for it in the present folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena.cli.app import app
from arena.cli.exits import run

__all__ = ["BOTS", "Done", "Room"]

BOTS = """\
import os
import sys

from arena_sdk import Bot


class First(Bot):
    def choose(self, prompt):
        return prompt.legal[0]


class Last(Bot):
    def choose(self, prompt):
        return prompt.legal[-1]


class Chance(Bot):
    def choose(self, prompt):
        return self.rng.choice(prompt.legal)


class Raising(First):
    asked = 0

    def choose(self, prompt):
        self.asked += 1
        if self.asked == 3:
            raise RuntimeError("dropped all my cards")
        return super().choose(prompt)


class Exiting(First):
    def choose(self, prompt):
        print("so long")
        sys.exit(3)


class Illegal(Bot):
    def choose(self, prompt):
        from arena.engine.actions import ACTIONS

        return next(one for one in ACTIONS if one not in prompt.legal)


class Unmakable(First):
    def __init__(self):
        print("about to fail")
        raise ValueError("no cards")


class Needy(First):
    def __init__(self, seed):
        self.seed = seed


class Printing(First):
    def __init__(self):
        print("made with", os.environ["ARENA_BOT_SEED"], "in", os.getcwd())

    def choose(self, prompt):
        print("I am", type(self).__name__)
        return super().choose(prompt)


class Murmuring(Printing):
    def choose(self, prompt):
        sys.stderr.write(f"I am {type(self).__name__}\\n")
        os.write(1, b"behind your back\\n")
        return super(Printing, self).choose(prompt)
"""
MANIFEST = (
    'name = {name!r}\nversion = {version!r}\nlanguage = "python"\nrun = ["python", "bot.py"]\n'
)


@dataclass
class Done:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def message(self) -> str:
        """The one line of a refusal; it is also the only value on standard output, if asked for."""
        line = self.err.splitlines()[-1]
        assert line.startswith("arena: ")
        return line.removeprefix("arena: ")


class Room:
    """The present folder of commands that are called in this process."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys
        (folder / "bots.py").write_text(BOTS)

    def call(self, *args: str) -> Done:
        self._capsys.readouterr()
        code = run(app, args)
        told = self._capsys.readouterr()
        return Done(code, told.out, told.err)

    def match(self, *args: str) -> Done:
        """A match in one process; of classes in `bots.py` the names are enough."""
        named = [f"bots:{arg}" if arg.isidentifier() and arg.istitle() else arg for arg in args]
        return self.call("match", *named, "--in-process")

    def facts(self, *args: str) -> dict[str, Any]:
        done = self.match(*args, "--json")
        assert done.code == 0, done.err
        facts: dict[str, Any] = done.json
        return facts

    def bot(self, name: str, body: str, version: str = "1", folder: str = "") -> str:
        """The folder of a bot whose class has this body."""
        path = self.folder / (folder or name)
        path.mkdir()
        (path / "bot.toml").write_text(MANIFEST.format(name=name, version=version))
        (path / "bot.py").write_text(f"from arena_sdk import Bot\n\n{body}")
        return str(path)


FIRST = "class Mine(Bot):\n    def choose(self, prompt):\n        return prompt.legal[0]\n"
