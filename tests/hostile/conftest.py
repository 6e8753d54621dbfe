"""What the tests of the corpus share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hostile.playing import Court, court


@pytest.fixture(scope="session")
def the_court() -> Iterator[Court]:
    """One for all: what is quiet here is measured once."""
    with court() as one:
        yield one
