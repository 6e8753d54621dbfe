"""Playing a case: a real match in a process of its own, and what could be seen of it there."""

from __future__ import annotations

import contextlib
import gc
import os
import secrets
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from arena.app import play_match, record_path
from arena.engine.deal import seed_from_text
from arena.engine.rulesets import make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import make_seating
from arena.errors import ArenaError
from arena.referee import verdict
from arena.referee.events import Effect, OutcomeKind, Played
from arena.referee.game import every_rotation
from arena.referee.limits import Instant
from arena.referee.tally import Tally
from arena.referee.verifying import verify
from arena.submissions.manifest import Manifest
from arena.tournament.matches import MatchOutcome, MatchSpec, Venue
from tests.hostile.cases import BOTS, Case, read_case
from tests.hostile.gauge import Gauged

__all__ = [
    "HOSTILE",
    "MARK",
    "QUIET",
    "Seen",
    "folder_for_files",
    "left_here",
    "marked",
    "observe",
    "play",
    "play_alone",
    "spec_of",
    "standard_error",
]

MARK: Final = "HOSTILE_MARK"
GRPC_OWN: Final = Counter({"anon_inode:[eventpoll]": 2, "anon_inode:[eventfd]": 2})
"""What gRPC's core polls with. On a busy machine it keeps that in one match of some 300, though no
object of Python holds on to it any more; it goes with the process, of which each match has one."""

HOSTILE: Final = 0
"""The number of the bot that a case is about."""

QUIET: Final = BOTS / "honest_player.py"
"""The case in which nobody does wrong: the baseline."""


@dataclass(slots=True)
class Seen:
    """What could be seen of a match.

    Attributes:
        verdict: As in `Case.verdict`.
        who: Who forfeited, in order.
        text: The verdict in words.
        seconds: From its start until `play_match` returned.
        logs: By bot.
        tallies: By bot.
        bank_taken: Nanoseconds that the honest seats' banks have lost.
        lag: Nanoseconds for which the referee stood still while an honest seat was asked.
        left: Processes, sockets and files of the match that are left.
        descriptors: What the referee's file descriptors are that it has more than before.
        most_descriptors: How many more it had at most.
        grown: Megabytes by which the referee's memory had grown at most.
        errors: What the referee's process wrote on standard error.
        record: Why the record of the match does not hold; empty if it does.
        failure: The exception that came out instead of a result.
        machine: What the match did to this machine; None: it was not played in containers.
    """

    verdict: str = ""
    who: tuple[int, ...] = ()
    text: str = ""
    seconds: float = 0
    logs: tuple[str, ...] = ()
    tallies: tuple[Tally, ...] = ()
    bank_taken: int = 0
    lag: int = 0
    left: list[str] = field(default_factory=list)
    descriptors: list[str] = field(default_factory=list)
    most_descriptors: int = 0
    grown: float = 0
    errors: str = ""
    record: str = ""
    failure: str = ""
    machine: Gauged | None = None


def observe(path: Path) -> Seen:
    """Play the case of a bot's file in this very process, which should be a fresh one."""
    case = read_case(path)
    mark = os.environ[MARK] = secrets.token_hex(16)
    with standard_error() as errors, TemporaryDirectory() as records, folder_for_files() as folder:
        seen = play(spec_of(case, Path(records)), Path(records))
        seen.left = [*left_here(folder, mark), *map(str, path.parent.glob("core*"))]
        sys.stderr.flush()
        errors.seek(0)
        seen.errors = errors.read().decode(errors="replace")
    return seen


def play_alone(path: Path) -> MatchOutcome:
    """Play a bot's file against an honest bot, under the usual limits, and look at nothing."""
    return play_match(spec_of(Case(path=path, what="", verdict="", within=0, threats=())))


def play(spec: MatchSpec, records: Path) -> Seen:
    """Play a match, whose record goes into a folder, and see what can be seen of it from here."""
    seen = Seen()
    bank = spec.limits.time.bank
    before = _descriptors()

    def watch(effect: Effect, now: Instant) -> None:
        if isinstance(effect, Played):
            seen.most_descriptors = max(seen.most_descriptors, len(_descriptors()) - len(before))
            if effect.bot != HOSTILE:
                seen.bank_taken = max(seen.bank_taken, bank - effect.bank_left)
                seen.lag += effect.lag

    _reset_peak()
    memory = _memory("VmRSS")
    begin = time.monotonic()
    try:
        outcome = play_match(spec, watch=watch)
    except Exception:
        seen.failure = traceback.format_exc()
    else:
        seen.seconds = time.monotonic() - begin
        _tell(seen, outcome)
        seen.record = _what_is_wrong_with(record_path(records, spec), outcome)
    seen.grown = (_memory("VmHWM") - memory) / 1024
    seen.descriptors = _left_open(before)
    return seen


