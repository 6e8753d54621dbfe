"""A competition on a real server, which is killed while it is played; and what has to hold then.

A cup has a site (see `tests.faults.site`), the file of one competition and the commands of its
organiser and its owners, which are the real ones.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.app.operator import read_operator_login
from arena.formats.story import Way
from arena.storage.facts import TokenKind
from arena.tournament.answers import MatchSummary
from arena.tournament.competition.journal import Journal, Line
from arena.tournament.competition.regulations import Regulations
from arena.tournament.competition.regulationsfile import regulations_from
from arena.tournament.competition.state import Competition, folded
from arena.tournament.competition.views import EntryState, PairingLine, PairingState
from arena.transport.client import OperatorClient
from tests.e2e.cupchecks import leaks, miscounted
from tests.e2e.house import ARENA
from tests.faults.bots import honest_bot
from tests.faults.invariants import look
from tests.faults.site import Server, Site, until

__all__ = ["Cup", "Progress", "cup_bot"]

SETTINGS: Final = """\
[server]
public = "127.0.0.1:{port}"
operators = "127.0.0.1:0"
metrics = ""
drain = 30
free_space = 0

[sandbox]
kind = "{sandbox}"

[matches]
boards = 1
hands = 1
window = "{window}"
live_delay = 0

[limits]
start_up = 100
turn = 60

