"""The example bots in other languages, built and played as a server does it: in containers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.errors import HostFault
from arena.sandbox.images import resolve
from arena.submissions.manifest import example_bots, read_manifest
from tests.languages.conftest import arena, foreign
from tests.sandbox.conftest import docker_engine, own_state

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["docker_engine", "own_state"]

pytestmark = pytest.mark.slow


def require_image(engine: APIClient, name: str) -> None:
    """Skip the test where the image of a bot's language was not built."""
    bot = read_manifest(example_bots()[name])
    language = bot.image or bot.language
    try:
        resolve(engine, language)
    except HostFault as error:
        pytest.skip(f"{language}: {error}")


# One of each image: what differs between two bots of a language is not what a server looks at.
ONE_EACH = [name for name in foreign() if name.endswith("_random") and "javascript" not in name]


@pytest.mark.parametrize("name", [*ONE_EACH, "lua_racer"])
def test_a_server_accepts_it(name: str, docker_engine: APIClient, own_state: Path) -> None:
    require_image(docker_engine, name)
    found = arena("try", str(example_bots()[name]))
    assert found["accepted"] is True, found


def test_one_of_each_language_in_one_league(docker_engine: APIClient, own_state: Path) -> None:
    names = [name for name in foreign() if name.endswith(("_keeper", "_racer"))]
    for name in names:
        require_image(docker_engine, name)
    found = arena("league", *names, "--sandbox=docker", "--boards=1", "--hands=1", "--seed=7")
    assert {one["name"] for one in found["bots"]} >= {*names}
