"""`python -m tests.competitions`: whole competitions on a real server, which is killed in between.

The examples of `arena competition init` are played with copies of the example bots, by the real
commands: opened, entered, frozen while one upload is under way and before another, started; then
somebody is disqualified, a pairing is played again, and the server's processes are killed. In the
end all is archived, verified, and looked at as after any fault.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.cli.competitioninit import Example, example_text
from arena.storage.facts import AttemptState, TokenKind, UploadState
from arena.submissions.limits import ArchiveLimits
from arena.submissions.packing import pack_folder
from arena.tournament.competition.events import Level
from arena.tournament.competition.regulations import Source
from arena.tournament.competition.regulationsoutline import outline
from arena.tournament.matches import Sandbox
from arena.transport.client_wire import ServerFault
from tests.e2e.cups import Cup, cup_bot
from tests.faults.site import Site, building, until

__all__ = ["Outcome", "main", "play", "rewritten"]

SOURCES: Final = ("keeper", "cautious", "racer", "random")
BOTS: Final = {Example.SCHOOL: 12, Example.COMPANY: 20, Example.FINAL: 8, Example.TABLES: 16}
AT_ONCE: Final = 3
"""Owners who do something at the same time."""
PLAYED: Final = 4 * 3600.0
"""Seconds that no competition here takes by far."""

LIMITS: Final = '[limits]\nwindow = "prompt"\nresponse_window = 30\nstart_up = 100\nturn = 60\n'
"""Limits that no bot runs into because this machine is busy; no sandbox of processes is sealed."""

SANDBOX: Final = "[sandbox]\nmemory = 128\nprocessors = 0.9\nprocesses = 64\n"
"""Limits that differ from the ladder's; a bot in Python needs less."""

Say = Callable[[str], None]


@dataclass(kw_only=True)
class Outcome:
    """What came of a competition.

    Attributes:
        seconds: What took how long, in the order in which it happened.
        happened: What was done to it, and what came of that.
        wrong: What should not be so.
        planned: Seconds of play that the planner has expected; None: it cannot be asked.
    """

    kind: str
    bots: int
    matches: int = 0
    attempts: int = 0
    void: int = 0
    games: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    happened: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    planned: float | None = None


def rewritten(text: str, *, small: bool, sandbox: Sandbox) -> str:
    """An example with boards for a minute instead of an afternoon, and with patient limits."""
    if small:
        text = re.sub(r"(?m)^(boards|extra_boards) = \d+", r"\1 = 1", text)
        text = re.sub(r"(?m)^hands = 0", "hands = 1", text)
    if sandbox is Sandbox.PROCESS:
        text = re.sub(r"(?m)^\[limits\]\n(?:\w.*\n)*", "", text)
        text = text.replace("[entrants]\n", f"{LIMITS}\n[entrants]\n", 1)
    else:
        text = text.replace("[entrants]\n", f"{SANDBOX}\n[entrants]\n", 1)
    return text


