"""A full disk and a locked database under a whole ladder: it waits and goes on (H11, H12)."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import HostFault
from arena.storage.check import check_data
from arena.storage.facts import MatchState
from arena.storage.folder import free_space
from tests.faults.deeds import Deeds
from tests.faults.invariants import broken
from tests.storage.mounts import small_disk
from tests.tournament.ladder.playing import Grounds


def fill(path: Path) -> None:
    """Take all the room that a disk has."""
    with contextlib.suppress(OSError), path.open("wb", buffering=0) as file:
        while file.write(bytes(1 << 16)):
            pass
    with contextlib.suppress(OSError), path.open("ab", buffering=0) as file:
        while file.write(b"x"):
            pass


@pytest.fixture
def deeds(tmp_path: Path) -> Iterator[Deeds]:
    """A ladder on a small disk, with two bots; its office is on another one."""
    with small_disk(tmp_path / "disk") as disk:
        (disk / "office").symlink_to(tmp_path)
        deeds = Deeds(disk)
        deeds.take_in()
        yield deeds
        deeds.close()
        checked = check_data(disk / "data")
        assert checked.violations == ()
        assert deeds.spool.all() == ()


def test_a_disk_that_fills_up_holds_everything_up_and_loses_nothing(
    deeds: Deeds, tmp_path: Path
) -> None:
    ballast = tmp_path / "disk" / "ballast"
    first, second = deeds.queue(2)
    deeds.steps()
    played, cut = deeds.crew.open
    # The report is on the disk, the rest is not: the database, the records, a spool, an upload.
    deeds.crew.write(played)
    fill(ballast)
    assert free_space(tmp_path / "disk") < 1 << 12
    deeds.crew.lose(played)  # its process ends now
    with pytest.raises(HostFault, match="No space left"):
        deeds.crew.write(cut)
    with pytest.raises(HostFault, match="No space left"):
        deeds.archives.add([os.urandom(1 << 20)])
    deeds.wait(120)
    assert deeds.match(first).state is MatchState.LEASED
    assert deeds.spool.whole() == ((first, 1),)
    assert "trouble" in deeds.alerts
    ballast.unlink()
    deeds.crew.lose(cut)
    deeds.wait(60)
    assert deeds.match(first).state is MatchState.DONE
    assert len(deeds.match(first).attempts) == 1
    assert deeds.crew.job.key[0] == second
    deeds.crew.finish()
    deeds.steps()
    assert deeds.match(second).state is MatchState.DONE
    assert len(deeds.archives.add([b"an upload"])) == 64


def test_uploads_wait_on_a_full_disk_and_are_taken_in_afterwards(
    deeds: Deeds, tmp_path: Path
) -> None:
    content = deeds.pack("2", build=True)
    digest = deeds.archives.add([content])
    upload = deeds.uploads.add("ada", "the second", digest, len(content))
    ballast = tmp_path / "disk" / "ballast"
    fill(ballast)
    for _ in range(5):
        deeds.reception.step()
        deeds.hours.wait(60)
    ballast.unlink()
    deeds.hours.wait(60)
    while deeds.reception.step():
        deeds.hours.wait(60)
    found = deeds.uploads.find(upload.number)
    assert found is not None
    assert found.version is not None, (found, deeds.told)


HOLD = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def locked(data: Path) -> Iterator[None]:
    """Another process holds the lock to write as long as this lasts."""
    command = [sys.executable, "-c", HOLD, str(data / "arena.sqlite")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as other:  # type: ignore[call-overload]
        assert other.stdout.readline() == "locked\n"
        yield
        other.stdin.close()


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [3, 30])
def test_a_locked_database_holds_matches_up_and_costs_none(tmp_path: Path, seconds: int) -> None:
    data = tmp_path / "data"
    grounds = Grounds(data)
    grounds.queue(2)
    with contextlib.closing(grounds), grounds.directed():
        with locked(data):
            threading.Event().wait(seconds)  # how long it is locked is what is tried
        while any(one.state is not MatchState.DONE for one in grounds.book.list().items):
            assert grounds.judge.heard.wait(120)
            grounds.judge.heard.clear()
    told = [facts for event, facts in grounds.told if event in ("trouble", "mistake")]
    assert told == []
    assert broken(data) == []
