"""A house to play in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tournament.ladder.house import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    try:
        yield house
    finally:
        house.close()
