"""A server whose bots play in containers: orphans, and an engine that goes away (H8, H9, H10)."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.cli.demoserver import why_no_docker
from arena.sandbox.containers import LABEL
from arena.sandbox.engine import connect
from arena.storage.facts import AttemptState
from arena.tournament.matches import Sandbox
from tests.faults.invariants import look
from tests.faults.site import Site, building, until
from tests.faults.test_server import done, ended
from tests.hostile.proxy import proxy

if WHY_NOT := why_no_docker():
    pytest.skip(f"no container is lost here: {WHY_NOT}", allow_module_level=True)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture
def site() -> Iterator[Site]:
    with building(sandbox=Sandbox.DOCKER, turn=60) as site:
        site.settle(hostile=False)
        yield site
        assert containers(lives(site)) == []


def lives(site: Site) -> set[str]:
    """Those that are, and those that have been and left something."""
    return {one.name for one in site.state.glob("lives/*")}


def containers(wanted: set[str]) -> list[dict[str, Any]]:
    """The containers of these lives, also those that stand still."""
    with contextlib.closing(connect()) as engine:
        found = engine.containers(all=True, filters={"label": LABEL})
    return [one for one in found if one["Labels"][LABEL] in wanted]


@pytest.mark.parametrize("while_", ["examining", "playing"])
def test_containers_of_a_killed_server_are_gone_soon_after_the_next_start(
    site: Site, while_: str
) -> None:
    server = site.start()
    if while_ == "playing":
        site.first_answer(server)
    until(lambda: containers(lives(site)), lambda: server.errors.read_text()[-2000:])
    # Whoever tidies up for a killed server is killed as well.
    orphans = lives(site)
    server.kill_all()
    assert containers(orphans) != []
    server = site.start()
    site.first_answer(server)
    until(lambda: containers(orphans) == [])
    ended(site, server)
    assert look(site).wrong == ()


def test_without_its_engine_a_server_blames_nobody_and_recovers_by_itself(site: Site) -> None:
    with tempfile.TemporaryDirectory(prefix="p-") as folder:
        path = Path(folder, "e.sock")
        with proxy(path):
            server = site.start(DOCKER_HOST=f"unix://{path}")
            site.first_answer(server)
            until(lambda: containers(lives(site)), lambda: server.errors.read_text()[-2000:])
        # The engine has hung up in the middle of a match, and nobody answers any more.
        path.unlink(missing_ok=True)
        until(lambda: server.told("attempt failed") or server.told("report sent"))
        with site.client() as client:
            client.ladder()
        before = done(site)
        with proxy(path):
            until(lambda: done(site) > before, lambda: server.errors.read_text()[-3000:])
            ended(site, server)
    assert look(site).wrong == ()
    with site.open() as store:
        for match in store.matches.list().items:
            states = {one.state for one in match.attempts}
            assert states <= {AttemptState.DONE, AttemptState.VOID}, match
            assert match.result is None or match.result.verdict == "COMPLETED", match
