"""How many matches are played at once, by cores and memory."""

from __future__ import annotations

import os

import pytest

from arena.app.places import crowded, matches_at_once
from arena.sandbox.policy import GIB
from arena.settings import Settings
from arena.settings.values import MatchSettings, SandboxSettings, TableSettings
from arena.tournament.matches import Sandbox

SIX = Settings(tables=(TableSettings(name="six", players=6),))


@pytest.fixture(autouse=True)
def cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))


@pytest.mark.parametrize(
    ("settings", "gigabytes", "places"),
    [
        (Settings(), 64, 8),
        (Settings(), 8, 4),  # (8 - 1) GiB for matches of 1.25 GiB, one of them made ready
        (SIX, 8, 1),
        (SIX, 2, 1),
        (Settings(sandbox=SandboxSettings(kind=Sandbox.PROCESS)), 2, 8),
        (Settings(matches=MatchSettings(at_once=3)), 2, 3),
    ],
)
def test_there_is_room_for_all_that_bots_may_take(
    settings: Settings, gigabytes: int, places: int
) -> None:
    assert matches_at_once(settings, memory=gigabytes * GIB) == places


def test_who_plays_more_than_there_are_cores_is_told_so() -> None:
    assert crowded(Settings(matches=MatchSettings(at_once=8))) == ""
    assert "at_once is 9, and this machine has 8 cores" in crowded(
        Settings(matches=MatchSettings(at_once=9))
    )
