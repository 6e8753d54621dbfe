"""Regulations from a file in TOML; all that is wrong in it is told at once, each with its line.

Needed are a name, a title and one stage:

    name = "school-2026"
    title = "School afternoon 2026"

    [[stage]]
    format = "swiss"

The other sections are [game], [limits], [sandbox], [entrants], [[group]], [schedule], [scoring],
[release], [seed] and [ladder]; their keys are those of the parts in `regulationsparts`.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

from arena.errors import InputError, quoted
from arena.referee.limits import FaultBudget, Limits, TimeControl, limits_from
from arena.storage.facts import Moment
from arena.submissions.tomlplaces import (
    Path,
    Places,
    TomlError,
    of_kind,
    read_toml,
    taken_as,
)
from arena.tournament.competition.regulations import Regulations, wrong_names
from arena.tournament.competition.regulationschecks import Parts, misfits
from arena.tournament.competition.regulationserrors import Mistake, RegulationsError
from arena.tournament.competition.regulationsnotes import Notebook, Values
from arena.tournament.competition.regulationsparts import (
    FILE_NAME,
    EligibilityGroup,
    EntrantRules,
    GameRules,
    LadderRules,
    SandboxRules,
    SeedRules,
)
from arena.tournament.competition.regulationswhen import MOMENTS, ReleaseRules, Schedule
from arena.tournament.competition.stages import usual_scoring
from arena.tournament.competition.stagesfile import StageReader
from arena.tournament.ladder.terms import RATED_LIMITS

__all__ = ["FILE_NAME", "read_regulations", "regulations_from"]

T = TypeVar("T")

_MOST: Final = 64 * 1024
_MOST_DOTS: Final = 200
"""On a line. A key with dots costs `tomllib` the square of their number in time and memory."""
_MOST_OF_A_LIST: Final = 200  # tables that are looked at
_SECTIONS: Final = (
    "game",
    "limits",
    "sandbox",
    "entrants",
    "schedule",
    "scoring",
    "release",
    "seed",
    "ladder",
)
_LIMITS: Final = (*(one.name for one in (*fields(TimeControl), *fields(FaultBudget))), "window")
_NAMES: Final = ("name", "title", *_SECTIONS, "group", "stage")


def read_regulations(path: pathlib.Path) -> Regulations:
    """The regulations of a file.

    Raises:
        InputError: it cannot be read, or, as RegulationsError, something in it is wrong.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MOST + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if len(content) > _MOST:
        raise InputError(f"{path}: longer than {_MOST:,} bytes; these are no regulations")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}: line {line}: not UTF-8 text") from None
    return regulations_from(text, str(path))


def regulations_from(text: str, name: str) -> Regulations:
    """The regulations of a text; `name` is what messages begin with.

    Raises:
        RegulationsError: something in it is wrong; it has every mistake, with its line.
    """
    values, places = _read(text, name)
    notes = Notebook(places)
    made = _Reader(values, notes).regulations(text)
    if made is None:
        raise RegulationsError(notes.told(), name)
    return made


def _read(text: str, name: str) -> tuple[Values, Places]:
    """The values of a text, and where they stand; raises RegulationsError if it is no TOML."""
    if len(text.encode(errors="replace")) > _MOST:
        raise RegulationsError([Mistake((), f"longer than {_MOST:,} bytes")], name)
    text = text.removeprefix("\ufeff")  # some editors on Windows begin with it
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > _MOST_DOTS:
            problem = f"has more than {_MOST_DOTS} dots"
        elif not line.isascii() and any("\ud800" <= one <= "\udfff" for one in line):
            problem = "not UTF-8 text"
        else:
            continue
        raise RegulationsError([Mistake((), problem, number)], name)
    try:
        return read_toml(text)
    except TomlError as error:
        raise RegulationsError([Mistake((), error.problem, error.line)], name) from None


@runtime_checkable
class _DateTime(Protocol):
    """What `tomllib` makes of a date-time."""

    tzinfo: object

    def timestamp(self) -> float: ...

    def isoformat(self, sep: str, timespec: str) -> str: ...


