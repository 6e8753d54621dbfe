"""The Docker engine of this machine, where there is one."""

from __future__ import annotations

import contextlib
import gc
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.errors import HostFault
from arena.sandbox.engine import connect

if TYPE_CHECKING:
    from docker import APIClient


@pytest.fixture
def docker_engine() -> Iterator[APIClient]:
    """The engine; the test is skipped, saying why, where none answers."""
    why_not = None
    with warnings.catch_warnings():
        # The package docker leaves a socket open that found nobody.
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            engine = connect()
        except HostFault as fault:
            why_not = str(fault)
        gc.collect()
    if why_not is not None:
        pytest.skip(f"no Docker engine: {why_not}")
    with contextlib.closing(engine):
        yield engine


@pytest.fixture
def own_state(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for locks and slots of this test alone: its containers can be told from others'."""
    with tempfile.TemporaryDirectory(prefix="as-") as folder:  # short: it is in a socket's path
        monkeypatch.setenv("ARENA_STATE", folder)
        yield Path(folder)
