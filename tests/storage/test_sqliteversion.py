"""Which releases of SQLite may lose commits of two writers."""

from __future__ import annotations

import sqlite3

import pytest

from arena.storage.sqliteversion import is_wal_reset_mended, wal_reset_advice


@pytest.mark.parametrize(
    ("version", "is_mended"),
    [
        ((3, 40, 1), False),
        ((3, 44, 5), False),
        ((3, 44, 6), True),
        ((3, 45, 0), False),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 52, 0), True),
        ((4, 0, 0), True),
    ],
)
def test_releases_with_the_fix(version: tuple[int, ...], is_mended: bool) -> None:
    assert is_wal_reset_mended(version) is is_mended


def test_the_advice_is_about_the_release_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.40.1")
    assert wal_reset_advice().startswith("SQLite 3.40.1 can lose commits")
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 3))
    assert wal_reset_advice() == ""
