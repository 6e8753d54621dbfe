"""A ladder's server that things happen to: started, killed, started again on the same data.

Every start is a *generation*, and its processes carry a mark of their own in their environment. So
whatever outlives a killed server is seen.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from arena.app.rated import calendar
from arena.errors import ArenaError
from arena.storage.facts import NewVersion, TokenKind
from arena.storage.store import Store, open_store
from arena.submissions.artefact import ARTEFACT_LIMITS
from arena.submissions.limits import ArchiveLimits
from arena.submissions.manifest import read_manifest
from arena.submissions.packing import pack_folder
from arena.submissions.shelf import Version
from arena.submissions.store import ArchiveStore
from arena.tournament.building import ImageList
from arena.tournament.matches import Sandbox
from arena.transport.client import Client
from tests.e2e.house import ARENA
from tests.faults.bots import HOSTILE, honest_bot, hostile_bot

__all__ = ["MARK", "Server", "Site", "building", "until"]

MARK: Final = "ARENA_FAULT_MARK"
DEADLINE: Final = 120.0
"""Seconds that nothing here takes by far, on however busy a machine."""

_SETTINGS: Final = """\
[server]
database = "{url}"
public = "127.0.0.1:{port}"
operators = "127.0.0.1:0"
metrics = ""
drain = 30
free_space = {floor}

[sandbox]
kind = "{sandbox}"

[matches]
at_once = {at_once}
boards = 1
hands = 1
window = "{window}"
live_delay = 0
lease = {lease}

[limits]
start_up = 60
turn = {turn}
bank = 2
response_window = {response}
max_strikes = 1

[[table]]
name = "express-2"
ruleset = "express"
players = 2

[probation]
in_a_row = 1000000
forfeits = 1000000
of_last = 1000000

[quota]
entrants = 1000
uploads = 1000000
waiting = 2
"""


@dataclass
class Server:
    """One generation of the server: its process, and the mark of all that it has started."""

    process: subprocess.Popen[bytes]
    mark: str
    began: float
    errors: Path

    def processes(self) -> list[int]:
        """Every process that carries the mark, that of the server too."""
        line = f"{MARK}={self.mark}".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if line in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
        return found

    def helpers(self) -> list[int]:
        """The arena's own processes beside the server's: whatever is no bot."""
        return [
            pid
            for pid in self.processes()
            if pid != self.process.pid and not _command(pid).rstrip("\0").endswith("bot.py")
        ]

    def kill(self, number: int = signal.SIGKILL) -> int:
        """Send a signal; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(DEADLINE)

    def kill_all(self) -> None:
        """Kill the server and everything of it, also who would tidy up."""
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(DEADLINE)

    def told(self, event: str) -> list[dict[str, Any]]:
        """What it has written of an event."""
        found = []
        for line in self.errors.read_text(errors="replace").splitlines():
            with contextlib.suppress(ValueError):
                one = json.loads(line)
                if one.get("event") == event:
                    found.append(one)
        return found


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


