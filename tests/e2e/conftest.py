"""A house for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.house import House, built


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Where nothing is left when the test is over."""
    with built(tmp_path) as house:
        yield house
