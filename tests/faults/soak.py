"""`python -m tests.faults.soak`: many short matches at one server, and what has grown in the end.

Honest and hostile bots play. After the first matches, when everything has been used once, and in
the end the server is looked at: its file descriptors, threads, memory, processes,
temporary files and folders of its data. Only what results consist of may have grown.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from arena.errors import ArenaError
from arena.storage.facts import MatchState
from tests.faults.invariants import look
from tests.faults.site import Server, Site, building, until

__all__ = ["Figures", "Soaked", "main", "soak"]

_MORE: Final = {"descriptors": 8, "threads": 2, "megabytes": 48.0, "processes": 0}
"""How much more there may be: a reader of the database more, and what a heap has in pieces."""

_LOOK: Final = 0.5


@dataclass(frozen=True, slots=True)
class Figures:
    """What there is of a server that plays nothing at the moment."""

    descriptors: int
    threads: int
    megabytes: float
    processes: int
    temporary: int
    slots: int
    spool: int
    database_kilobytes: int
    files_kilobytes: int

    def grown(self, before: Figures) -> list[str]:
        """What is more than it was, and should not be."""
        was, now = asdict(before), asdict(self)
        kept = {name for name in was if not name.endswith("_kilobytes")}
        return [
            f"{name}: {was[name]:g} before, {now[name]:g} after"
            for name in sorted(kept)
            if now[name] > was[name] + _MORE.get(name, 0)
        ]


@dataclass(frozen=True, slots=True)
class Soaked:
    """What came of a soak: matches between the two looks, and what is wrong."""

    matches: int
    seconds: float
    before: Figures
    after: Figures
    wrong: tuple[str, ...]

    def facts(self) -> dict[str, Any]:
        """The same for programs, and the kilobytes that a match has added to data."""
        was, now = asdict(self.before), asdict(self.after)
        names = ("database_kilobytes", "files_kilobytes")
        each = {f"{one}_a_match": (now[one] - was[one]) / max(1, self.matches) for one in names}
        return asdict(self) | {name: round(value, 1) for name, value in each.items()}


def soak(
    site: Site,
    matches: int,
    *,
    warm: int = 10,
    seconds: float = float("inf"),
    say: Callable[[str], None] = lambda text: None,
) -> Soaked:
    """Play so many after the first `warm` ones, or as long as that, and compare."""
    site.settle()
    server = site.start()
    site.first_answer(server)
    _play(site, server, warm, float("inf"), say)
    before = _quiet(site, server)
    first, began = _done(site), time.monotonic()
    _play(site, server, first + matches, began + seconds, say)
    after = _quiet(site, server)
    played, took = _done(site) - first, time.monotonic() - began
    assert server.kill(signal.SIGTERM) == 0
    until(lambda: not site.alive(), lambda: str(site.left()), seconds=30)
    wrong = (*after.grown(before), *look(site).wrong)
    return Soaked(played, took, before, after, wrong)


def _play(
    site: Site, server: Server, wanted: int, deadline: float, say: Callable[[str], None]
) -> None:
    """Wait until so many matches are over, or the time is."""
    told = _done(site)
    while (done := _done(site)) < wanted and time.monotonic() < deadline:
        assert server.process.poll() is None, server.errors.read_text()[-2000:]
        if done >= told + 50:
            say(f"{done} of {wanted}")
            told = done
        time.sleep(_LOOK)


def _done(site: Site) -> int:
    """The number of matches that are over; they have numbers one after the other."""
    with contextlib.suppress(ArenaError), site.client() as client:
        newest = next(client.matches(state=MatchState.DONE), None)
        return 0 if newest is None else newest.number
    return 0


def _quiet(site: Site, server: Server) -> Figures:
    """Look while the ladder is paused and nothing is played."""
    _admin(site, "pause", "--why", "looking")
    until(
        lambda: len(server.helpers()) <= _ALWAYS and not list(_spooled(site)),
        lambda: f"{server.helpers()} {list(_spooled(site))}",
    )
    figures = _figures(site, server)
    _admin(site, "resume")
    return figures


def _spooled(site: Site) -> Iterator[Path]:
    return (one for one in (site.data / "spool").rglob("*") if one.is_file())


_ALWAYS: Final = 2
"""The fork servers of matches and of validations."""


def _admin(site: Site, *words: str) -> None:
    arena = Path(sys.executable).with_name("arena")
    command = [str(arena), "admin", *words, "--data", str(site.data)]
    subprocess.run(command, check=True, capture_output=True)


def _figures(site: Site, server: Server) -> Figures:
    process = Path(f"/proc/{server.process.pid}")
    status = dict(
        line.split(":", 1) for line in (process / "status").read_text().splitlines() if ":" in line
    )
    slots = sum(len(list((site.state / name).iterdir())) for name in ("slots", "owners", "lives"))
    return Figures(
        descriptors=len(os.listdir(process / "fd")),
        threads=int(status["Threads"]),
        megabytes=round(int(status["VmRSS"].split()[0]) / 1024, 1),
        processes=len(server.processes()),
        temporary=len(list(site.temporary.rglob("*"))),
        slots=slots,
        spool=len(list(_spooled(site))),
        database_kilobytes=_kilobytes(site.data.glob("arena.sqlite*")),
        files_kilobytes=sum(_kilobytes((site.data / name).rglob("*")) for name in _FILES),
    )


_FILES: Final = ("records", "logs")


def _kilobytes(paths: Iterable[Path]) -> int:
    return sum(one.stat().st_size for one in paths if one.is_file()) // 1024


def main() -> int:
    """Play, and print what came of it; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.soak", description=__doc__)
    parser.add_argument("--matches", type=int, default=2000, help="how many (2000)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="at most so long")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="matches at once (2)")
    options = parser.parse_args()
    with building(at_once=options.jobs) as site:
        soaked = soak(site, options.matches, seconds=60 * options.minutes, say=_say)
    sys.stdout.write(json.dumps(soaked.facts(), indent=2) + "\n")
    return 1 if soaked.wrong else 0


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
