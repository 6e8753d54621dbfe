"""A ladder on a real PostgreSQL server, either of which is killed and started again (H1, H14)."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

import pytest

from arena.errors import ArenaError
from arena.storage.facts import MatchState
from tests.faults.invariants import look
from tests.faults.killrun import kill_run
from tests.faults.site import Server, Site, building, until
from tests.storage.cluster import Cluster, running_cluster

pytestmark = pytest.mark.slow

SEED = 20_261_201


@pytest.fixture(name="cluster", scope="module")
def a_server_of_our_own() -> Iterator[Cluster]:
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture
def site(cluster: Cluster) -> Iterator[Site]:
    with cluster.fresh() as url, building(url=url) as site:
        yield site


def done(site: Site) -> int:
    """How many matches are over, as everybody is told; 0 if nobody answers."""
    with contextlib.suppress(ArenaError), site.client() as client:
        return sum(1 for _ in client.matches(state=MatchState.DONE))
    return 0


def goes_on(site: Site, server: Server) -> None:
    """Wait until two more matches are over."""
    until(lambda: done(site) > 0, lambda: server.errors.read_text()[-2000:])
    before = done(site)
    until(lambda: done(site) >= before + 2, lambda: server.errors.read_text()[-2000:])


def test_a_server_killed_at_random_moments_loses_and_doubles_nothing(site: Site) -> None:
    facts = kill_run(site, 6, SEED).facts()
    assert facts["wrong"] == [], facts
    assert facts["kills"] == 6
    assert facts["results"] > 0, facts


@pytest.mark.parametrize("how", ["immediate", "fast", "sessions are cut"])
def test_a_database_that_goes_away_while_matches_are_played(
    site: Site, cluster: Cluster, how: str
) -> None:
    site.settle()
    server = site.start()
    site.first_answer(server)
    for _ in range(3):
        goes_on(site, server)
        if how == "sessions are cut":
            cluster.cut_all()
            continue
        cluster.stop(how)
        try:
            with site.client() as client, pytest.raises(ArenaError) as refused:
                client.ladder()
            assert "\n" not in str(refused.value)
        finally:
            cluster.start()
    goes_on(site, server)
    assert server.process.poll() is None
    assert server.kill(signal.SIGTERM) == 0
    until(lambda: not site.alive(), lambda: str(site.left()))
    found = look(site)
    assert found.wrong == ()
    assert found.checked.results >= 8
