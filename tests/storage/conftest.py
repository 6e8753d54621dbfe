"""The store that the tests of this folder work with, once on SQLite and once on PostgreSQL."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.storage.facts import Moment
from arena.storage.store import Store, open_store
from tests.storage.cluster import Cluster, running_cluster


class FakeClock:
    """A clock that stands still until it is told."""

    def __init__(self, now: int = 1_700_000_000_000) -> None:
        self.now = now

    def __call__(self) -> Moment:
        return Moment(self.now)

    def advance(self, milliseconds: int) -> None:
        self.now += milliseconds


OpenStore = Callable[[], Store]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL server; tests that need one are skipped, visibly, where none is installed."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a database that is empty: for `open_store`, empty for SQLite."""
    if request.param == "sqlite":
        yield ""
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    with cluster.fresh() as address:
        yield address


@pytest.fixture
def reopen(url: str, clock: FakeClock, tmp_path: Path) -> Iterator[OpenStore]:
    """Opens the same store again, after it was closed; what is left open is closed in the end."""
    with contextlib.ExitStack() as stores:
        yield lambda: stores.enter_context(open_store(tmp_path / "data", clock, url=url))


@pytest.fixture
def store(reopen: OpenStore) -> Store:
    """A store with nothing in it."""
    return reopen()
