"""Where the tests of the whole play: `arena` as a process, and what it may not leave behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

__all__ = ["PATIENT", "House", "built", "faults", "only_results", "refused", "until"]

ARENA: Final = Path(sys.executable).with_name("arena")
ODD_BOT: Final = Path(__file__).with_name("odd_bot.py")
MARK: Final = "ARENA_TEST_MARK"
DEADLINE: Final = 120.0
"""Seconds that nothing here takes by far, on however busy a machine."""

PATIENT: Final = ("--turn-time", "60", "--response-window", "30", "--start-up", "100")
"""Limits that no bot runs into because this machine is busy."""

# These tests may be run by something that ignores hang-ups, which would be inherited, and in a
# process group that is not theirs to signal.
PREPARED: Final = """\
import os, resource, signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
size = int(sys.argv[1])
if size:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
os.execv(sys.argv[2], sys.argv[2:])
"""


@dataclass
class House:
    """A mark that processes inherit, and folders for temporary files and for bots.

    Attributes:
        mark: Tells the processes of this test.
        temporary: What has to be empty afterwards.
        bots: For everything else; the present folder of `arena`.
        file_size: Bytes to which a file can grow; 0: no limit.
    """

    mark: str
    temporary: Path
    bots: Path
    file_size: int = 0

    def bot(self, kind: str, name: str = "") -> str:
        """The folder of an odd bot."""
        folder = self.bots / (name or kind)
        folder.mkdir()
        command = json.dumps(["python", str(ODD_BOT), kind])
        (folder / "bot.toml").write_text(
            f'name = "{name or kind}"\nversion = "1"\nlanguage = "python"\nrun = {command}\n'
        )
        return str(folder)

    def start(self, *args: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", PREPARED, str(self.file_size), ARENA, *args],
            env={**os.environ, MARK: self.mark, "TMPDIR": str(self.temporary)},
            cwd=self.bots,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *args: str) -> subprocess.CompletedProcess[str]:
        with self.start(*args) as running:
            try:
                out, err = running.communicate(timeout=2 * DEADLINE)
            except subprocess.TimeoutExpired:
                running.kill()
                raise
        return subprocess.CompletedProcess(args, running.returncode, out, err)

    def match(self, *args: str) -> subprocess.CompletedProcess[str]:
        return self.run("match", *args)

    def facts(self, *args: str, limits: Sequence[str] = PATIENT) -> dict[str, Any]:
        done = self.match(*args, *limits, "--json")
        assert done.returncode == 0, done.stderr
        facts: dict[str, Any] = json.loads(done.stdout)
        return facts

    def processes(self) -> list[int]:
        """Every process that carries the mark."""
        line = f"{MARK}={self.mark}".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if line in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
            except OSError:
                continue
        return found

    def sockets(self) -> list[str]:
        """Every socket in the folder for temporary files."""
        lines = Path("/proc/net/unix").read_text(errors="replace").splitlines()
        return [line.split()[-1] for line in lines if f"{self.temporary}/" in line]

    def children_of(self, pid: int) -> list[int]:
        """The processes of the house that a process has started itself."""
        return [one for one in self.processes() if _parent(one) == pid]


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


@contextmanager
def built(bots: Path) -> Iterator[House]:
    """A house in which nothing is left afterwards: no process, no socket, no file."""
    # Not below `bots`, which is too long for a socket.
    with tempfile.TemporaryDirectory(prefix="t-") as name:
        house = House(uuid.uuid4().hex, Path(name), bots)
        try:
            yield house
            # A bot that was told to end by its stream may take a moment.
            assert house.processes() == []
            assert house.sockets() == []
            assert list(Path(name).iterdir()) == []
        finally:
            for pid in house.processes():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def until(condition: Callable[[], object]) -> None:
    """Wait for `condition`; the processes of others have no other way to tell."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def faults(facts: dict[str, Any], bot: int) -> dict[str, int]:
    """What a bot did wrong; that a partner was quicker is nobody's fault."""
    counts = facts["bots"][bot]["faults"].items()
    return {cause: count for cause, count in counts if count and cause != "stale"}


def refused(done: subprocess.CompletedProcess[str], code: int = 2) -> str:
    """The one line of a refusal, after the plan if there is one."""
    assert done.returncode == code, done.stderr
    message: str = json.loads(done.stdout)["error"]["message"]
    assert done.stderr.splitlines()[-1] == f"arena: {message}"
    return message


def only_results(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts without what takes a different time in every run, or is this machine's fault."""
    kept = {key: value for key, value in facts.items() if key not in ("ended", "voids")}
    times = ("think_milliseconds", "start_up_milliseconds")
    kept["bots"] = [
        {key: value for key, value in bot.items() if key not in times} for bot in facts["bots"]
    ]
    return kept
