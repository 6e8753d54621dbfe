"""The commands on records, run in this process, and a record to run them on."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Final, NamedTuple

from arena.cli.app import app
from arena.cli.exits import run
from tests.referee.plans import make_plan, patient
from tests.referee.recorded import erratic, recorded

ROOT: Final = Path(__file__).parents[2]
MAIN: Final = "from arena.cli import main; main()"
"""The command line as a program for an interpreter of its own."""


class Done(NamedTuple):
    code: int
    out: str
    err: str


def arena(*args: str | Path) -> Done:
    """Run a command as the command line does, with what it wrote."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(app, list(map(str, args)))
    return Done(code, out.getvalue(), err.getvalue())


def sample() -> list[bytes]:
    """A record with time-outs, illegal answers and coups fourrés: two legs of two hands."""
    plan = make_plan("classic", 2, seed="sample", hands=2, rotate=True)
    return recorded(plan, erratic(3, 0.05, grave=False), patient)


def write(path: Path, lines: list[bytes]) -> Path:
    path.write_bytes(b"".join(lines))
    return path
