"""A ladder's server as a process, and the commands of its authors and operators."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.submissions.manifest import example_bots
from tests.e2e.house import ARENA, DEADLINE, MARK, PREPARED, House

__all__ = ["SETTINGS", "Served", "ran", "served", "small_bot", "started"]

SETTINGS: Final = """\
[server]
public = "127.0.0.1:0"
operators = "127.0.0.1:0"
metrics = "127.0.0.1:0"
drain = 60
free_space = 0

[sandbox]
kind = "process"

[matches]
at_once = 1
boards = 1
hands = 1
window = "prompt"
live_delay = 0

[limits]
start_up = 100
turn = 60
response_window = 30
"""
"""Short matches, and limits that no bot runs into because this machine is busy."""


def small_bot(house: House, name: str, *, source: str = "") -> Path:
    """A copy of an example bot that plays at one kind of table, so that it is soon validated."""
    folder = house.bots / name
    shutil.copytree(example_bots()[source or name], folder)
    text = (folder / "bot.toml").read_text()
    text = re.sub(r"(?m)^(players|rulesets) = .*\n", "", text)
    text = re.sub(r"(?m)^name = .*$", f'name = "{name}"', text)
    (folder / "bot.toml").write_text(f'{text}players = [2]\nrulesets = ["classic"]\n')
    return folder


def started(house: House, *args: str, **environment: str) -> subprocess.Popen[str]:
    """`arena` as a process of a house, with more in its environment."""
    return subprocess.Popen(
        [sys.executable, "-c", PREPARED, "0", ARENA, *args],
        env={
            **os.environ,
            MARK: house.mark,
            "TMPDIR": str(house.temporary),
            "XDG_CONFIG_HOME": str(house.bots / "config"),
            **environment,
        },
        cwd=house.bots,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def ran(house: House, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The same, to its end."""
    with started(house, *args, **environment) as running:
        try:
            out, err = running.communicate(timeout=2 * DEADLINE)
        except subprocess.TimeoutExpired:
            running.kill()
            raise
    return subprocess.CompletedProcess(args, running.returncode, out, err)


@dataclass
class Served:
    """A server that runs in a house.

    Attributes:
        log: What it has written, line by line, as JSON.
        owners: The token of each owner that was made.
    """

    house: House
    data: Path
    process: subprocess.Popen[str]
    log: list[dict[str, Any]] = field(default_factory=list)
    owners: dict[str, str] = field(default_factory=dict)
    rest: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            try:
                self.log.append(json.loads(line))
            except ValueError:
                self.rest.append(line)

    def events(self, name: str) -> list[dict[str, Any]]:
        """What it has told of an event so far."""
        return [one for one in list(self.log) if one.get("event") == name]

    def until(self, condition: Callable[[], object]) -> None:
        """Wait for a condition, as long as the server runs."""
        deadline = time.monotonic() + DEADLINE
        while not condition():
            assert self.process.poll() is None, (self.log, self.rest)
            assert time.monotonic() < deadline, (self.log[-20:], self.rest)
            time.sleep(0.05)

    @property
    def ready(self) -> dict[str, Any]:
        """What it has said when it was ready."""
        self.until(lambda: self.events("ready"))
        return self.events("ready")[0]

    def end(self, number: int = signal.SIGTERM) -> int:
        """Tell it to end; its exit code."""
        self.process.send_signal(number)
        code = self.process.wait(DEADLINE)
        self._reader.join(DEADLINE)
        return code

    # -- commands -------------------------------------------------------------------------------

    def admin(self, *args: str) -> subprocess.CompletedProcess[str]:
        """A command of an operator on this machine."""
        self.until(lambda: self.events("ready"))
        return ran(self.house, "admin", *args, "--data", str(self.data))

    def owner(self, name: str) -> str:
        """Take in an owner, and make a token for it."""
        done = self.admin("owner", "new", name)
        assert done.returncode == 0, done.stderr
        done = self.admin("token", "new", name)
        assert done.returncode == 0, done.stderr
        self.owners[name] = done.stdout.strip()
        return self.owners[name]

    def run(self, owner: str, *args: str) -> subprocess.CompletedProcess[str]:
        """A command of an owner."""
        server, token = self.ready["public"], self.owners.get(owner, "")
        return ran(self.house, *args, ARENA_SERVER=server, ARENA_TOKEN=token)

    def json(self, owner: str, *args: str) -> Any:
        """What a command of an owner says with --json."""
        done = self.run(owner, *args, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def matches_done(self, count: int) -> list[dict[str, Any]]:
        """Wait until so many matches are over; them, the newest first."""
        found: list[dict[str, Any]] = []

        def enough() -> bool:
            found[:] = self.json("", "matches", "--state", "done", "--limit", "100")["matches"]
            return len(found) >= count

        self.until(enough)
        return found


@contextmanager
def served(
    house: House, *args: str, settings: str = SETTINGS, data: str = "data"
) -> Iterator[Served]:
    """A server in a house, which has ended when the block does."""
    path = house.bots / "arena.toml"
    path.write_text(settings)
    state = house.temporary / "state"
    state.mkdir(mode=0o700, exist_ok=True)
    process = started(house, "serve", "--data", data, *args, ARENA_STATE=str(state))
    server = Served(house, house.bots / data, process)
    try:
        yield server
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(DEADLINE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        server._reader.join(DEADLINE)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        shutil.rmtree(state, ignore_errors=True)
