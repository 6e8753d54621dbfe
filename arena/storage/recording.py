"""What becomes of a report: recorded once, whatever is sent again, late, or by somebody else.

The payload of a report is the canonical JSON of all that it says but its token and its machine
time: an object with the keys `attempt`, `blamed`, `ended`, `games`, `head`, `match`, `ranks`,
`record`, `seats`, `started`, `verdict` and `why`. Its SHA-256 tells whether two reports are the
same, and is what the ledger chains. A result's payload can be made again from its row.

    the attempt is not known, or its token is another one     STALE
    it has a report: of the same payload, of another one      DUPLICATE, CONFLICT
    it was lost or taken back meanwhile                       STALE
    otherwise                                                 RECORDED
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, and_, bindparam, insert, select, update

from arena.errors import InputError, quoted
from arena.ladder.rating import Rating
from arena.storage import failpoints
from arena.storage.attempts import Failure, attempt_row, fail, match_row
from arena.storage.entries import NewEntry, append, result_events, store_events, stored_parameters
from arena.storage.facts import (
    AttemptState,
    EntryKind,
    MatchKind,
    MatchState,
    Moment,
    Receipt,
    Report,
    Seat,
)
from arena.storage.inputs import canonical, checked_number, cleaned, digest_of
from arena.storage.matchrows import seats_of
from arena.storage.schema import (
    ATTEMPTS,
    ENTRANTS,
    MATCHES,
    OWNERS,
    REFUSED_REPORTS,
    RESULTS,
    VERSIONS,
)

__all__ = ["checked_report", "payload_of", "record", "result_payload"]

_VERDICTS: Final = ("COMPLETED", "FORFEIT", "VOID")
_HIDDEN: Final = frozenset({"token", "machine_time"})
_OF_RESULT: Final = frozenset({
    "match", "attempt", "verdict", "why", "ranks", "seats", "games",
    "record", "head", "started", "ended",
})  # fmt: skip


def payload_of(report: Report) -> dict[str, Any]:
    """All that a report says but its token and its machine time, fit to be stored."""
    said = {key: value for key, value in asdict(report).items() if key not in _HIDDEN}
    # As it will be read again, keys and all, so that it says the same then.
    payload: dict[str, Any] = json.loads(canonical(cleaned(said)))
    return payload


def result_payload(row: RowMapping) -> dict[str, Any]:
    """The payload of the report that made a row of `results`."""
    return {key: row[key] for key in _OF_RESULT} | {"blamed": None}


def checked_report(report: Report) -> Report:
    """Return a report that can be one.

    Raises:
        InputError: a verdict that there is not, numbers that cannot be, words beyond JSON.
    """
    what = f"report of match {quoted(report.match)}"
    for name in ("match", "attempt"):
        checked_number(f"{what}: {name}", getattr(report, name))
    for name in ("games", "started", "ended", "machine_time"):
        checked_number(f"{what}: {name}", getattr(report, name), 0)
    if report.verdict not in _VERDICTS:
        raise InputError(
            f"{what}: verdict {quoted(report.verdict)}: must be one of {', '.join(_VERDICTS)}"
        )
    if report.blamed is not None and report.verdict != "VOID":
        raise InputError(f"{what}: seat {report.blamed} is blamed, though it is not void")
    for name in ("record", "head"):
        if len(getattr(report, name)) > 64:
            raise InputError(f"{what}: {name} must be a digest of 64 hexadecimal digits")
    payload_of(report)
    return report


def record(connection: Connection, report: Report, now: Moment) -> Receipt:
    """Record a report, or say why not; a copy of what is refused is kept.

    Raises:
        InputError: it does not fit to its match.
    """
    payload = payload_of(report)
    attempt = attempt_row(connection, report.match, report.attempt)
    receipt = _receipt(attempt, report, digest_of(payload))
    if receipt is not Receipt.RECORDED:
        if receipt is not Receipt.DUPLICATE:
            _keep_refused(connection, report, receipt, payload, now)
        return receipt
    assert attempt is not None
    _Recording(connection, report, attempt, payload, now).run()
    return Receipt.RECORDED


def _receipt(attempt: RowMapping | None, report: Report, digest: str) -> Receipt:
    if attempt is None or not hmac.compare_digest(
        attempt["token"].encode(), report.token.encode("utf-8", "surrogatepass")
    ):
        return Receipt.STALE
    if attempt["report_sha256"]:
        return Receipt.DUPLICATE if attempt["report_sha256"] == digest else Receipt.CONFLICT
    is_open = attempt["state"] == AttemptState.LEASED
    return Receipt.RECORDED if is_open else Receipt.STALE


def _keep_refused(
    connection: Connection, report: Report, receipt: Receipt, payload: dict[str, Any], now: Moment
) -> None:
    values = {"match": report.match, "attempt": min(report.attempt, 2**31 - 1)}
    connection.execute(
        insert(REFUSED_REPORTS).values(
            at=now, receipt=str(receipt), payload=payload, is_seen=False, **values
        )
    )


class _Recording:
    """One report that is recorded."""

    def __init__(
        self,
        connection: Connection,
        report: Report,
        attempt: RowMapping,
        payload: dict[str, Any],
        now: Moment,
    ) -> None:
        self._connection = connection
        self._report = report
        self._attempt = attempt
        self._payload = payload
        self._digest = digest_of(payload)
        self._now = now
        match = match_row(connection, report.match)
        assert match is not None
        self._match = match
        self._seats = seats_of(connection, [report.match])[report.match]
        self._is_rated = match["kind"] == MatchKind.RATED
        _check_fit(report, match, self._seats)

    def run(self) -> None:
        """Do all of it."""
        if self._report.verdict == "VOID":
            self._void()
        else:
            self._result()
        # A competition's matches are the arena's own wish: they cost nobody's share of the ladder,
        # and how far those have come that are hidden cannot be read off an owner's time.
        if self._match["kind"] != MatchKind.COMPETITION:
            self._share_machine_time()

    def _void(self) -> None:
        kept = {
            "record": self._report.record,
            "report": self._payload,
            "report_sha256": self._digest,
        }
        why, blamed = self._payload["why"], self._report.blamed
        failure = Failure(AttemptState.VOID, why, self._now, of_play=True, blamed=blamed, kept=kept)
        fail(self._connection, self._attempt, failure)

    def _result(self) -> None:
        said = {key: self._payload[key] for key in _OF_RESULT}
        self._connection.execute(
            insert(RESULTS).values(**said, payload_sha256=self._digest, annulled="")
        )
        failpoints.reached(failpoints.AFTER_RESULT_INSERT)
        self._close()
        if self._is_rated:
            self._rate()
            self._count_versions()

    def _close(self) -> None:
        number = self._report.match
        is_it = and_(ATTEMPTS.c.match == number, ATTEMPTS.c.number == self._report.attempt)
        self._connection.execute(
            update(ATTEMPTS)
            .where(is_it)
            .values(
                state=AttemptState.DONE,
                why=self._payload["why"],
                ended=self._now,
                record=self._report.record,
                report_sha256=self._digest,
            )
        )
        change = {"state": MatchState.DONE, "why": ""}
        self._connection.execute(update(MATCHES).where(MATCHES.c.number == number).values(change))

    def _rate(self) -> None:
        number = self._report.match
        new = NewEntry(kind=EntryKind.RESULT, at=self._now, match=number, payload=self._digest)
        entry = append(self._connection, new)
        is_it = RESULTS.c.match == number
        self._connection.execute(update(RESULTS).where(is_it).values(entry=entry))
        numbers = [seat.entrant for seat in self._seats]
        query = select(ENTRANTS).where(ENTRANTS.c.number.in_(numbers))
        ratings = {row.number: Rating(row.mu, row.sigma) for row in self._connection.execute(query)}
        events = result_events(
            stored_parameters(self._connection),
            ratings,
            self._seats,
            self._match["teams"],
            self._report.ranks,
        )
        store_events(self._connection, entry, events)

    def _count_versions(self) -> None:
        both = zip(self._seats, self._report.seats, strict=True)
        for seat, said in sorted(both, key=lambda one: one[0].version):
            if said.forfeit:
                own = {"forfeits": VERSIONS.c.forfeits + 1, "failing": VERSIONS.c.failing + 1}
                self._count(seat.version, matches=VERSIONS.c.matches + 1, **own)
            else:
                self._count(seat.version, matches=VERSIONS.c.matches + 1, failing=0)

    def _count(self, version: int, **change: Any) -> None:
        is_it = VERSIONS.c.number == version
        self._connection.execute(update(VERSIONS).where(is_it).values(**change))

    def _share_machine_time(self) -> None:
        """Among the owners of the seats, in equal parts; what does not divide goes to the first."""
        numbers = [seat.entrant for seat in self._seats]
        query = select(ENTRANTS.c.owner).where(ENTRANTS.c.number.in_(numbers)).distinct()
        owners = sorted(self._connection.scalars(query))
        part, rest = divmod(self._report.machine_time, len(owners))
        self._connection.execute(
            update(OWNERS)
            .where(OWNERS.c.number == bindparam("of"))
            .values(machine_time=OWNERS.c.machine_time + bindparam("part")),
            [
                {"of": owner, "part": part + (rest if number == 0 else 0)}
                for number, owner in enumerate(owners)
            ],
        )


def _check_fit(report: Report, match: RowMapping, seats: Sequence[Seat]) -> None:
    what = f"report of match {report.match}"
    is_void = report.verdict == "VOID"
    if report.blamed is not None and not 0 <= report.blamed < len(seats):
        raise InputError(f"{what}: seat {report.blamed} is blamed, of {len(seats)} from 0")
    if is_void:
        return
    if len(report.seats) != len(seats):
        raise InputError(f"{what}: is about {len(report.seats)} seats, not {len(seats)}")
    teams = len(match["teams"])
    if len(report.ranks) != teams or any(rank < 0 for rank in report.ranks):
        raise InputError(f"{what}: ranks {quoted(report.ranks)}: must be {teams}, from 0 on")
