"""The folder of an archived competition: what is in it, by names, and what stands in the files.

    competition.toml        the regulations, byte for byte
    journal.jsonl           the journal's lines as they were stored
    matches.jsonl           every match with every attempt, one JSON object a line
    records/M-A.jsonl       the record of attempt A of match M, as it was hashed
    tables/...              tables and pairings, for spreadsheets and for programs
    index.html ...          pages to look at and to print
    MANIFEST.json           the head of the journal, and the SHA-256 of every other file

`archive` writes it, `archiveverify` checks it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from arena.errors import HostFault, InputError, quoted
from arena.storage.facts import (
    AttemptState,
    Match,
    MatchKind,
    MatchState,
    Moment,
    Result,
    Seat,
    SeatReport,
)
from arena.tournament.answers import PublicSeatResult
from arena.tournament.carrying import carried
from arena.tournament.competition.events import FrozenEntry
from arena.tournament.competition.jsonvalues import object_from, valued
from arena.tournament.competition.state import Competition

__all__ = [
    "FORMAT",
    "INDEX",
    "JOURNAL",
    "MANIFEST",
    "MATCHES",
    "RECORDS",
    "REGULATIONS",
    "TABLES",
    "ArchivedAttempt",
    "ArchivedMatch",
    "ArchivedResult",
    "ArchivedSeat",
    "Manifest",
    "archived",
    "manifest_from",
    "match_from",
    "names_of_runs",
    "record_name",
    "restored",
    "result_of",
]

FORMAT: Final = "mille-arena-competition/1"
MANIFEST: Final = "MANIFEST.json"
REGULATIONS: Final = "competition.toml"
JOURNAL: Final = "journal.jsonl"
MATCHES: Final = "matches.jsonl"
INDEX: Final = "index.html"
RECORDS: Final = "records"
TABLES: Final = "tables"


def record_name(match: int, attempt: int) -> str:
    """The record of an attempt, as a path in the folder."""
    return f"{RECORDS}/{match}-{attempt}.jsonl"


# -- the manifest -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What is in an archive.

    Attributes:
        name: What the competition is called.
        head: The chain of the journal's last line.
        made_by: The version of the arena that has written it, and so what its pages look like.
        files: By path in the folder, the SHA-256 of every file but this one.
    """

    format: str
    name: str
    head: str
    made_by: str
    files: dict[str, str]

    def as_bytes(self) -> bytes:
        """The file: a line for each file, so that two archives can be compared by eye."""
        facts = {
            "format": self.format,
            "name": self.name,
            "head": self.head,
            "made_by": self.made_by,
            "files": dict(sorted(self.files.items())),
        }
        return json.dumps(facts, ensure_ascii=False, indent=1).encode() + b"\n"


def manifest_from(content: bytes) -> Manifest:
    """The manifest in a file; raises InputError if that is none of this format."""
    facts = object_from(content)
    if facts.get("format") != FORMAT:
        raise InputError(f"its format is {quoted(facts.get('format'))}; here {FORMAT} is read")
    found = valued(Manifest, facts)
    for name, digest in found.files.items():
        if not isinstance(digest, str):
            raise InputError(f"files: {quoted(name)} must have a SHA-256, not {quoted(digest)}")
    return found


# -- matches ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedSeat:
    """Who sat where: a bot as OWNER/NAME, the number of its version, and that version's digest."""

    title: str
    ordinal: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedAttempt:
    """See `storage.facts.Attempt`."""

    number: int
    state: AttemptState
    worker: str
    commitment: str
    seed: str
    leased: Moment
    ended: Moment | None
    why: str
    record: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedResult:
    """See `storage.facts.Result`; what the bots have written is not in an archive."""

    attempt: int
    verdict: str
    why: str
    ranks: tuple[int, ...]
    seats: tuple[PublicSeatResult, ...]
    games: int
    record: str
    head: str
    started: Moment
    ended: Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedMatch:
    """See `storage.facts.Match`; `pairing` is STAGE/KEY/RUN."""

    number: int
    pairing: str
    table: str
    state: MatchState
    created: Moment
    why: str
    teams: tuple[tuple[int, ...], ...]
    terms: dict[str, Any]
    seats: tuple[ArchivedSeat, ...]
    attempts: tuple[ArchivedAttempt, ...]
    result: ArchivedResult | None


def match_from(line: bytes) -> ArchivedMatch:
    """The match on a line of matches.jsonl; raises InputError if there is none."""
    return valued(ArchivedMatch, object_from(line))


def archived(here: Competition, match: Match) -> ArchivedMatch:
    """A match of the store as an archive has it.

    Raises:
        HostFault: somebody sits there who does not play in the competition.
    """
    return carried(
        ArchivedMatch,
        match,
        seats=tuple(_seat(here, match, seat) for seat in match.seats),
        attempts=tuple(carried(ArchivedAttempt, one) for one in match.attempts),
        result=None if match.result is None else _result(match.result),
    )


def _seat(here: Competition, match: Match, seat: Seat) -> ArchivedSeat:
    for entry in here.entries:
        if (entry.entrant, entry.version) == (seat.entrant, seat.version):
            return ArchivedSeat(title=entry.title, ordinal=entry.ordinal, digest=entry.digest)
    raise HostFault(
        f"match {match.number}: version {seat.version} of entrant {seat.entrant} sits there, "
        "which is not among the entries of the competition"
    )


def _result(result: Result) -> ArchivedResult:
    seats = tuple(carried(PublicSeatResult, seat) for seat in result.seats)
    return carried(ArchivedResult, result, seats=seats)


# -- back ---------------------------------------------------------------------------------------


def restored(here: Competition, match: ArchivedMatch) -> Match:
    """What views have to know of a match; who sits there is looked up in the competition.

    Raises:
        InputError: somebody sits there who does not play in the competition.
    """
    entries = {entry.title: entry for entry in here.entries}
    return carried(
        Match,
        match,
        kind=MatchKind.COMPETITION,
        seats=tuple(_sat(entries, seat) for seat in match.seats),
        attempts=(),
        result=None if match.result is None else result_of(match.number, match.result),
    )


def _sat(entries: Mapping[str, FrozenEntry], seat: ArchivedSeat) -> Seat:
    entry = entries.get(seat.title)
    if entry is None:
        raise InputError(f"seats: {quoted(seat.title)} is not among the entries")
    return Seat(entry.entrant, entry.version)


def result_of(match: int, result: ArchivedResult) -> Result:
    """The result of a match."""
    seats = tuple(carried(SeatReport, seat) for seat in result.seats)
    return carried(Result, result, match=match, seats=seats)


def names_of_runs(here: Competition) -> Sequence[str]:
    """What the matches of a competition may be for: every run of every pairing."""
    return [
        f"{stage.number}/{key}/{run}"
        for stage in here.stages
        for key, runs in stage.runs.items()
        for run in range(1, runs + 1)
    ]