def _left_open(before: dict[int, str]) -> list[str]:
    """What is open in addition once gRPC has closed its connections, which it does later."""
    until = time.monotonic() + 20
    while True:
        gc.collect()  # calls that are over hold on to gRPC's own until then
        left = Counter(_descriptors().values()) - Counter(before.values()) - GRPC_OWN
        if not left or time.monotonic() > until:
            return sorted(left.elements())
        time.sleep(0.02)


def _what_is_wrong_with(path: Path, outcome: MatchOutcome) -> str:
    """Why a record does not hold, or is not that of this outcome."""
    try:
        with path.open("rb") as file:
            head = verify(file).head
    except (ArenaError, OSError) as error:
        return str(error)
    return "" if head == outcome.record_head else f"its head is {head}, not {outcome.record_head}"


def _tell(seen: Seen, outcome: MatchOutcome) -> None:
    how = outcome.verdict
    seen.who = tuple(one.bot for one in how.forfeits)
    seen.verdict = str(how.kind)
    if how.kind is OutcomeKind.FORFEIT:
        seen.verdict += f" {how.forfeits[0].reason}"
    names = [f"bot {number}" for number in range(len(outcome.tallies))]
    seen.text = verdict.described(how, names)
    seen.logs = outcome.logs
    seen.tallies = outcome.tallies


def spec_of(case: Case, records: Path | None = None) -> MatchSpec:
    """What is played in a case, with processes."""
    players = 1 + case.honest
    rules = make_ruleset("classic", players=players)
    boards = tuple(range(case.games))
    return MatchSpec(
        bots=(_bot(case.path), *[_bot(case.opponent)] * case.honest),
        rules=rules,
        seating=make_seating(rules, players),
        seed=seed_from_text("hostile"),
        boards=boards,
        legs=every_rotation(case.games, players)[: case.legs],
        limits=case.limits,
        length=Length(case.hands),
        venue=Venue(port=_free_ports(players) if case.port else None, records=records),
    )


def _bot(path: Path) -> Manifest:
    return Manifest(
        name=path.stem,
        version="1",
        language="python",
        run=(sys.executable, str(path)),
        folder=path.parent,
    )


def _free_ports(count: int) -> int:
    """The first of some neighbouring ports that are free now."""
    while True:
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            first = stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1]
            for more in range(1, count):
                stack.enter_context(socket.create_server(("127.0.0.1", first + more)))
            return int(first)


# -- what is left ------------------------------------------------------------------------------


@contextlib.contextmanager
def folder_for_files() -> Iterator[Path]:
    """A folder for temporary files, whose name is short enough for a socket in it."""
    with TemporaryDirectory(prefix="h-") as name:
        before, tempfile.tempdir = tempfile.tempdir, name
        try:
            yield Path(name)
        finally:
            tempfile.tempdir = before


def left_here(folder: Path, mark: str) -> list[str]:
    """What is left in the folder for temporary files, of sockets and of marked processes.

    The processes are ended, so that one bad case does not spoil the next one.
    """
    found = [*_files(folder), *_sockets(folder), *_processes(mark)]
    _clear(mark)
    return found


def _files(folder: Path) -> list[str]:
    return [f"file {path.name}" for path in folder.iterdir()]


def _sockets(folder: Path) -> list[str]:
    lines = Path("/proc/net/unix").read_text(errors="replace").splitlines()
    return [f"socket {line.split()[-1]}" for line in lines if f"{folder}/" in line]


def _processes(mark: str) -> list[str]:
    return [f"process {pid}: {_command(pid)}" for pid in marked(mark)]


def _command(pid: int) -> str:
    with contextlib.suppress(OSError):
        return (
            Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        )
    return "?"


def marked(mark: str) -> Iterator[int]:
    """Processes that carry the mark, but for this one."""
    line = f"{MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if line in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)


def _clear(mark: str) -> None:
    for pid in marked(mark):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


# -- this process --------------------------------------------------------------------------------


@contextlib.contextmanager
def standard_error() -> Iterator[tempfile.SpooledTemporaryFile[bytes]]:
    """Have everything that this process writes on standard error in a file, for a while."""
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield file  # type: ignore[misc]
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def _descriptors() -> dict[int, str]:
    """What each open file descriptor of this process is."""
    found = {}
    for link in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # the one by which they are listed
            found[int(link.name)] = str(link.readlink())
    return found


def _reset_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def _memory(name: str) -> int:
    """A figure of this process's memory, in KiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise LookupError(name)
