"""A ladder's server for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.transport.ladderserver import LadderServer, Template, made, make_template, running


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """What is copied for each of them."""
    return make_template(tmp_path_factory.mktemp("template"))


@pytest.fixture
def ladder(tmp_path: Path, template: Template) -> Iterator[LadderServer]:
    """One that serves."""
    with made(tmp_path, template) as server, running(server):
        yield server


@pytest.fixture(scope="module")
def shared_ladder(
    tmp_path_factory: pytest.TempPathFactory, template: Template
) -> Iterator[LadderServer]:
    """One that serves, for tests that only look."""
    with made(tmp_path_factory.mktemp("ladder"), template) as server, running(server):
        yield server
