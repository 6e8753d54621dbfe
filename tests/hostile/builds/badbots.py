"""Bots that must not be accepted, each with what its author is told by `arena try`.

`told` are regular expressions, each of which one line of the output matches. `needs_docker` marks
what only a sandbox stops; without one nobody should run it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["BAD", "GOOD_BUILD", "Bad", "write_bot"]

TOML: Final = """\
name = "{name}"
version = "1.0"
language = "python"
run = ["python", "{run}"]
players = [2]
rulesets = ["express"]
"""

GOOD: Final = """\
from arena_sdk import Bot, run


class MyBot(Bot):
    def choose(self, prompt):
        {body}return prompt.legal[0]


run(MyBot())
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bad:
    """One bot: the text of `bot.py`, what its `bot.toml` says besides, and what is told."""

    code: str
    told: tuple[str, ...]
    run: str = "bot.py"
    more: str = ""
    needs_docker: bool = False
    takes_long: bool = False


def with_body(body: str) -> str:
    """A bot that does `body` each time before it chooses."""
    return GOOD.format(body=body.replace("\n", "\n        ") + "\n        ")


def write_bot(folder: Path, name: str, bad: Bad) -> Path:
    """Write a bot into a new folder below `folder`."""
    own = folder / name
    own.mkdir(parents=True)
    (own / "bot.py").write_text(bad.code)
    (own / "bot.toml").write_text(TOML.format(name=name, run=bad.run) + bad.more)
    return own


TABLE: Final = r"express, 2 players: "

BAD: Final[Mapping[str, Bad]] = {
    "wrong_entry": Bad(
        code=with_body(""),
        run="bott.py",
        told=(
            TABLE + r"STARTUP: exited with code 2 before it joined",
            r"it wrote: .*can't open file '.*bott\.py': \[Errno 2\] No such file or directory",
        ),
    ),
    "syntax_error": Bad(
        code=with_body("") + "def oops(:\n",
        told=(
            TABLE + r"STARTUP: exited with code 1 before it joined",
            r"it wrote: SyntaxError: invalid syntax",
        ),
    ),
    "exits_at_once": Bad(
        code="",
        told=(TABLE + r"STARTUP: exited with code 0 before it joined",),
    ),
    "raises_in_choose": Bad(
        code=with_body("prompt.no_such_thing"),
        told=(
            TABLE + r"arena_sdk: choose raised \d+ times \(last: AttributeError: .*\); default "
            r"actions were played",
        ),
    ),
    "hangs": Bad(
        code="import time\n" + with_body("time.sleep(3600)"),
        told=(
            TABLE + r"TIMEOUT: no answer to prompt 1 within 1,000 ms and 30,000 ms of bank; .*",
            r"in seat 0, at prompt 1, \w+: .*",
            r"it answered: nothing in time",
        ),
        takes_long=True,
    ),
    "illegal_answer": Bad(
        code=with_body(
            "from arena.engine.actions import ACTIONS\n"
            "return next(one for one in ACTIONS if one not in prompt.legal)"
        ),
        told=(
            TABLE + r"ILLEGAL: prompt 1: .* is not legal now; strike 1 of 1",
            r"it answered: .* is not legal now",
        ),
    ),
    "too_much_memory": Bad(
        code="kept = []\n" + with_body("kept.append(bytearray(b'x') * 200_000_000)"),
        told=(
            TABLE + r"RESOURCE: was killed for memory: it wanted more than 512 MiB",
            r"it answered: nothing more",
        ),
        needs_docker=True,
    ),
    "floods_stdout": Bad(
        code="while True:\n    print('\\x1b[31mspam' * 100)\n",
        told=(
            TABLE + r"STARTUP: did not join within 20,000 ms",
            r"it wrote: (\?\[31mspam)+.*",
        ),
        needs_docker=True,
        takes_long=True,
    ),
    "needs_network": Bad(
        code="import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=5)\n"
        + with_body(""),
        told=(
            TABLE + r"STARTUP: exited with code 1 before it joined",
            r"it wrote: (PermissionError|OSError): .*",
            r"hint: there is no network: .*",
        ),
        needs_docker=True,
    ),
    "build_fails": Bad(
        code=with_body(""),
        more='build = ["python", "-c", "import numpy"]\n',
        told=(
            r"build     FAILED \(.*\)",
            r"it exited with code 1",
            r"ModuleNotFoundError: No module named 'numpy'",
            r"hint: what its image lacks has to be in its archive",
        ),
        needs_docker=True,
    ),
    "crashes_at_the_end": Bad(
        code="import os\n"
        + with_body("").replace(
            "    def choose",
            "    def match_over(self, result):\n        os._exit(3)\n\n    def choose",
        ),
        told=(TABLE + r"after the end of the match it exited with code 3",),
    ),
}

GOOD_BUILD: Final = Bad(
    code="from made import first\n" + with_body("return first(prompt)"),
    more="build = ['sh', '-c', '"
    'printf "def first(prompt):\\\\n    return prompt.legal[0]\\\\n" > made.py'
    "']\n",
    told=(r"accepted  good_build 1\.0: archive .*",),
    needs_docker=True,
)
"""A bot that only its build makes complete."""