@dataclass
class Site:
    """A data folder with owners and bots, and the servers that have run on it.

    Attributes:
        url: The address of its PostgreSQL database; empty: its database is in the data folder.
        data: The data folder.
        temporary: What is to be empty in the end: temporary files.
        state: What is to hold no slot and no life in the end.
        bots: For folders of bots and archives.
        tokens: Of each owner.
    """

    root: Path
    at_once: int = 1
    lease: int = 60
    floor: int = 0
    sandbox: Sandbox = Sandbox.PROCESS
    turn: int = 2
    url: str = ""
    data: Path = field(init=False)
    temporary: Path = field(init=False)
    state: Path = field(init=False)
    bots: Path = field(init=False)
    tokens: dict[str, str] = field(default_factory=dict)
    servers: list[Server] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.mark = uuid.uuid4().hex
        self.port = _free_port()
        self.data = self.root / "data"
        self.temporary, self.state, self.bots = (
            self.root / name for name in ("t", "state", "bots")
        )
        for folder in (self.temporary, self.state, self.bots):
            folder.mkdir(mode=0o700)
        in_boxes = self.sandbox is Sandbox.DOCKER
        settings = _SETTINGS.format(
            url=self.url,
            port=self.port,
            floor=self.floor,
            sandbox=self.sandbox,
            at_once=self.at_once,
            window="sealed" if in_boxes else "prompt",
            lease=self.lease,
            turn=self.turn,
            response=2 if in_boxes else 0.2,
        )
        (self.root / "arena.toml").write_text(settings)

    def open(self) -> Store:
        """The store, while no server runs."""
        return open_store(self.data, calendar, url=self.url)

    def settle(self, *, hostile: bool = True) -> None:
        """Have owners and their bots be there, as after accepted uploads."""
        with self.open() as store:
            for owner in ("ann", "bob", "cat"):
                self._own(store, owner)
                self.enter(store, owner, honest_bot(self.bots, owner))
            for kind in HOSTILE if hostile else ():
                self._own(store, f"of-{kind}")
                self.enter(store, f"of-{kind}", hostile_bot(self.bots, kind))

    def _own(self, store: Store, owner: str) -> None:
        store.owners.create(owner)
        self.tokens[owner], _ = store.tokens.issue(TokenKind.OWNER, owner)

    def enter(self, store: Store, owner: str, folder: Path) -> None:
        """What an accepted upload leaves; not even a bot that does wrong is validated."""
        content = pack_folder(folder, ArchiveLimits()).content
        for name in ("archives", "artefacts"):
            place = ArchiveStore(self.data / name, most=ARTEFACT_LIMITS.upload)
            digest = place.add([content])
        manifest = replace(read_manifest(folder), folder=Path())
        image = ImageList().id_of(manifest) if self.sandbox is Sandbox.DOCKER else ""
        version = Version(archive=digest, artefact=digest, image=image, manifest=manifest)
        upload = store.uploads.add(owner, f"first {folder.name}", digest, len(content))
        store.uploads.begin()
        store.uploads.finish_accepted(
            upload.number,
            NewVersion(
                digest=version.digest,
                archive=digest,
                artefact=digest,
                image=image,
                name=manifest.name,
                label=manifest.version,
                content=version.as_bytes(),
                players=manifest.players,
                rulesets=manifest.rulesets,
            ),
        )

    def start(self, **environment: str) -> Server:
        """Start a server on the data; it need not have answered yet."""
        mark = f"{self.mark}-{len(self.servers)}"
        errors = self.root / f"errors-{len(self.servers)}.jsonl"
        with errors.open("wb") as file:
            process = subprocess.Popen(
                [str(ARENA), "serve", "--data", str(self.data), *self._trust()],
                env={
                    **os.environ,
                    MARK: mark,
                    "TMPDIR": str(self.temporary),
                    "ARENA_STATE": str(self.state),
                    **environment,
                },
                cwd=self.root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=file,
                start_new_session=True,
            )
        server = Server(process, mark, time.monotonic(), errors)
        self.servers.append(server)
        return server

    def _trust(self) -> tuple[str, ...]:
        return () if self.sandbox is Sandbox.DOCKER else ("--trust-authors",)

    def client(self, owner: str = "") -> Client:
        """A client of an owner, or of nobody."""
        return Client(f"127.0.0.1:{self.port}", self.tokens.get(owner, ""), timeout=10.0)

    def answers(self) -> bool:
        """Whether the server answers a request now."""
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        try:
            with self.client() as client:
                client.ladder()
        except ArenaError:
            return False
        return True

    def first_answer(self, server: Server) -> float:
        """Seconds from the start of a server until it has answered its first request."""
        until(
            lambda: self.answers() or server.process.poll() is not None,
            lambda: server.errors.read_text(errors="replace")[-2000:],
        )
        assert server.process.poll() is None, server.errors.read_text(errors="replace")[-2000:]
        return time.monotonic() - server.began

    def alive(self) -> list[int]:
        """Whatever of all generations runs."""
        return [pid for server in self.servers for pid in server.processes()]

    def left(self) -> list[str]:
        """What is left once no server runs, and should not be."""
        found = [f"process {pid}: {_command(pid)}" for pid in self.alive()]
        spool = self.data / "spool"
        incoming = [self.data / name / ".incoming" for name in ("archives", "artefacts")]
        folders = [
            self.temporary,
            self.data / "work",
            spool / ".new",
            *incoming,
            *(self.state / name for name in ("lives", "slots", "owners")),
        ]
        for folder in folders:
            found += [str(one) for one in folder.glob("*")]
        found += [str(one) for one in (*spool.glob("*-*.*"), *spool.glob("set-aside/*"))]
        for name in ("records", "logs"):
            aside = (one for one in (self.data / name).rglob("*") if one.is_file())
            found += [str(one) for one in aside if len(one.name) != 64]
        return found

    def end(self) -> None:
        """Kill what still runs."""
        for server in self.servers:
            server.kill_all()


@contextlib.contextmanager
def building(**wanted: Any) -> Iterator[Site]:
    """A site in a short path of its own; nothing of it runs afterwards, or is there."""
    root = Path(tempfile.mkdtemp(prefix="f-"))
    site = Site(root, **wanted)
    try:
        yield site
    finally:
        site.end()
        shutil.rmtree(root, ignore_errors=True)


def until(condition: Any, explain: Any = lambda: "", seconds: float = DEADLINE) -> None:
    """Wait for a condition; other processes have no other way to tell."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, explain()
        time.sleep(0.02)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
