"""`arena demo`: a ladder with a real server, in a minute, and nothing left of it."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

ARENA = Path(sys.executable).with_name("arena")
MARK = "ARENA_TEST_MARK"

pytestmark = pytest.mark.slow


class Demo:
    """Demos in a folder of their own, whose processes carry a mark."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark = uuid.uuid4().hex

    def start(self, *options: str) -> subprocess.Popen[str]:
        (self.folder / "state").mkdir(mode=0o700, exist_ok=True)
        return subprocess.Popen(
            [ARENA, "demo", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={
                "PATH": "/usr/bin:/bin",
                "TMPDIR": str(self.folder),
                "ARENA_STATE": str(self.folder / "state"),
                "COLUMNS": "100",
                MARK: self.mark,
            },
        )

    def left(self) -> list[str]:
        """Processes and files that are left, but for the folder of locks."""
        line = f"{MARK}={self.mark}".encode()
        found = [one.name for one in self.folder.iterdir() if one.name != "state"]
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if line in (process / "environ").read_bytes().split(b"\0"):
                    found.append((process / "cmdline").read_text())
            except OSError:
                continue
        slots = self.folder / "state" / "slots"
        return found + ([str(one) for one in slots.iterdir()] if slots.is_dir() else [])


@pytest.fixture(name="demo")
def in_short_folder() -> Iterator[Demo]:
    """In a folder whose path leaves room for a socket's."""
    with tempfile.TemporaryDirectory(prefix="demo-") as name:
        yield Demo(Path(name))


def test_demo_runs_a_ladder_and_explains_a_rating(demo: Demo) -> None:
    with demo.start("--no-docker", "--seconds", "10") as process:
        out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    for owner, bot in (
        ("ann", "keeper"),
        ("ben", "cautious"),
        ("cleo", "racer"),
        ("dan", "random"),
    ):
        assert f"{owner}/{bot} version 1 accepted" in out
    assert "bots run as plain processes, which is for your own bots only" in out
    table = out.rpartition("rated matches")[2]
    assert "worth" in table
    assert "its mean moves by" in table
    assert "What next" in out
    assert demo.left() == []


def test_ctrl_c_ends_the_server_as_well(demo: Demo) -> None:
    with demo.start("--no-docker", "--seconds", "600") as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "four authors" in line:
                break
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert err.splitlines()[-1] == "arena: interrupted"
    assert demo.left() == []


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.04, 0.06, 0.1, 0.2, 0.5])
def test_ctrl_c_while_the_server_is_being_started_leaves_none(demo: Demo, delay: float) -> None:
    with demo.start("--no-docker", "--seconds", "600") as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "a server starts" in line:
                break
        # Any moment will do, and a bad one is rare: these are spread over the birth of the server.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(delay)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert err.splitlines()[-1] == "arena: interrupted"
    assert demo.left() == []