class Run:
    """One competition, from an empty folder to its archive."""

    def __init__(self, cup: Cup, outcome: Outcome, say: Say) -> None:
        self._cup = cup
        self._site: Site = cup.site
        self._outcome = outcome
        self._say = say
        self._titles = titles_of(cup, outcome.bots)

    def go(self) -> None:
        """All of it."""
        self._timed("start", self._cup.start)
        self._timed("uploads", self._enter_ladder)
        self._cup.organise("open")
        if self._cup.regulations.entrants.source is Source.OPEN:
            self._timed("entries", lambda: self._each(self._cup.enter, self._titles))
        commitment = self._timed("freeze", self._freeze)
        if self._cup.regulations.seed.public:
            self._cup.organise("mix", "0123456789abcdef" * 4)
            self._tell("the public value was mixed in")
        self._cup.organise("start")
        self._timed("play", self._play)
        head = self._finish()
        self._timed("archive and verify", lambda: self._archive(head, commitment))
        self._cup.end()
        self._outcome.wrong += self._cup.wrong()

    # -- before it begins -----------------------------------------------------------------------

    def _enter_ladder(self) -> None:
        with self._cup.operator() as client:
            for owner in dict.fromkeys(title.partition("/")[0] for title in self._titles):
                client.create_owner(owner)
                self._site.tokens[owner], _ = client.issue_token(TokenKind.OWNER, owner=owner)
        self._each(self._upload, self._titles)

    def _each(self, deed: Callable[[str], object], titles: Sequence[str]) -> None:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(deed, titles))

    def _upload(self, title: str, label: str = "1") -> None:
        """Have a version accepted."""
        self._accepted(title, self._sent(title, label))

    def _sent(self, title: str, label: str) -> int:
        owner, _, name = title.partition("/")
        source = SOURCES[self._titles.index(title) % len(SOURCES)]
        folder = cup_bot(self._cup, name, label, source=source)
        archive = folder.with_suffix(".zip")
        archive.write_bytes(pack_folder(folder, ArchiveLimits()).content)
        with self._site.client(owner) as client:
            return client.upload_version(archive).number

    def _accepted(self, title: str, number: int) -> None:
        states: list[Any] = []

        def is_over() -> bool:
            try:
                with self._site.client(title.partition("/")[0]) as client:
                    states[:] = [client.upload(number)]
            except ServerFault:  # too busy to answer in time
                return False
            return states[0].state not in (UploadState.QUEUED, UploadState.AT_WORK)

        self._cup.wait(is_over)
        assert states[0].state is UploadState.ACCEPTED, states[0]

    def _freeze(self) -> str:
        """Freeze while an upload is under way, and before another one; the commitment."""
        counted, late = self._titles[:2]
        number = self._sent(counted, "2")
        self._cup.organise("freeze")
        after = self._sent(late, "2")
        for title, one in ((counted, number), (late, after)):
            self._accepted(title, one)
        self._cup.wait(lambda: self._cup.progress().phase == "frozen")
        here = self._cup.state()
        plays = {one.title: one.ordinal for one in here.entries}
        wanted = {title: 2 if title == counted else 1 for title in self._titles}
        if plays != wanted:
            self._outcome.wrong.append(f"frozen with {plays}, and not with {wanted}")
        self._tell(f"frozen: {counted} with an upload under way, {late} without a later one")
        return here.commitment

    # -- while it is played ---------------------------------------------------------------------

    def _play(self) -> None:
        total = sum(one.matches for one in outline(self._cup.regulations, self._outcome.bots))
        deeds: list[tuple[int, Callable[[], None]]] = [
            (total // 4, self._disqualify),
            (total // 3, self._rerun),
            (total // 2, self._kill),
        ]
        deadline = time.monotonic() + PLAYED
        said = 0.0
        while True:
            progress = self._cup.progress()
            if time.monotonic() - said > 20:
                self._say(f"stage {progress.stage}, {progress.decided} of about {total} decided")
                said = time.monotonic()
            if deeds and (progress.decided >= deeds[0][0] or progress.is_played):
                deeds.pop(0)[1]()
                self._look_away()
                continue
            if progress.is_played:
                break
            assert self._cup.server.process.poll() is None, self._cup.last_words()
            assert time.monotonic() < deadline, self._cup.last_words()
            stuck = self._cup.server.told("competition stuck")
            assert not stuck, stuck
            time.sleep(0.5)
        self._look_away()

    def _look_away(self) -> None:
        """Nobody sees what is hidden from them."""
        if self._cup.regulations.release.during is Level.PUBLIC:
            return
        seen = self._cup.leaks()
        if self._cup.regulations.release.during is Level.HIDDEN:
            seen += self._cup.leaks(self._titles[0].partition("/")[0])
        self._outcome.wrong += [f"seen by a stranger: {one}" for one in seen]

    def _disqualify(self) -> None:
        self._tell(f"{self._cup.disqualify_last()} disqualified")

    def _rerun(self) -> None:
        stage, pairing = self._cup.play_again()
        self._tell(f"{pairing.title} of stage {stage} played again")

    def _kill(self) -> None:
        seconds = self._cup.kill()
        self._tell(f"killed, and answers again {seconds:.1f} s after the next start")

    # -- afterwards -----------------------------------------------------------------------------

    def _finish(self) -> str:
        found = self._cup.organise("finish")
        if found["level"] != self._cup.regulations.release.after:
            self._tell(f"finished and for {found['level']}, released by hand")
            found = self._cup.organise("release", str(self._cup.regulations.release.after))
        late = self._titles[1]
        for match, pairing in self._cup.matches():
            self._outcome.matches += 1
            self._outcome.attempts += len(match.attempts)
            self._outcome.void += sum(one.state is not AttemptState.DONE for one in match.attempts)
            self._outcome.games += match.result.games if match.result is not None else 0
            played = {seat.ordinal for seat in match.seats if seat.title == late}
            if played - {1}:
                self._outcome.wrong.append(f"{pairing}: {late} has played with {played}")
        head: str = found["head"]
        return head

    def _archive(self, head: str, commitment: str) -> None:
        summary, verified = self._cup.archived(head, commitment)
        self._tell(f"archive of {summary['files']} files, {summary['size']:,} bytes")
        self._tell(f"verified: {verified['records']} records, {verified['games']} games")
        self._outcome.wrong += [f"archive: {one}" for one in verified["findings"]]

    def _timed(self, what: str, deed: Callable[[], Any]) -> Any:
        began = time.monotonic()
        found = deed()
        self._outcome.seconds[what] = time.monotonic() - began
        self._say(f"{what}: {self._outcome.seconds[what]:.1f} s")
        return found

    def _tell(self, text: str) -> None:
        self._outcome.happened.append(text)
        self._say(text)


def titles_of(cup: Cup, bots: int) -> list[str]:
    """Who plays; as many of one owner as the regulations allow."""
    rules = cup.regulations.entrants
    if rules.source is Source.INVITED:
        return list(rules.invited)
    return [
        f"owner{number // rules.per_owner:02}/{SOURCES[number % len(SOURCES)]}-{number:02}"
        for number in range(bots)
    ]


def play(kind: Example, folder: Path, *, small: bool, sandbox: Sandbox, say: Say) -> Outcome:
    """A competition; its archive and what the servers have written end up in `folder`."""
    outcome = Outcome(kind=kind, bots=BOTS[kind])
    text = rewritten(example_text(kind), small=small, sandbox=sandbox)
    with building(sandbox=sandbox) as site:
        cup = Cup(site, text)
        try:
            outcome.planned = planned(cup, outcome.bots)
            Run(cup, outcome, say).go()
        except Exception as error:
            # Whatever it is, the other competitions are still played.
            outcome.wrong.append(f"{type(error).__name__}: {error}")
        finally:
            kept(site, folder / kind)
    until(lambda: not site.alive())
    return outcome


def planned(cup: Cup, bots: int) -> float | None:
    """Seconds of play that the planner expects; None: it cannot be asked, or says nothing."""
    options = ("--entrants", str(bots), "--simulations", "20", "--json")
    try:
        done = cup.run("competition", "plan", str(cup.file), *options)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        return None
    seconds: float = json.loads(done.stdout)["time"]["seconds"]
    return seconds


def kept(site: Site, folder: Path) -> None:
    """Move what somebody may want to look at afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [*site.root.glob("errors-*.jsonl"), site.root / "archive", site.root / "arena.toml"]
    for one in (*wanted, site.root / "competition.toml"):
        if one.exists():
            one.rename(folder / one.name)


def shown(outcomes: Sequence[Outcome]) -> str:
    """The table, and what happened below it."""
    heads = ("kind", "bots", "matches", "attempts", "void", "games", "play s", "planned s", "all s")
    rows = [
        (
            one.kind,
            str(one.bots),
            str(one.matches),
            str(one.attempts),
            str(one.void),
            str(one.games),
            f"{one.seconds.get('play', 0.0):.0f}",
            "-" if one.planned is None else f"{one.planned:.0f}",
            f"{sum(one.seconds.values()):.0f}",
        )
        for one in outcomes
    ]
    lines = ["  ".join(f"{cell:>9}" for cell in row) for row in (heads, *rows)]
    if any(one.planned is None for one in outcomes):
        lines.append("`arena competition plan FILE --json` has said nothing here: no estimate")
    for one in outcomes:
        lines += [f"{one.kind}: {what} {seconds:.1f} s" for what, seconds in one.seconds.items()]
        lines += [f"{one.kind}: {what}" for what in one.happened]
        lines += [f"{one.kind}: WRONG: {what}" for what in one.wrong or ()]
        lines += [] if one.wrong else [f"{one.kind}: all holds"]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Play, and print what came of it; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.competitions", description=__doc__)
    parser.add_argument("kind", nargs="?", choices=(*Example, "all"), default="school")
    parser.add_argument("--sandbox", choices=("process", "docker"), default="process")
    parser.add_argument("--small", action="store_true", help="one board a match")
    parser.add_argument("--folder", type=Path, default=Path("competitions"), help="for archives")
    options = parser.parse_args()
    kinds = list(Example) if options.kind == "all" else [Example(options.kind)]
    for kind in kinds:
        if (options.folder / kind).exists():
            parser.error(f"--folder {options.folder}: has a {kind} already; name another one")
    outcomes = []
    for kind in kinds:

        def say(text: str, kind: Example = kind) -> None:
            sys.stderr.write(f"{time.strftime('%H:%M:%S')} {kind}: {text}\n")
            sys.stderr.flush()

        sandbox = Sandbox(options.sandbox)
        folder = options.folder.absolute()
        outcomes.append(play(kind, folder, small=options.small, sandbox=sandbox, say=say))
    sys.stdout.write(shown(outcomes))
    return 1 if any(one.wrong for one in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
