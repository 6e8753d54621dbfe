"""What readers of regulations share: a notebook of mistakes, and parts made of what was given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Final, TypeVar

from arena.errors import InputError
from arena.submissions.tomlplaces import Path, Places, near, taken
from arena.tournament.competition.regulationserrors import Mistake, RegulationsError

__all__ = ["Notebook", "Values"]

T = TypeVar("T")
Values = Mapping[str, Any]

_MOST: Final = 100  # mistakes that are told


class Notebook:
    """Notes all that is wrong in a text, each with its line."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self.mistakes: list[Mistake] = []

    def told(self) -> Sequence[Mistake]:
        """The mistakes as they are told: not more than somebody reads, one for each place."""
        first: dict[tuple[Path, int], Mistake] = {}
        for one in self.mistakes:
            first.setdefault((one.path, one.line), one)
        return sorted(first.values(), key=lambda one: one.line)[:_MOST]

    def refuse(self, path: Path, problem: str) -> None:
        self.note([Mistake(path, problem)])

    def note(self, mistakes: Iterable[Mistake], under: Path = ()) -> None:
        for one in mistakes:
            path = (*under, *one.path)
            self.mistakes.append(replace(one, path=path, line=self._places.line(path)))

    def check_names(self, values: Values, path: Path, known: Sequence[str]) -> None:
        for key in values:
            if key not in known:
                what = "unknown key" if path else "unknown section or key"
                self.refuse((*path, key), f"{what}{near(key, known)}")

    def made(
        self,
        kind: Callable[..., T],
        path: Path,
        values: Values,
        renamed: Mapping[str, str] | None = None,
    ) -> T | None:
        """A part; None: something in it is wrong, and noted.

        `renamed` has the names of fields of keys that are called otherwise.
        """
        renamed = renamed or {}
        keys = {value: key for key, value in renamed.items()}
        known = {keys.get(one.name, one.name): one for one in fields(kind)}  # type: ignore[arg-type]
        self.check_names(values, path, list(known))
        given: dict[str, Any] = {}
        is_sound = True
        for key, value in values.items():
            if key not in known:
                continue
            try:
                given[renamed.get(key, key)] = taken(known[key], value)
            except InputError as error:
                self.refuse((*path, key), str(error))
                is_sound = False
        if is_sound:
            return self.born(kind, path, given)
        self.tried(kind, path, given)
        return None

    def born(self, kind: Callable[..., T], path: Path, given: Values) -> T | None:
        try:
            return kind(**given)
        except RegulationsError as error:
            self.note(error.mistakes, path)
        return None

    def tried(self, kind: Callable[..., T], path: Path, given: Values) -> None:
        """Note what else is wrong in a part of which something was left out."""
        known = {one.path for one in self.mistakes}
        try:
            kind(**given)
        except RegulationsError as error:
            # What is wrong only because something is missing stands at no key that was given.
            self.note(
                (
                    one
                    for one in error.mistakes
                    if one.path and one.path[0] in given and (*path, *one.path) not in known
                ),
                path,
            )
