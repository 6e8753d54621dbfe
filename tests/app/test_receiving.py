"""Who may enter a ladder, and what a bot is validated at there."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.app.receiving import Entry
from arena.errors import SubmissionError
from arena.settings import Settings
from arena.settings.values import QuotaSettings, TableSettings
from arena.submissions.bottoml import Manifest
from arena.tournament.validation import tables


class Entrants:
    """As many of the storage's as are asked for."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def find(self, owner: str, name: str) -> object | None:
        return name if name in self._names else None

    def list(self, owner: str, most: int) -> Any:
        return SimpleNamespace(items=self._names[:most])


def bot(name: str = "hasty", **more: Any) -> Manifest:
    return Manifest(
        name=name, version="1", language="python", run=("python", "x.py"), folder=Path(), **more
    )


def entry(*has: str, **settings: Any) -> Entry:
    store: Any = SimpleNamespace(entrants=Entrants(*has))
    return Entry(Settings(**settings), store)


def test_a_bot_is_validated_at_the_tables_that_are_played() -> None:
    played = (TableSettings(), TableSettings(name="express-3", ruleset="express", players=3))
    settings = Settings(tables=played)
    names = [one.name for one in tables(bot(), settings.plays)]
    assert names == [
        "classic, 2 players",
        "classic, 2 players, against itself",
        "express, 3 players",
        "express, 3 players, against itself",
    ]


def test_a_bot_for_other_tables_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(SubmissionError, match="none of this ladder's tables: classic with 2 play"):
        entry().admit("ada", bot(rulesets=("express",)))


def test_one_bot_more_than_allowed_is_refused_and_a_new_version_is_not() -> None:
    ladder = entry("one", "two", quota=QuotaSettings(entrants=2))
    ladder.admit("ada", bot("two"))
    with pytest.raises(SubmissionError, match=r"'three': would be one more bot than the 2"):
        ladder.admit("ada", bot("three"))
    entry("one", quota=QuotaSettings(entrants=2)).admit("ada", bot("three"))