[[table]]
name = "only"
ruleset = "{ruleset}"
players = {players}
"""
"""Short matches of the ladder, which goes on until a competition is played."""

FILE_NAME: Final = "competition.toml"
COMMAND: Final = 300.0
"""Seconds that no command takes by far; verifying an archive plays all of it again."""
ENDING: Final = 30.0
"""Seconds in which what a killed server has left running has ended."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a competition is.

    Attributes:
        stage: The latest stage that has begun; 0: none has.
        decided: Pairings of all stages that have a score, byes included.
    """

    phase: str
    stage: int
    decided: int
    is_played: bool


@dataclass
class Cup:
    """A competition and the server that it is played on.

    Attributes:
        site: Where all of it is.
        text: The file of the competition.
        lines: The journal as it was last seen: no later one may differ from it.
        restarts: Seconds to the first answer after each time that the server was killed.
    """

    site: Site
    text: str
    lines: list[bytes] = field(default_factory=list)
    restarts: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.regulations: Regulations = regulations_from(self.text, FILE_NAME)
        self.name = self.regulations.name
        self.file = self.site.root / FILE_NAME
        self.file.write_text(self.text)
        in_boxes = self.site.sandbox == "docker"
        settings = SETTINGS.format(
            port=self.site.port,
            sandbox=self.site.sandbox,
            window="sealed" if in_boxes else "prompt",
            ruleset=self.regulations.game.ruleset,
            players=self.regulations.game.players,
        )
        (self.site.root / "arena.toml").write_text(settings)

    def settle(self, titles: Iterable[str]) -> None:
        """Have owners with their bots be there, as after accepted uploads; no server runs."""
        with self.site.open() as store:
            for title in titles:
                owner, _, name = title.partition("/")
                store.owners.create(owner)
                self.site.tokens[owner], _ = store.tokens.issue(TokenKind.OWNER, owner)
                self.site.enter(store, owner, cup_bot(self, name))

    # -- the server -----------------------------------------------------------------------------

    @property
    def server(self) -> Server:
        """The one that runs now."""
        return self.site.servers[-1]

    def start(self) -> float:
        """Start it; seconds until it has answered."""
        seconds = self.site.first_answer(self.site.start())
        self.wait(lambda: self.server.told("ready"))
        return seconds

    def kill(self) -> float:
        """End its process group by force, and start it again; seconds until it has answered."""
        self.fetch()
        os.killpg(self.server.process.pid, signal.SIGKILL)
        self.server.process.wait(ENDING)
        until(lambda: not self.server.processes(), lambda: str(self.site.left()), ENDING)
        self.restarts.append(self.start())
        self.fetch()
        return self.restarts[-1]

    def end(self) -> None:
        """Tell it to end, and wait until nothing of it runs."""
        assert self.server.kill(signal.SIGTERM) == 0, self.last_words()
        until(lambda: not self.site.alive(), lambda: str(self.site.left()), ENDING)

    def last_words(self) -> str:
        """What the server has written last."""
        return self.server.errors.read_text(errors="replace")[-3000:]

    def wait(self, condition: Callable[[], object], seconds: float = COMMAND) -> None:
        """Wait for a condition, as long as the server runs."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert self.server.process.poll() is None, self.last_words()
            assert time.monotonic() < deadline, self.last_words()
            time.sleep(0.1)

    # -- commands -------------------------------------------------------------------------------

    def run(self, *args: str, owner: str = "") -> subprocess.CompletedProcess[str]:
        """`arena` with these arguments, as an owner or as the operator of this machine."""
        environment = {
            **os.environ,
            "TMPDIR": str(self.site.temporary),
            "XDG_CONFIG_HOME": str(self.site.root / "config"),
        }
        if owner:
            environment["ARENA_SERVER"] = f"127.0.0.1:{self.site.port}"
            environment["ARENA_TOKEN"] = self.site.tokens[owner]
        return subprocess.run(
            [str(ARENA), *args],
            env=environment,
            cwd=self.site.root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=COMMAND,
        )

    def organise(self, command: str, *args: str) -> Any:
        """`arena competition COMMAND NAME ...` of the operator; what it says with --json."""
        name = str(self.file) if command == "open" else self.name
        data = ("--data", str(self.site.data))
        return self._said(self.run("competition", command, name, *args, *data, "--json"))

    def enter(self, title: str) -> Any:
        """`arena competition enter` of a bot's owner."""
        owner, _, bot = title.partition("/")
        return self._said(self.run("competition", "enter", self.name, bot, "--json", owner=owner))

    @staticmethod
    def _said(done: subprocess.CompletedProcess[str]) -> Any:
        if done.returncode:
            words = (done.stderr.strip() or done.stdout.strip()).splitlines()
            raise AssertionError(f"{done.args[1:5]}: {words[-1] if words else 'nothing'}")
        return json.loads(done.stdout)

    # -- asked ----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def operator(self) -> Iterator[OperatorClient]:
        """A client of the operator."""
        login = read_operator_login(self.site.data)
        with OperatorClient(login.server, login.token) as client:
            yield client

    def progress(self) -> Progress:
        """How far it is, by what its operator sees."""
        with self.operator() as client:
            info = client.competitions.info(self.name)
            begun = [one for one in client.competitions.stages(self.name) if one.is_begun]
        return Progress(
            phase=info.phase,
            stage=len(begun),
            decided=sum(one.decided for one in begun),
            is_played=info.is_played,
        )

    def pairings(self, stage: int) -> list[PairingLine]:
        """The pairings of a stage."""
        with self.operator() as client:
            return list(client.competitions.pairings(self.name, stage))

    def fetch(self) -> list[Line]:
        """The journal, in which nothing may be other than it was."""
        with self.operator() as client:
            lines = list(client.organising.journal(self.name))
        assert lines[: len(self.lines)] == self.lines, "lines of the journal are lost or changed"
        self.lines = lines
        return list(Journal().read_all(lines))

    def state(self) -> Competition:
        """The competition as its journal has it."""
        return folded(self.fetch())

    def matches(self) -> list[tuple[MatchSummary, str]]:
        """Every match with all attempts, and what it was played for."""
        with self.operator() as client:
            return list(client.organising.matches(self.name))

    def played(self, stage: int) -> list[PairingLine]:
        """The pairings of a stage whose matches are done and count."""
        return [
            one
            for one in self.pairings(stage)
            if one.state is PairingState.DONE and one.way is Way.PLAYED
        ]

    # -- done to it in the middle ---------------------------------------------------------------

    def disqualify_last(self) -> str:
        """Put out whoever is last now; who that is."""
        with self.operator() as client:
            begun = [one for one in client.competitions.stages(self.name) if one.is_begun]
            table = list(client.competitions.table(self.name, begun[-1].number))
        self.organise("disqualify", table[-1].title, "--why", "it was somebody else's work")
        return table[-1].title

    def play_again(self) -> tuple[int, PairingLine]:
        """Have what was played last between those who still play be played again; its stage."""
        with self.operator() as client:
            entries = client.competitions.entries(self.name)
            playing = {one.title for one in entries if one.state is EntryState.PLAYS}
        stages = range(self.progress().stage, 0, -1)
        found = [
            (stage, one)
            for stage in stages
            for one in reversed(self.played(stage))
            if all(title in playing for team in one.teams for title in team)
        ]
        stage, pairing = found[0]
        self.organise("rerun", str(stage), pairing.key, "--why", "the machine was busy")
        return stage, pairing

    def leaks(self, owner: str = "") -> list[str]:
        """What somebody sees whom the results are not for; owner empty: anybody."""
        numbers = [match.number for match, _ in self.matches()]
        with self.site.client(owner) as client:
            return leaks(client, self.name, [*numbers[:2], *numbers[-1:]])

    # -- in the end -----------------------------------------------------------------------------

    def archived(self, head: str, commitment: str) -> tuple[Any, Any]:
        """Write the archive and verify it: what both commands say."""
        folder = self.site.root / "archive"
        data = ("--data", str(self.site.data))
        summary = self._said(
            self.run("competition", "archive", self.name, str(folder), *data, "--json")
        )
        published = ("--head", head, "--commitment", commitment)
        done = self.run("competition", "verify", str(folder), *published, "--json")
        assert done.returncode in (0, 1), done.stderr
        return summary, json.loads(done.stdout)

    def wrong(self) -> list[str]:
        """What is not as if nobody had killed anything; the server has ended."""
        with self.site.open() as store:
            kept = store.competitions.find(self.name)
            assert kept is not None
            stored = list(store.competitions.journal(kept.number))
            matches = list(store.competitions.page(kept.number, 0, 100_000))
        here = list(Journal().read_all(stored))
        found = [] if stored[: len(self.lines)] == self.lines else ["lines of the journal are lost"]
        found += miscounted(here, folded(here), matches)
        return [*found, *look(self.site).wrong]


# -- bots ---------------------------------------------------------------------------------------


def cup_bot(cup: Cup, name: str, label: str = "1", *, source: str = "random") -> Path:
    """A copy of an example bot that plays what the competition plays; its folder."""
    place = honest_bot(cup.site.bots, name, label, source=source)
    game = cup.regulations.game
    path = place / "bot.toml"
    text = path.read_text().replace("players = [2]", f"players = [{game.players}]")
    path.write_text(text.replace('rulesets = ["express"]', f'rulesets = ["{game.ruleset}"]'))
    return place
