"""Stages and scoring as the file of regulations has them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from arena.errors import InputError, quoted
from arena.formats.scoring import Points, Scoring, TieBreak
from arena.submissions.tomlplaces import Path, near, taken, taken_as, unknown
from arena.tournament.competition.regulationsnotes import Notebook, Values
from arena.tournament.competition.stages import (
    COMMON_KEYS,
    OPTIONS,
    StageKind,
    StageRules,
    foreign,
    usual_scoring,
)

__all__ = ["StageReader"]

_SCORING: Final = ("points", "tie_breaks", "annul")


class StageReader:
    """Reads stages, and notes what is wrong in them."""

    def __init__(self, notes: Notebook) -> None:
        self._notes = notes

    def stage(self, path: Path, values: Values, base: Scoring) -> StageRules | None:
        kind = self._kind(path, values)
        if kind is None:
            every = {key for keys in OPTIONS.values() for key in keys}
            self._notes.check_names(values, path, (*COMMON_KEYS, *sorted(every)))
            return None
        before = len(self._notes.mistakes)
        scoring = self._stage_scoring(kind, path, values, base)
        given: dict[str, Any] = {"kind": kind, "scoring": scoring}
        defaults = {one.name: one for one in fields(StageRules)}
        own = (*COMMON_KEYS, *OPTIONS[kind])
        for key, value in values.items():
            if key == "format" or key in _SCORING:
                continue
            if key not in own:
                is_known = key in defaults and key not in ("kind", "scoring")
                self._notes.refuse(
                    (*path, key), foreign(key, kind) if is_known else unknown(key, own)
                )
                continue
            try:
                given[key] = taken(defaults[key], value)
            except InputError as error:
                self._notes.refuse((*path, key), str(error))
        if len(self._notes.mistakes) > before:
            self._notes.tried(StageRules, path, given)
            return None
        return self._notes.born(StageRules, path, given)

    def _kind(self, path: Path, values: Values) -> StageKind | None:
        value = values.get("format")
        formats = ", ".join(StageKind)
        if value is None:
            self._notes.refuse(path, f"has no format; give it one of {formats}")
        elif not isinstance(value, str):
            self._notes.refuse((*path, "format"), f"must be one of {formats}, in quotes")
        elif value not in list(StageKind):
            hint = near(value, StageKind)
            self._notes.refuse((*path, "format"), f"there is no format {quoted(value)}{hint}")
        else:
            return StageKind(value)
        return None

    def _stage_scoring(self, kind: StageKind, path: Path, values: Values, base: Scoring) -> Scoring:
        given = {key: value for key, value in values.items() if key in _SCORING}
        if kind.is_elimination:
            for key in given:
                self._notes.refuse(
                    (*path, key), f"{kind} has no points and no ties: who loses a duel is out"
                )
            return base
        return self.scoring(given, path, base) if given else base

    def scoring(self, values: Values, path: Path, base: Scoring) -> Scoring:
        """What counts; `base`, where it does not say."""
        if path == ("scoring",):
            self._notes.check_names(values, path, _SCORING)
        points, breaks, annul = base.points, base.breaks, base.annul
        try:
            if "points" in values:
                points = taken_as(Points.MATCH, values["points"])
                breaks = usual_scoring(points).breaks if points is not base.points else breaks
        except InputError as error:
            self._notes.refuse((*path, "points"), str(error))
        try:
            annul = taken_as(annul, values.get("annul", annul))
        except InputError as error:
            self._notes.refuse((*path, "annul"), str(error))
        where = (*path, "tie_breaks")
        if "tie_breaks" in values:
            breaks = self._tie_breaks(values["tie_breaks"], where)
        try:
            return Scoring(points=points, breaks=breaks, annul=annul)
        except InputError as error:
            self._notes.refuse(where, str(error).removeprefix("tie_breaks: "))
        return base

    def _tie_breaks(self, value: object, where: Path) -> tuple[TieBreak, ...]:
        found: list[TieBreak] = []
        try:
            names = taken_as((), value)
        except InputError as error:
            self._notes.refuse(where, str(error))
            return ()
        for number, name in enumerate(names):
            if name in list(TieBreak):
                found.append(TieBreak(name))
            else:
                problem = f"there is no tie-break {quoted(name)}{near(name, TieBreak)}"
                self._notes.refuse((*where, number), problem)
        return tuple(found)
