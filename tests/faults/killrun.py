"""`python -m tests.faults.killrun`: a server is killed again and again, and nothing may be lost.

A real server plays honest and hostile bots while authors upload. At random moments it is killed by
SIGKILL, or a process that plays or builds for it is, or both; the server is started again each
time. In the end everything that it has promised is looked at.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import secrets
import signal
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from arena.errors import ArenaError
from arena.submissions.limits import ArchiveLimits
from arena.submissions.packing import pack_folder
from arena.tournament.matches import Sandbox
from tests.faults.bots import honest_bot
from tests.faults.invariants import Acknowledged, Found, look
from tests.faults.site import DEADLINE, Server, Site, building, until
from tests.storage.cluster import running_cluster

__all__ = ["Told", "kill_run", "main"]

_OWNERS: Final = ("ann", "bob", "cat")
_WORK: Final = 8.0
"""Seconds of work after which a server is killed at the latest."""


@dataclass(kw_only=True)
class Told:
    """What came of a run.

    Attributes:
        killed: How often what was killed.
        answers: Seconds until the first answer of each start.
        orphans: Seconds that processes of killed servers have outlived them, at most.
    """

    seed: int
    killed: Counter[str] = field(default_factory=Counter)
    answers: list[float] = field(default_factory=list)
    orphans: float = 0.0
    acknowledged: int = 0
    found: Found | None = None

    def facts(self) -> dict[str, Any]:
        """The same for programs."""
        assert self.found is not None
        ordered = sorted(self.answers)
        return {
            "seed": self.seed,
            "kills": sum(self.killed.values()),
            "killed": dict(self.killed),
            "first_answer_p50_s": round(ordered[len(ordered) // 2], 2),
            "first_answer_max_s": round(ordered[-1], 2),
            "orphans_max_s": round(self.orphans, 2),
            "matches": dict(self.found.matches),
            "attempts": self.found.attempts,
            "results": self.found.checked.results,
            "rating_events": self.found.checked.events,
            "uploads": dict(self.found.uploads),
            "uploads_acknowledged": self.acknowledged,
            "wrong": list(self.found.wrong),
        }


class Authors:
    """Authors who upload all the time, and ask again with the same request if nobody answers."""

    def __init__(self, site: Site, chance: random.Random) -> None:
        self._site = site
        self._chance = chance
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="authors")
        self.acknowledged: list[Acknowledged] = []
        self.failed: list[BaseException] = []

    def __enter__(self) -> Authors:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            number = 0
            while not self._over.wait(self._chance.uniform(0.5, 2)):
                number += 1
                self._upload(self._chance.choice(_OWNERS), str(number))
        except BaseException as error:  # told by whoever joins
            self.failed.append(error)

    def _upload(self, owner: str, label: str) -> None:
        folder = honest_bot(self._site.bots, f"late-{owner}", label)
        archive = folder.with_suffix(".zip")
        content = pack_folder(folder, ArchiveLimits()).content
        archive.write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        request = secrets.token_hex(16)
        while not self._over.wait(0.2):
            with contextlib.suppress(ArenaError), self._site.client(owner) as client:
                status = client.upload_version(archive, request=request)
                self.acknowledged.append(Acknowledged(status.number, owner, request, digest))
                return


def kill_run(
    site: Site, kills: int, seed: int, *, work: float = _WORK, say: Any = lambda text: None
) -> Told:
    """Kill so often, after at most `work` seconds each time, and look in the end."""
    chance = random.Random(seed)
    told = Told(seed=seed)
    site.settle()
    server = _started(site, told)
    # Ctrl-C ends the killing, and not the looking afterwards.
    with Authors(site, random.Random(seed + 1)) as authors, contextlib.suppress(KeyboardInterrupt):
        for kill in range(kills):
            if kill % 10 == 0:
                uploads = len(authors.acknowledged)
                say(f"{kill} of {kills}: {dict(told.killed)}, {uploads} uploads")
            server = _kill(site, server, chance, told, work)
    assert not authors.failed, authors.failed
    told.acknowledged = len(authors.acknowledged)
    say("waiting until what was left behind is done")
    _work_off(site)
    assert server.kill(signal.SIGTERM) == 0
    until(lambda: not site.alive(), site.left, seconds=30)
    told.found = look(site, authors.acknowledged)
    return told


def _kill(site: Site, server: Server, chance: random.Random, told: Told, work: float) -> Server:
    """Let it work for a while, and kill something; the server that runs afterwards."""
    what = chance.choices(("server", "helper", "both", "starting server"), (45, 30, 15, 10))[0]
    time.sleep(chance.uniform(0, work))  # the moment is what is tried, not waited for
    helpers = server.helpers()
    if what == "helper" and not helpers:
        what = "server"
    told.killed[what] += 1
    if what in ("helper", "both") and helpers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(chance.choice(helpers), signal.SIGKILL)
    if what == "helper":
        assert server.process.poll() is None, server.errors.read_text()[-2000:]
        return server
    _kill_server(server, told)
    if what == "starting server":
        server = site.start()
        time.sleep(chance.uniform(0, 2))
        _kill_server(server, told)
    return _started(site, told)


def _kill_server(server: Server, told: Told) -> None:
    server.kill()
    began = time.monotonic()
    # The next one may start while the last ones of the killed one end, so this is looked at first
    # only now and then; but they must end.
    until(lambda: not server.processes(), lambda: str(server.processes()), seconds=30)
    told.orphans = max(told.orphans, time.monotonic() - began)


def _started(site: Site, told: Told) -> Server:
    server = site.start()
    told.answers.append(site.first_answer(server))
    return server


def _work_off(site: Site) -> None:
    """Wait until every upload has come to an end: nothing may wait for ever."""
    for owner in _OWNERS:
        with site.client(owner) as client:
            until(
                lambda: all(one.state not in _UNDER_WAY for one in client.uploads()),
                lambda: "an upload never came to an end",
                seconds=4 * DEADLINE,
            )


_UNDER_WAY: Final = ("queued", "at_work")


def main() -> int:
    """Run, and print what came of it; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.killrun", description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="how many (200)")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32), help="of the moments")
    parser.add_argument("--work", type=float, default=_WORK, help="seconds between kills (8)")
    parser.add_argument(
        "--postgresql", action="store_true", help="on a PostgreSQL server that is made for it"
    )
    parser.add_argument(
        "--sandbox", choices=("process", "docker"), default="process", help="of bots (process)"
    )
    parser.add_argument("--json", action="store_true", help="print what came of it as JSON")
    options = parser.parse_args()
    sys.stderr.write(f"seed {options.seed}\n")
    with contextlib.ExitStack() as stack:
        url = ""
        if options.postgresql:
            url = stack.enter_context(stack.enter_context(running_cluster()).fresh())
        site = stack.enter_context(building(url=url, sandbox=Sandbox(options.sandbox)))
        told = kill_run(site, options.kills, options.seed, work=options.work, say=_say)
    facts = told.facts()
    if options.json:
        sys.stdout.write(json.dumps(facts, indent=2) + "\n")
    else:
        sys.stdout.writelines(
            f"{name.replace('_', ' ')}: {value}\n" for name, value in facts.items()
        )
    return 1 if facts["wrong"] else 0


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
