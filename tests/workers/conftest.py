"""What the tests of the pool share."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.workers.pool import MatchPool
from tests.workers.watching import children, descriptors


@pytest.fixture
def pool() -> Iterator[MatchPool]:
    """A pool of two whose tasks get no time to clean up; nothing of it is left afterwards."""
    before = children(), descriptors(), threading.active_count()
    with MatchPool(2, grace=0.05, preload=["tests.workers.jobs"]) as pool:
        yield pool
        pool.stop()
    assert (children(), descriptors(), threading.active_count()) == before


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    path = tmp_path / "gate"
    os.mkfifo(path)
    return path
