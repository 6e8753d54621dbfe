"""Whether versions are what their digests say, and whether their numbers follow from the results.

What cannot be told from the rows: forfeits in a row that an operator has forgiven, so `failing` has
an upper end only; and whether an attempt that was lost counts as a void one, where its row does not
say that it came of play, as those of older programs do not.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, func, select

from arena.storage.checkpieces import PIECE, UNREADABLE, Findings, WholeMatch
from arena.storage.facts import AttemptState, EntryKind, MatchKind, VersionState
from arena.storage.schema import ENTRANTS, LEDGER, OWNERS, VERSIONS

__all__ = ["Counters", "check_versions"]

_PRESENT: Final = (VersionState.ACTIVE, VersionState.PROBATION, VersionState.QUARANTINED)


@dataclass(slots=True)
class _Counted:
    """What the matches of a version come to; the last two are entries in the ledger."""

    matches: int = 0
    forfeits: int = 0
    voids: int = 0
    lost_before: int = 0
    kept: int = 0
    """The last match that it did not forfeit."""
    lost: list[int] = field(default_factory=list)
    """Those after it."""


class Counters:
    """Counts what each version has done; memory is for the versions."""

    def __init__(self) -> None:
        self._of: dict[int, _Counted] = defaultdict(_Counted)

    def of(self, version: int) -> _Counted:
        """The numbers of a version."""
        return self._of[version]

    def take(self, match: WholeMatch) -> None:
        """Count a match, if it is rated; what makes no sense is passed over, for it is told."""
        if match.row["kind"] == MatchKind.RATED:
            with contextlib.suppress(*UNREADABLE):
                self._take(match)

    def _take(self, match: WholeMatch) -> None:
        if match.result is not None:
            entry = match.result["entry"] or 0
            for seat, said in zip(match.seats, match.result["seats"], strict=False):
                _count(self.of(seat["version"]), entry, is_lost=bool(said["forfeit"]))
        for attempt in match.attempts:
            self._take_attempt(match, attempt)

    def _take_attempt(self, match: WholeMatch, attempt: RowMapping) -> None:
        versions = {seat["version"] for seat in match.seats}
        if attempt["report"] is not None:  # it came of play, whether it was reported or not
            blamed = attempt["report"].get("blamed")
            at_fault = versions if blamed is None else {match.seats[blamed]["version"]}
            for version in at_fault:
                self.of(version).voids += 1
        elif attempt["state"] == AttemptState.LOST:
            for version in versions:
                self.of(version).lost_before += 1


def _count(counted: _Counted, entry: int, *, is_lost: bool) -> None:
    counted.matches += 1
    counted.forfeits += is_lost
    if is_lost and entry > counted.kept:
        counted.lost.append(entry)
    elif not is_lost and entry > counted.kept:
        counted.kept = entry
        counted.lost = [one for one in counted.lost if one > entry]


def check_versions(connection: Connection, counters: Counters, findings: Findings) -> None:
    """Look at versions, entrants and owners; `counters` has been told of all matches."""
    after = 0
    while rows := _piece(connection, after, findings):
        for row in rows:
            _check_version(row, counters, findings)
        after = rows[-1]["number"]
    _check_entrants(connection, counters, findings)
    negative = select(OWNERS.c.name).where(OWNERS.c.machine_time < 0)
    for name in connection.scalars(negative):
        findings.add(8, f"owner {name}", "has taken less than no time of the machine")


_QUERY: Final = (
    select(VERSIONS, ENTRANTS.c.name, ENTRANTS.c.version.label("plays"))
    .outerjoin_from(VERSIONS, ENTRANTS, VERSIONS.c.entrant == ENTRANTS.c.number)
    .order_by(VERSIONS.c.number)
)


def _piece(connection: Connection, after: int, findings: Findings) -> list[RowMapping]:
    """The next versions; those whose rows cannot be read are found and passed over."""
    following = _QUERY.where(VERSIONS.c.number > after)
    try:
        return list(connection.execute(following.limit(PIECE)).mappings())
    except UNREADABLE:
        pass
    numbers = select(VERSIONS.c.number).where(VERSIONS.c.number > after)
    rows: list[RowMapping] = []
    for number in connection.scalars(numbers.order_by(VERSIONS.c.number)).all():
        try:
            one = connection.execute(_QUERY.where(VERSIONS.c.number == number)).mappings().one()
        except UNREADABLE as error:
            findings.add(5, f"version {number}", "its row cannot be read: ", str(error))
        else:
            rows.append(one)
    return rows


def _check_version(row: RowMapping, counters: Counters, findings: Findings) -> None:
    thing = f"version {row['number']}"
    if hashlib.sha256(bytes(row["content"])).hexdigest() != row["digest"]:
        findings.add(5, thing, "its content is not the one whose digest its row names")
    try:
        said = _said(json.loads(bytes(row["content"])))
        for name, value in said.items():
            if row[name] != value:
                words = f"its content says another {name} than its row"
                findings.add(5, thing, words, f", {row[name]}; {value} would be right")
    except UNREADABLE:
        findings.add(5, thing, "its content is none of a version")
    counted = counters.of(row["number"])
    for name in ("matches", "forfeits"):
        right = getattr(counted, name)
        if row[name] != right:
            words = f"counts other {name} than its results come to"
            findings.add(3, thing, words, f": {row[name]}, not {right}")
    if not 0 <= row["failing"] <= len(counted.lost):
        told = f": {row['failing']}, not 0 to {len(counted.lost)}"
        findings.add(3, thing, "counts other forfeits in a row than its results come to", told)
    most = counted.voids + counted.lost_before
    if not counted.voids <= row["voids"] <= most:
        told = f": {row['voids']}, not {counted.voids} to {most}"
        findings.add(3, thing, "counts other void attempts than there were", told)
    _check_state(row, thing, findings)


def _said(content: dict[str, Any]) -> dict[str, Any]:
    """What a version says, by the columns of its row; `name` is its entrant's."""
    bot = content["manifest"]
    said = {name: content[name] for name in ("archive", "artefact", "image")}
    said |= {name: bot[name] for name in ("name", "players", "rulesets")}
    return said | {"label": bot["version"]}


