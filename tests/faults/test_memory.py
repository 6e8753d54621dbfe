"""A machine that has no memory left (H18): bots have to go, and the server is the last.

The machine is a memory control group of its own with a server and all that it starts, whose limit
is set to little more than they have when a bot begins to take all it can get.
"""

from __future__ import annotations

import contextlib
import os
import signal
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.storage.facts import MatchState
from tests.faults.bots import written_bot
from tests.faults.invariants import look
from tests.faults.site import Site, building, until

pytestmark = pytest.mark.slow

GROUPS = Path("/sys/fs/cgroup")
ROOM = 64 << 20
"""Bytes beyond what is used already: less than the server itself has."""

EATER = '''\
"""Takes memory without end, once somebody has said so."""

from pathlib import Path

from tests.hostile import wire

seat = wire.Seat()
for prompt in seat.prompts():
    taken = []
    while Path({sign!r}).exists():
        taken.append(bytes([7]) * (4 << 20))
    seat.answer(prompt)
'''


@dataclass(frozen=True)
class Group:
    """A memory control group, of version 1 or 2."""

    folder: Path
    is_first: bool

    def take(self, pid: int) -> None:
        """Have a process in it, and whatever that starts from now on."""
        (self.folder / "cgroup.procs").write_text(str(pid))

    def used(self) -> int:
        """Bytes that nobody could take away; files that are only remembered are not among them."""
        name = "total_rss" if self.is_first else "anon"
        return self._count("memory.stat", name)

    def limit(self, most: int) -> None:
        """Set how much there may be, and no swap beyond it."""
        (self.folder / self._name("memory.limit_in_bytes", "memory.max")).write_text(str(most))
        swap = self.folder / self._name("memory.memsw.limit_in_bytes", "memory.swap.max")
        if swap.exists():
            swap.write_text(str(most if self.is_first else 0))

    def ended(self) -> int:
        """How many processes the kernel has ended because there was no memory left."""
        return self._count(self._name("memory.oom_control", "memory.events"), "oom_kill")

    def _name(self, first: str, second: str) -> str:
        return first if self.is_first else second

    def _count(self, file: str, name: str) -> int:
        lines = (self.folder / file).read_text().splitlines()
        return int(dict(line.split() for line in lines)[name])


@contextlib.contextmanager
def memory_group() -> Iterator[Group]:
    """A control group of its own; skips the test, saying why, where none can be made."""
    is_first = (GROUPS / "memory").is_dir()
    folder = (GROUPS / "memory" if is_first else GROUPS) / f"arena-test-{uuid.uuid4().hex[:12]}"
    try:
        folder.mkdir()
    except OSError as error:
        pytest.skip(f"no memory control group can be made here: {error}")
    try:
        if not (folder / "memory.stat").exists():
            pytest.skip("the control groups of this machine do not limit memory")
        yield Group(folder, is_first)
    finally:
        until(lambda: not (folder / "cgroup.procs").read_text(), lambda: "processes are left in it")
        folder.rmdir()


def test_bots_go_first_and_the_server_stays() -> None:
    with memory_group() as group, building() as site:
        sign = site.root / "eat"
        site.settle(hostile=False)
        with site.open() as store:
            store.owners.create("eve")
            site.enter(store, "eve", written_bot(site.bots, "eater", EATER.format(sign=str(sign))))
        server = site.start()
        group.take(server.process.pid)
        site.first_answer(server)
        used = [group.used()]

        def is_warm() -> bool:
            used.append(group.used())
            return done(site) >= 5

        until(is_warm, lambda: "no match is over")
        group.limit(max(used) + ROOM)
        sizes = {pid: resident(pid) for pid in server.processes()}
        # A process that was begun this very moment is as large as the one that it comes from.
        assert sizes[server.process.pid] == max(sizes.values()) > ROOM
        sign.touch()
        until(lambda: group.ended() >= 3 or server.process.poll(), lambda: "nobody had to go")
        sign.unlink()
        over = done(site)
        until(lambda: done(site) >= over + 3, lambda: "no match is over any more")

        assert server.process.poll() is None
        assert server.told("attempt failed") == []
        with site.client() as client:
            ended = [one for one in client.matches(title="eve/eater") if one.result]
        assert server.kill(signal.SIGTERM) == 0
        until(lambda: not site.alive(), lambda: str(site.left()))
        assert "FORFEIT" in {one.result.verdict for one in ended if one.result}
        assert look(site).wrong == ()


def done(site: Site) -> int:
    """How many matches are over, as everybody is told."""
    with site.client() as client:
        return sum(1 for _ in client.matches(state=MatchState.DONE))


def resident(pid: int) -> int:
    """Bytes of a process that are in memory; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0