class _Reader:
    """Reads one text, and notes all that is wrong in it."""

    def __init__(self, values: Values, notes: Notebook) -> None:
        self._values = values
        self._notes = notes
        self._stages = StageReader(notes)

    def regulations(self, text: str) -> Regulations | None:
        """All of it; None: that cannot be made."""
        self._notes.check_names(self._values, (), _NAMES)
        name, title = self._text("name", '"school-2026"'), self._text("title", '"School 2026"')
        self._notes.note(wrong_names(name or "x", title or "x"))
        scoring = self._stages.scoring(self._section("scoring"), ("scoring",), usual_scoring())
        parts = Parts(
            game=self._notes.made(GameRules, ("game",), self._section("game")),
            entrants=self._notes.made(
                EntrantRules, ("entrants",), self._section("entrants"), {"from": "source"}
            ),
            groups=self._each("group", self._group),
            schedule=self._schedule(self._section("schedule")),
            stages=self._each("stage", lambda path, one: self._stages.stage(path, one, scoring)),
            release=self._notes.made(ReleaseRules, ("release",), self._section("release")),
        )
        limits = self._limits(self._section("limits"))
        sandbox = self._notes.made(SandboxRules, ("sandbox",), self._section("sandbox"))
        seed = self._notes.made(SeedRules, ("seed",), self._section("seed"))
        ladder = self._notes.made(LadderRules, ("ladder",), self._section("ladder"))
        wrong = {one.path for one in self._notes.mistakes}
        self._notes.note(one for one in misfits(parts) if one.path not in wrong)
        if self._notes.mistakes:
            return None
        return Regulations(
            name=name,
            title=title,
            game=_sound(parts.game),
            limits=limits,
            sandbox=_sound(sandbox),
            entrants=_sound(parts.entrants),
            groups=tuple(map(_sound, parts.groups)),
            schedule=_sound(parts.schedule),
            stages=tuple(map(_sound, parts.stages)),
            release=_sound(parts.release),
            seed=_sound(seed),
            ladder=_sound(ladder),
            text=text,
        )

    # -- sections -------------------------------------------------------------------------------

    def _text(self, key: str, example: str) -> str:
        """A text that has to be there; empty where it is not."""
        value = self._values.get(key)
        if isinstance(value, str):
            if not value:
                self._notes.refuse((key,), f"must not be empty; such as {key} = {example}")
            return value
        problem = "must be a text in quotes" if key in self._values else "is missing"
        self._notes.refuse((key,), f"{problem}, such as {key} = {example}")
        return ""

    def _section(self, name: str) -> Values:
        value = self._values.get(name, {})
        if isinstance(value, dict):
            return value
        right = f"[{name}], once" if isinstance(value, list) else f"[{name}]"
        self._notes.refuse((name,), f"must be a table, {right}")
        return {}

    def _each(self, name: str, make: Callable[[Path, Values], T | None]) -> Sequence[T | None]:
        """What is made of every table of a list."""
        values = self._values.get(name, [])
        if not isinstance(values, list):
            self._notes.refuse((name,), f"is a list of tables: write [[{name}]] with two brackets")
            return [None]
        made: list[T | None] = []
        for number, one in enumerate(values[:_MOST_OF_A_LIST]):
            if isinstance(one, dict):
                made.append(make((name, number), one))
            else:
                self._notes.refuse((name, number), f"must be a table, [[{name}]]")
                made.append(None)
        return made

    def _limits(self, values: Values) -> Limits:
        made = RATED_LIMITS
        self._notes.check_names(values, ("limits",), _LIMITS)
        for key, value in values.items():
            if key not in _LIMITS:
                continue
            try:
                made = limits_from({key: value}, made)
            except InputError as error:
                self._notes.refuse(("limits", key), str(error).removeprefix(f"{key} "))
            except OverflowError:
                self._notes.refuse(
                    ("limits", key), f"must be a number of seconds, not {quoted(value)}"
                )
        return made

    def _group(self, path: Path, values: Values) -> EligibilityGroup | None:
        self._notes.check_names(values, path, ("name", "owners"))
        given: dict[str, Any] = {}
        for key, kind in (("name", ""), ("owners", ())):
            if key not in values:
                self._notes.refuse(path, f"has no {key}; give it one")
                continue
            try:
                given[key] = taken_as(kind, values[key])
            except InputError as error:
                self._notes.refuse((*path, key), str(error))
        return self._notes.born(EligibilityGroup, path, given) if len(given) == 2 else None

    def _schedule(self, values: Values) -> Schedule | None:
        self._notes.check_names(values, ("schedule",), (*MOMENTS, "grace"))
        given: dict[str, Any] = {"written": {}}
        is_sound = True
        for key, value in values.items():
            try:
                if key in MOMENTS:
                    given[key] = _moment(value)
                    given["written"][key] = value.isoformat(" ", "auto")
                elif key == "grace":
                    given[key] = of_kind(value, int, "a whole number of seconds")
            except InputError as error:
                self._notes.refuse(("schedule", key), str(error))
                is_sound = False
        return self._notes.born(Schedule, ("schedule",), given) if is_sound else None


def _sound(part: T | None) -> T:
    """A part of regulations in which nothing is wrong."""
    assert part is not None
    return part


def _moment(value: object) -> Moment:
    """The moment of a date-time.

    Raises:
        InputError: it is none, or does not say in which time zone.
    """
    right = "a date and a time with its offset from UTC, such as 2026-12-01T08:00:00+01:00"
    if isinstance(value, str):
        raise InputError(f"must be {right}, without quotes")
    if not isinstance(value, _DateTime):
        is_readable = hasattr(value, "isoformat")  # a date or a time alone, as it is written
        raise InputError(f"must be {right}, not {value if is_readable else quoted(value)}")
    if value.tzinfo is None:
        raise InputError(f"{value} does not say in which time zone; must be {right}")
    return Moment(round(value.timestamp() * 1000))