def _check_state(row: RowMapping, thing: str, findings: Findings) -> None:
    state, plays = row["state"], row["plays"] == row["number"]
    if state not in list(VersionState):
        findings.add(8, thing, "is in no state that there is")
    elif state == VersionState.ACTIVE and not plays:
        findings.add(8, thing, "is active, and is not the one that its entrant plays with")
    elif state not in _PRESENT and plays:
        findings.add(8, thing, "is superseded, and is the one that its entrant plays with")


def _check_entrants(connection: Connection, counters: Counters, findings: Findings) -> None:
    changes = _changes(connection)
    for row in connection.execute(_ENTRANTS):
        thing = f"entrant {row.number}"
        changed_to = changes.get(row.number)
        if row.version is None:
            if row.owned:
                findings.add(8, thing, "has versions, and plays with none")
        elif row.of != row.number:
            findings.add(8, thing, "plays with a version that is not its own")
        elif (
            changed_to is not None
            and row.version not in changed_to
            and not counters.of(row.version).matches
        ):
            # A return to one that has played is no entry.
            words = "plays with a version that has not played, and the ledger knows no change to it"
            findings.add(8, thing, words)


_PLAYED: Final = VERSIONS.alias("played")
_ENTRANTS: Final = (
    select(
        ENTRANTS.c.number,
        ENTRANTS.c.version,
        select(func.count())
        .where(VERSIONS.c.entrant == ENTRANTS.c.number)
        .correlate(ENTRANTS)
        .scalar_subquery()
        .label("owned"),
        _PLAYED.c.entrant.label("of"),
    )
    .outerjoin_from(ENTRANTS, _PLAYED, _PLAYED.c.number == ENTRANTS.c.version)
    .order_by(ENTRANTS.c.number)
)


def _changes(connection: Connection) -> dict[int, set[int]]:
    """The versions that entrants have changed to, as the ledger says it."""
    query = select(LEDGER.c.entrant, LEDGER.c.version).where(LEDGER.c.kind == EntryKind.VERSION)
    found: dict[int, set[int]] = defaultdict(set)
    for row in connection.execute(query):
        found[row.entrant].add(row.version)
    return found
