"""A real server that is killed, told to end and starved: promises hold (H1, H19, H20)."""

from __future__ import annotations

import contextlib
import hashlib
import random
import resource
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.storage import failpoints
from arena.storage.facts import AttemptState, MatchState
from arena.submissions.limits import ArchiveLimits
from arena.submissions.packing import pack_folder
from tests.faults.bots import honest_bot
from tests.faults.invariants import Acknowledged, look
from tests.faults.killrun import kill_run
from tests.faults.site import Server, Site, building, until

pytestmark = pytest.mark.slow

SEED = 20_261_130
REQUEST = "0123456789abcdef"


@pytest.fixture
def site() -> Iterator[Site]:
    with building() as site:
        yield site


def done(site: Site) -> int:
    """How many matches are over, as everybody is told."""
    with contextlib.suppress(ArenaError), site.client() as client:
        return sum(1 for one in client.matches() if one.state is MatchState.DONE)
    return 0


def ended(site: Site, server: Server) -> None:
    """End a server, and see to it that nothing of it is left."""
    assert server.kill(signal.SIGTERM) == 0
    until(lambda: not site.alive(), lambda: str(site.left()), seconds=30)


def test_killed_at_random_moments_nothing_is_lost_or_doubled(site: Site) -> None:
    told = kill_run(site, 12, SEED)
    facts = told.facts()
    assert facts["wrong"] == [], facts
    assert facts["kills"] == 12
    assert facts["results"] > 0, facts


def test_killed_in_the_middle_of_an_upload_nothing_of_it_is_left(site: Site) -> None:
    site.settle(hostile=False)
    folder = honest_bot(site.bots, "late")
    (folder / "bytes").write_bytes(random.Random(SEED).randbytes(200_000))  # of several chunks
    content = pack_folder(folder, ArchiveLimits()).content
    archive = folder.with_suffix(".zip")
    archive.write_bytes(content)
    killed = site.start(**{failpoints.VARIABLE: failpoints.DURING_UPLOAD + ":2"})
    site.first_answer(killed)
    with pytest.raises(ArenaError), site.client("ann") as client:
        client.upload_version(archive, request=REQUEST)
    assert killed.process.wait(30) == -signal.SIGKILL
    incoming = site.data / "archives" / ".incoming"
    assert len(list(incoming.iterdir())) == 1

    server = site.start()
    site.first_answer(server)
    assert list(incoming.iterdir()) == []
    with site.client("ann") as client:
        first = client.upload_version(archive, request=REQUEST)
        again = client.upload_version(archive, request=REQUEST)
    assert again.number == first.number
    ended(site, server)
    kept = Acknowledged(first.number, "ann", REQUEST, hashlib.sha256(content).hexdigest())
    assert look(site, [kept]).wrong == ()


def test_told_to_end_at_random_moments_it_hands_back_what_it_has_begun(site: Site) -> None:
    chance = random.Random(SEED)
    site.settle()
    for how in ("once", "twice", "once", "twice"):
        server = site.start()
        site.first_answer(server)
        time.sleep(chance.uniform(0, 6))  # the moment is what is tried, not waited for
        server.process.send_signal(signal.SIGTERM)
        if how == "twice":
            server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(60) == 0, (SEED, how, server.errors.read_text()[-2000:])
        until(lambda: not site.alive(), lambda: str(site.left()), seconds=30)
        assert look(site).wrong == (), (SEED, how)
    with site.open() as store:
        for match in store.matches.list().items:
            states = {one.state for one in match.attempts}
            assert states <= {AttemptState.DONE, AttemptState.VOID}, match
            whys = {one.why for one in match.attempts if one.state is AttemptState.VOID}
            assert whys <= {"the server was shut down while it was played"}, (SEED, whys)


def test_without_file_descriptors_it_begins_nothing_and_recovers_by_itself(site: Site) -> None:
    site.settle(hostile=False)
    server = site.start()
    site.first_answer(server)
    until(lambda: done(site) >= 1)
    pid = server.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    held = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    with site.client("ann") as client:
        client.who_am_i()
        # Whoever is connected already needs none; whoever begins a match needs several. What a
        # match has held until now must not do for the next one.
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (held // 2, before[1]))
        until(lambda: server.told("attempt failed") or server.told("trouble"))
        client.who_am_i()
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
    assert server.process.poll() is None
    reached = done(site)
    until(lambda: done(site) > reached, lambda: server.errors.read_text()[-3000:])
    assert not server.told("mistake"), server.told("mistake")
    ended(site, server)
    assert look(site).wrong == ()
