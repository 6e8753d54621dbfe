"""Whether a record says what the rows of its match say.

Who can read records hands in a function: storage knows no games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.errors import HostFault, InputError, quoted
from arena.storage.checkpieces import UNREADABLE, Findings, WholeMatch
from arena.storage.files import FileStore
from arena.storage.inputs import cleaned

__all__ = ["Differs", "RecordCheck", "Recorded", "check_record"]

Differs = Callable[[Mapping[str, Any], Sequence[Sequence[int]]], str]
"""Told the terms and teams of a match as they are stored, what of them is another in the record."""


def _not_looked_at(_terms: Mapping[str, Any], _teams: Sequence[Sequence[int]]) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a record says; what it does not say, or nobody has looked at, is not compared.

    Attributes:
        head: The chain hash of its last line; empty: not looked at.
        said: Some of `match`, `attempt`, `kind`, `table`, `entrants`, `versions` (digests by seat),
            `commitment`, `verdict`, `why`, `ranks`, `games`, and by seat `points`, `wins`,
            `shares`, `forfeit`, `detail`, as JSON.
        differs: See there; empty: nothing does.
    """

    head: str = ""
    said: Mapping[str, Any] = field(default_factory=dict)
    differs: Differs = _not_looked_at


RecordCheck = Callable[[Path], Recorded | str]
"""Reads a record, or returns its head only; raises ArenaError if it does not hold."""


def check_record(
    match: WholeMatch, records: FileStore, read: RecordCheck, findings: Findings
) -> None:
    """Look at the record of a match that has a result and whose file is there."""
    result, thing = match.result, f"match {match.number}"
    if result is None or result["record"] not in records:
        return  # told already
    try:
        found = read(records.place(result["record"]))
    except (InputError, HostFault) as error:
        findings.add(5, thing, "its record does not hold: ", str(error))
        return
    recorded = Recorded(head=found) if isinstance(found, str) else found
    if recorded.head not in {"", result["head"]}:
        told = f"{recorded.head}, the row says {result['head']}"
        findings.add(5, thing, "its record ends with ", told)
    try:
        _compare(match, recorded, findings)
    except UNREADABLE as error:
        findings.add(5, thing, "its rows make no sense: ", str(error))


def _compare(match: WholeMatch, recorded: Recorded, findings: Findings) -> None:
    thing = f"match {match.number}"
    rows = _rows(match)
    for name, value in recorded.said.items():
        is_, right = rows[name], cleaned(value)
        if is_ != right:
            told = f"says {quoted(is_)}, not {quoted(right)}"
            findings.add(5, thing, f"its record has another {name}: ", f"the row {told}")
    problem = recorded.differs(match.row["terms"], match.row["teams"])
    if problem:
        findings.add(5, thing, "its record was played by other terms or teams: ", problem)


def _rows(match: WholeMatch) -> dict[str, Any]:
    """What the rows of a match say, by the names of `Recorded.said`."""
    row, result = match.row, match.result
    assert result is not None
    attempts = [one for one in match.attempts if one["number"] == result["attempt"]]
    said = {name: result[name] for name in ("attempt", "verdict", "why", "ranks", "games")}
    said |= {"match": str(row["number"]), "kind": row["kind"], "table": row["table"]}
    said |= {"commitment": attempts[0]["commitment"] if attempts else None}
    said |= {"entrants": [seat["entrant"] for seat in match.seats]}
    said |= {"versions": [seat["digest"] for seat in match.seats]}
    seats = result["seats"]
    by_seat = ("points", "wins", "shares", "forfeit", "detail")
    return said | {name: [seat[name] for seat in seats] for name in by_seat}
