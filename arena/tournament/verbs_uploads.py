"""When an upload is thought to be done, and what it waits for: nothing stays "queued" for ever."""

from __future__ import annotations

import threading
from statistics import fmean
from typing import Final

from arena.storage.facts import Clock, Moment, Upload, UploadState
from arena.storage.uploads import Uploads
from arena.tournament.answers import UploadStatus

__all__ = ["Expectation", "shown_upload"]

_LOOKED_AT: Final = 20
_KEPT: Final = 30_000
_DONE: Final = (UploadState.ACCEPTED, UploadState.REFUSED)


class Expectation:
    """How long the latest uploads took, from their turn to their end; looked up now and then."""

    def __init__(self, uploads: Uploads, clock: Clock) -> None:
        self._uploads = uploads
        self.clock = clock
        self._lock = threading.Lock()
        self._until = -1
        self._mean: float | None = None

    def mean(self) -> float | None:
        """Milliseconds; None: there were none yet."""
        with self._lock:
            now = self.clock()
            if now >= self._until:
                self._mean, self._until = self._measured(), now + _KEPT
            return self._mean

    def _measured(self) -> float | None:
        took = [
            upload.ended - upload.started
            for state in _DONE
            for upload in self._uploads.list(None, _LOOKED_AT, state=state).items
            if upload.started is not None and upload.ended is not None
        ]
        return fmean(took) if took else None


def shown_upload(upload: Upload, ordinal: int | None, expectation: Expectation) -> UploadStatus:
    """An upload as its owner sees it."""
    return UploadStatus(
        number=upload.number,
        owner=upload.owner,
        archive=upload.archive,
        length=upload.length,
        state=upload.state,
        step=upload.step,
        position=upload.position,
        created=upload.created,
        started=upload.started,
        ended=upload.ended,
        expected=_expected(upload, expectation),
        waiting_for=_waiting_for(upload),
        bot=upload.bot,
        told=upload.told,
        why=upload.why,
        ordinal=ordinal,
        report=upload.report,
    )


def _expected(upload: Upload, expectation: Expectation) -> Moment | None:
    if upload.state not in (UploadState.QUEUED, UploadState.AT_WORK):
        return None
    mean = expectation.mean()
    if mean is None:
        return None
    now = expectation.clock()
    if upload.state is UploadState.QUEUED:
        return Moment(round(now + mean * upload.position))
    end = round((upload.started or now) + mean)
    return Moment(end) if end > now else None  # it takes longer than others: nobody can say


def _waiting_for(upload: Upload) -> str:
    match upload.state:
        case UploadState.QUEUED if upload.attempts:
            return f"another attempt, at place {upload.position}: this machine failed at it before"
        case UploadState.QUEUED if upload.position > 1:
            before = upload.position - 1
            return f"{before} upload{'s' if before > 1 else ''} before it"
        case UploadState.QUEUED:
            return "the upload that is at work now"
        case UploadState.SET_ASIDE:
            return "an operator, who has to look why this machine fails at it"
        case _:
            return ""
