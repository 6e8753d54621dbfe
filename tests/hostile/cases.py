"""The cases: one file in `bots/` or `boxed/` is one behaviour, and its top says what comes of it.

    # /// expected
    # verdict = "FORFEIT PROTOCOL"
    # words = ["surplus messages"]
    # within = 3
    # threats = ["B6"]
    # ///

README.md beside this file lists all keys.
"""

from __future__ import annotations

import ast
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from arena.referee.limits import Limits, limits_from

__all__ = ["BOTS", "BOXED", "HONEST", "Case", "CaseError", "all_cases", "read_case"]

BOTS: Final = Path(__file__).with_name("bots")
BOXED: Final = Path(__file__).with_name("boxed")
"""The cases that are played in containers."""
HONEST: Final = Path(__file__).with_name("honest.py")
_BEGIN: Final = "# /// expected"
_END: Final = "# ///"


class CaseError(Exception):
    """The top of a bot's file breaks the format; names file and key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A behaviour and what is expected of it.

    Attributes:
        path: The bot's file.
        what: What it does: the first line of its docstring.
        verdict: `COMPLETED`, `VOID`, or `FORFEIT` and its reason; the bot itself forfeits.
        within: Seconds from the start of the match until nothing of it is left.
        threats: Numbers in the list of threats.
        words: Texts that the verdict names.
        faults: What the bot's tally has to hold, exactly.
        log: Texts in the bot's log.
        never: Texts that are in no bot's log.
        alike: The logs of all bots are the same.
        slow: It takes seconds.
        errors: Bytes that the referee may write on standard error.
        descriptors: How many more file descriptors the referee may have open meanwhile.
        megabytes: By how much the referee may grow meanwhile.
        games, hands, legs: How much is played.
        honest: How many bots play against it.
        against: The file of the others, beside the bot's own; empty: `honest.py`.
        ponders: Nobody is held still while others are asked.
        busy: Seconds of the engine's processor time beyond those of a quiet match.
        port: Whether bots connect to ports instead of sockets.
        limits: Those of the match.
    """

    path: Path
    what: str
    verdict: str
    within: float
    threats: tuple[str, ...]
    words: tuple[str, ...] = ()
    faults: dict[str, int] | None = None
    log: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    alike: bool = False
    slow: bool = False
    errors: int = 0
    descriptors: int = 40
    megabytes: float = 24
    games: int = 1
    hands: int = 1
    legs: int = 1
    honest: int = 1
    against: str = ""
    ponders: bool = False
    busy: float = 1.0
    port: bool = False
    limits: Limits = field(default_factory=Limits)

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def opponent(self) -> Path:
        """The file of the other bots."""
        return self.path.with_name(self.against) if self.against else HONEST


def all_cases(folder: Path = BOTS) -> list[Case]:
    """Every case of a folder, by its first threat and its name."""
    cases = [read_case(path) for path in folder.glob("[!_]*.py")]
    return sorted(cases, key=lambda case: (_place(case.threats[0]), case.name))


def _place(threat: str) -> tuple[str, int]:
    return threat[0], int(threat[1:])


def read_case(path: Path) -> Case:
    """Read the top of a bot's file.

    Raises:
        CaseError: it is missing or breaks the format.
    """
    text = path.read_text()
    lines = text.splitlines()
    if not lines or lines[0] != _BEGIN or _END not in lines:
        raise CaseError(f"{path.name}: must begin with {_BEGIN!r} and end that with {_END!r}")
    body = lines[1 : lines.index(_END)]
    try:
        given = tomllib.loads("\n".join(line.removeprefix("#").strip() for line in body))
    except tomllib.TOMLDecodeError as error:
        raise CaseError(f"{path.name}: not TOML: {error}") from None
    what = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    return _case(path, what, given)


def _case(path: Path, what: str, given: dict[str, Any]) -> Case:
    limits = limits_from(given.pop("limits", {}))
    known = {one.name for one in fields(Case)} - {"path", "what", "limits"}
    for key, value in given.items():
        if key not in known:
            raise CaseError(
                f"{path.name}: unknown key {key!r}; there are {', '.join(sorted(known))}"
            )
        if isinstance(value, list):
            given[key] = tuple(value)
    for key in ("verdict", "within", "threats"):
        if not given.get(key):
            raise CaseError(f"{path.name}: {key} is missing")
    if not what:
        raise CaseError(f"{path.name}: has no docstring, which says what it does")
    return Case(path=path, what=what, limits=limits, **given)
