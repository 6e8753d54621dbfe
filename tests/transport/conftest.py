"""A ladder's server for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.transport.ladderserver import LadderServer, made, running


@pytest.fixture
def ladder(tmp_path: Path) -> Iterator[LadderServer]:
    """One that serves."""
    with made(tmp_path) as server, running(server):
        yield server


@pytest.fixture(scope="module")
def shared_ladder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LadderServer]:
    """One that serves, for tests that only look."""
    with made(tmp_path_factory.mktemp("ladder")) as server, running(server):
        yield server
