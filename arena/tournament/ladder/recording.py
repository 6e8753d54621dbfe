"""From the spool to the store: every report once, whatever is killed, full or locked meanwhile.

    spool --record--> store of records --+
          --logs----> store of logs -----+--> database --receipt--> removed from the spool

Files are stored before the row that names them, and what is stored twice is stored once. A report
that was recorded before its sender was killed is a duplicate, one whose lease has gone is stale;
either is an end. Only a fault of this machine is none: then it is tried again, for ever.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.errors import HostFault, InputError
from arena.storage.facts import Receipt, Report
from arena.storage.failpoints import AFTER_ACK, BEFORE_ACK, BEFORE_RECORD, reached
from arena.tournament.ladder.ports import MatchBook, RecordStore, Tell
from arena.tournament.ladder.spool import CorruptReport, Spool, Spooled

__all__ = ["Recorder", "Settled"]


@dataclass(frozen=True, slots=True)
class Settled:
    """What has become of an attempt that is over: its report and receipt; None: it had none.

    `is_given_back` says that it had none and its lease was still ours.
    """

    report: Report | None = None
    receipt: Receipt | None = None
    is_given_back: bool = False

    @property
    def is_new(self) -> bool:
        """Whether its report has been recorded just now."""
        return self.receipt is Receipt.RECORDED


class Recorder:
    """Brings attempts that are over to their end."""

    def __init__(
        self, book: MatchBook, records: RecordStore, logs: RecordStore, spool: Spool, tell: Tell
    ) -> None:
        self._book = book
        self._records = records
        self._logs = logs
        self._spool = spool
        self._tell = tell

    def settle(  # noqa: PLR0913 - each is named where it is called
        self,
        match: int,
        attempt: int,
        token: str,
        why: str,
        *,
        counts: bool = True,
        of_play: bool = False,
    ) -> Settled:
        """Record what is in the spool of an attempt or, if that is nothing, give its lease back.

        `why` is what is said then, `counts` whether it is a failure of the match, `of_play`
        whether that came of playing. With an empty token nothing is given back.

        Raises:
            HostFault: it cannot be done now; all is as it was, and it can be tried again.
        """
        spooled = self._spooled(match, attempt)
        if spooled is not None:
            try:
                return self._record(spooled)
            except InputError as error:
                self._set_aside(match, attempt, str(error))
        is_given_back = False
        if token:
            is_given_back = self._book.release(
                match, attempt, token, why, counts=counts, of_play=of_play
            )
            self._tell("attempt given back", match=match, attempt=attempt, why=why)
        self._spool.forget(match, attempt)
        return Settled(is_given_back=is_given_back)

    def _spooled(self, match: int, attempt: int) -> Spooled | None:
        """The report of an attempt, if it and its record are as they were written."""
        try:
            spooled = self._spool.read(match, attempt)
            if spooled is not None:
                self._store(spooled)
        except CorruptReport as fault:
            self._set_aside(match, attempt, str(fault))
            return None
        return spooled

    def _set_aside(self, match: int, attempt: int, why: str) -> None:
        place = self._spool.set_aside(match, attempt)
        self._tell(
            "spool damaged",
            alert=True,
            match=match,
            attempt=attempt,
            why=why,
            kept_in=str(place),
        )

    def _store(self, spooled: Spooled) -> None:
        """Store the files that a report names."""
        report = spooled.report
        path = self._spool.record_path(report.match, report.attempt)
        if not path.is_file():
            raise CorruptReport(f"{path}: the record is gone")
        found = self._records.put_file(path)
        if found != report.record:
            raise CorruptReport(f"{path}: has the SHA-256 {found}; its report says {report.record}")
        for seat, text in zip(report.seats, spooled.logs, strict=True):
            if self._logs.put(text.encode()) != seat.log:
                raise HostFault("a log has another SHA-256 than its report says")

    def _record(self, spooled: Spooled) -> Settled:
        report = spooled.report
        reached(BEFORE_RECORD)
        receipt = self._book.record(report)
        reached(BEFORE_ACK)
        self._tell(
            "report sent",
            alert=receipt is Receipt.CONFLICT,
            match=report.match,
            attempt=report.attempt,
            verdict=report.verdict,
            receipt=str(receipt),
        )
        self._spool.forget(report.match, report.attempt)
        reached(AFTER_ACK)
        return Settled(report, receipt)
