"""What the record of a ladder's match says, to be compared with the rows of that match."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from arena.cli.records import open_record
from arena.errors import InputError
from arena.referee.heading import Header
from arena.referee.reading import lines_of, read_record
from arena.referee.verifying import verify
from arena.storage.checkrecords import Differs, Recorded
from arena.tournament.ladder.again import Seen
from arena.tournament.ladder.terms import terms_from

if TYPE_CHECKING:
    from arena.storage.facts import Report

__all__ = ["agreed_in", "said_by"]

_FACTS: Final = ("match", "attempt", "kind", "table", "entrants", "versions", "commitment")
"""What the ladder writes into a header; a record that lacks some of it says nothing of that."""


def agreed_in(path: Path) -> Recorded:
    """What the header of a record says; nothing is played again.

    What is no record says nothing: its bytes are those that the ledger chains, so nobody has
    changed them since.
    """
    try:
        with open_record(path) as file:
            header, _ = read_record(lines_of(file))
            return Recorded(said=_facts(file), differs=_differs(header))
    except InputError:
        return Recorded()


def said_by(path: Path) -> Recorded:
    """What a record says, once it was played again by the rules.

    Raises:
        InputError: it does not hold.
    """
    seen = Seen()
    with open_record(path) as file:
        verified = verify(file, seen)
        facts = _facts(file)
    report = seen.report(verified)
    return Recorded(
        head=verified.head,
        said={**facts, **_outcome(report)},
        differs=_differs(verified.header),
    )


def _facts(file: BinaryIO) -> dict[str, Any]:
    file.seek(0)
    header: dict[str, Any] = json.loads(file.readline())
    return {name: header[name] for name in _FACTS if name in header}


def _outcome(report: Report) -> dict[str, Any]:
    return {
        "verdict": report.verdict,
        "why": report.why,
        "ranks": list(report.ranks),
        "games": report.games,
        **{
            name: [getattr(seat, name) for seat in report.seats]
            for name in ("points", "wins", "shares", "forfeit", "detail")
        },
    }


def _differs(header: Header) -> Differs:
    def differs(stored: Mapping[str, Any], teams: Sequence[Sequence[int]]) -> str:
        try:
            pairs = _compared(header, stored, tuple(map(tuple, teams)))
        except (InputError, TypeError, ValueError, AttributeError) as error:
            return str(error)
        return ", ".join(name for name, (row, record) in pairs.items() if row != record)

    return differs


def _compared(
    header: Header, stored: Mapping[str, Any], teams: tuple[tuple[int, ...], ...]
) -> dict[str, tuple[object, object]]:
    """What was agreed, by its name: as the row has it, and as the record has it.

    Lags are left out: the row does not say which of the host's delays are excused.
    """
    plan, terms = header.agreed, terms_from(stored)
    players = sum(map(len, teams))
    rules, limits = terms.rules(players), terms.limits
    return {
        "preset": (rules.preset, plan.rules.preset),
        "options": (rules.options(), plan.rules.options()),
        "teams": (terms.seating(teams).teams, plan.seating.teams),
        "boards": (tuple(range(terms.boards)), header.boards),
        "games": (terms.legs(players), plan.legs),
        "hands": (terms.length, plan.length),
        "striped": (terms.striped, plan.striped),
        "times": (limits.time, plan.limits.time),
        "faults": (limits.faults, plan.limits.faults),
        "window": (limits.window, plan.limits.window),
    }
