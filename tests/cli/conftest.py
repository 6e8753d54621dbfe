"""A room for commands that are called in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.matchroom import Room


@pytest.fixture
def room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Room:
    """The present folder, and `arena` in it."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return Room(tmp_path, capsys)
