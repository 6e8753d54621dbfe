"""Measures what a ladder's store answers, records and works out again; see `serverbench`."""

from __future__ import annotations

import math
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from arena.app.rated import calendar
from arena.cli.serverbenchfill import Size, Tell, fill
from arena.ladder.matchmaking import Matchmaker
from arena.ladder.pairing import Candidate, Table
from arena.storage.facts import Contender, MatchKind, NewMatch, Receipt, Report, Seat, SeatReport
from arena.storage.matchlist import Filters
from arena.storage.store import Store, open_store
from arena.tournament.ladder.terms import Terms

__all__ = [
    "Asked",
    "Rebuild",
    "Recorded",
    "ask",
    "ask_store",
    "measure_matchmaker",
    "measure_rebuild",
    "measure_recording",
    "page_tokens",
    "resident",
]

PAGE: Final = 50
_MIB: Final = 1024 * 1024
_TABLE: Final = Table(name="classic-2", ruleset="classic", teams=((0,), (1,)))
_LEASE: Final = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How long something that was asked many times took.

    Attributes:
        rate: Answers a second, to those who ask again at once.
        p50, p99: Milliseconds.
        target: The most that `p99` should be, in milliseconds; None: nothing was said.
        processor: Milliseconds of a processor that the answering process takes for one.
        early, late: MiB of the process that answers, after a tenth of all requests and at the end.
    """

    name: str
    count: int
    rate: float
    p50: float
    p99: float
    target: float | None
    processor: float
    early: float
    late: float


def resident(process: int | None = None) -> float:
    """The memory of a process in MiB, this one's if none is named."""
    fields = Path(f"/proc/{process or os.getpid()}/statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / _MIB


def _processor(process: int | None) -> float:
    """Seconds of a processor that a process has used."""
    fields = Path(f"/proc/{process or os.getpid()}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(
    name: str,
    questions: Sequence[Callable[[], object]],
    count: int,
    *,
    target: float | None = None,
    process: int | None = None,
) -> Asked:
    """Ask something so many times, all who ask together; `process` is the one that answers."""
    each = max(10, count // len(questions))
    with ThreadPoolExecutor(len(questions)) as visitors:
        early, took = 0.0, list[float]()
        began, before = time.perf_counter(), _processor(process)
        for part in (each // 10, each - each // 10):
            for times in visitors.map(_ask, questions, [part] * len(questions)):
                took += times
            early = early or resident(process)
        passed, used = time.perf_counter() - began, _processor(process) - before
    return Asked(
        name=name,
        count=len(took),
        rate=len(took) / passed,
        p50=1e3 * statistics.median(took),
        p99=1e3 * sorted(took)[math.ceil(0.99 * len(took)) - 1],
        target=target,
        processor=1e3 * used / len(took),
        early=early,
        late=resident(process),
    )


def _ask(question: Callable[[], object], count: int) -> list[float]:
    """Ask so many times; the seconds that each took."""
    took = []
    for _ in range(count):
        began = time.perf_counter()
        question()
        took.append(time.perf_counter() - began)
    return took


def page_tokens(page: Callable[[str], str]) -> list[str]:
    """The tokens of all pages; `page` returns the next one's token for one's own."""
    tokens = [""]
    while token := page(tokens[-1]):
        tokens.append(token)
    return tokens


def ask_store(store: Store, size: Size, count: int) -> Iterator[Asked]:
    """Ask a full store, as its services do, for what everybody may see; one after the other."""
    random = Random(2)
    standings, matches = store.standings, store.matches
    tokens = page_tokens(lambda token: standings.page(PAGE, token).next)

    def match() -> None:
        number = random.randint(1, size.matches)
        matches.find(number)
        standings.explain(number)

    questions: tuple[tuple[str, Callable[[], object], float | None], ...] = (
        ("page of standings", lambda: standings.page(PAGE, random.choice(tokens)), 50),
        ("standings around an entrant", lambda: standings.around(_one(random, size), PAGE), None),
        ("page of an entrant's matches", lambda: matches.list(_filters(random, size), PAGE), None),
        ("match with its explanation", match, None),
        ("page of rating history", lambda: standings.history(_one(random, size), PAGE), None),
    )
    for name, question, target in questions:
        yield ask(name, [question], count, target=target)


def _one(random: Random, size: Size) -> int:
    return random.randint(1, size.entrants)


def _filters(random: Random, size: Size) -> Filters:
    return Filters(entrant=_one(random, size))


# -- who plays whom -----------------------------------------------------------------------------


def measure_matchmaker(store: Store, count: int) -> Iterator[Asked]:
    """Ask for candidates, and for so many decisions about those that are active."""
    yield ask("candidates, from the store", [store.entrants.candidates], max(10, count // 50))
    active = store.entrants.candidates()
    matchmaker = Matchmaker(store.parameters, [_TABLE])
    owners = {name: number for number, name in enumerate(sorted({one.owner for one in active}))}
    for one in active:
        matchmaker.enter(_candidate(one, owners[one.owner]))
    random = Random(3)

    def decide() -> None:
        pairing = matchmaker.choose(random)
        if pairing is not None:
            matchmaker.began(pairing.meeting)
            matchmaker.ended(pairing.meeting, [1000] * len(pairing.entrants))

    yield ask(f"decision of the matchmaker, {len(active):,} active", [decide], count, target=5)


def _candidate(one: Contender, owner: int) -> Candidate:
    return Candidate(
        entrant=one.entrant,
        owner=owner,
        title=f"{one.owner}/{one.entrant}",
        rating=one.rating,
        matches=one.version_matches,
        players=frozenset(one.players),
        rulesets=frozenset(one.rulesets),
    )


# -- all ratings once more ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuild:
    """What working out all ratings again took.

    Attributes:
        write, check: Matches a second, when all that is stored is put right, and when all of it
            was right.
        processor: Milliseconds of a processor that the answering process takes for one.
        early, late: MiB of this process at the most, before and after both.
    """

    matches: int
    write: float
    check: float
    early: float
    late: float


def measure_rebuild(size: Size, tell: Tell) -> Rebuild:
    """Fill a store of its own and rebuild its ratings, from wrong ones and from right ones."""
    with (
        tempfile.TemporaryDirectory(prefix="arena-bench-") as folder,
        open_store(Path(folder) / "data", calendar) as store,
    ):
        fill(store, size, tell)
        early = _most()
        began = time.perf_counter()
        store.ledger.rebuild()
        written = time.perf_counter()
        found = store.ledger.rebuild(write=False)
        checked = time.perf_counter()
    assert not found.different, found.examples
    return Rebuild(
        matches=size.matches,
        write=size.matches / (written - began),
        check=size.matches / (checked - written),
        early=early,
        late=_most(),
    )


def _most() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# -- recording ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Recorded:
    """Transactions a second, each on the disk, and bare writes of a page to that disk."""

    leases: float
    renewals: float
    reports: float
    bare: float


def measure_recording(count: int) -> Recorded:
    """Lease and record so many matches, one after the other."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        with open_store(Path(folder) / "data", calendar) as store:
            fill(store, Size(100, 100))
            new = [_new(one) for one in range(count)]
            began = time.perf_counter()
            leases = [store.matches.lease_new(one, "local", _LEASE) for one in new]
            leased = time.perf_counter()
            for one in leases:
                store.matches.renew(one.match, one.attempt, one.token, _LEASE)
            renewed = time.perf_counter()
            reports = [_report(one.match, one.attempt, one.token) for one in leases]
            sent = time.perf_counter()
            receipts = {store.matches.record(one) for one in reports}
            recorded = time.perf_counter()
        assert receipts == {Receipt.RECORDED}
        bare = _bare(Path(folder) / "bare", count)
    return Recorded(
        leases=count / (leased - began),
        renewals=count / (renewed - leased),
        reports=count / (recorded - sent),
        bare=bare,
    )


def _new(number: int) -> NewMatch:
    one, other = 1 + number % 50, 51 + number % 50
    return NewMatch(
        kind=MatchKind.RATED,
        table=_TABLE.name,
        seats=(Seat(one, one), Seat(other, other)),
        teams=_TABLE.teams,
        terms=Terms().as_json(),
    )


def _report(match: int, attempt: int, token: str) -> Report:
    now = calendar()
    return Report(
        match=match,
        attempt=attempt,
        token=token,
        verdict="COMPLETED",
        why="completed",
        ranks=(0, 1),
        seats=(SeatReport(points=9000, wins=12), SeatReport(points=6000, wins=8)),
        games=20,
        record="",
        head="",
        started=now,
        ended=now,
        machine_time=60_000,
    )


def _bare(path: Path, count: int) -> float:
    """Pages a second that are written to a file and flushed to the disk, one by one."""
    page = bytes(4096)
    began = time.perf_counter()
    with path.open("wb", buffering=0) as file:
        for _ in range(count):
            file.write(page)
            os.fsync(file.fileno())
    return count / (time.perf_counter() - began)
