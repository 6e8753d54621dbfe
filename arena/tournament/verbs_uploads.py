"""How much an owner may upload, and what an upload waits for: nothing stays "queued" for ever."""

from __future__ import annotations

import threading
from collections import deque

from arena.storage.facts import Moment, Upload, UploadState
from arena.tournament.answers import UploadStatus
from arena.tournament.expectation import Expectation
from arena.tournament.refusals import OverQuota
from arena.tournament.verbs import Ground, Lookup

__all__ = ["UploadQuotas", "shown_upload"]


class UploadQuotas:
    """How much an owner may upload; may be used from any thread.

    What came and was not kept, being broken off or not what was announced, has cost what others
    cost, and so counts as others do. A restart forgets that.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._lock = threading.Lock()
        self._spoilt: dict[str, deque[Moment]] = {}

    def note_spoilt(self, owner: str) -> None:
        """One more of this owner has come and is not kept."""
        with self._lock:
            self._spoilt.setdefault(owner, deque()).append(self._ground.clock())

    def check(self, owner: str) -> None:
        """Whether one more may come.

        Raises:
            OverQuota: there are too many.
        """
        quotas, uploads = self._ground.quotas, self._ground.uploads
        count = sum(
            len(uploads.list(owner, quotas.waiting, state=state).items)
            for state in (UploadState.QUEUED, UploadState.AT_WORK)
        )
        if count >= quotas.waiting:
            raise OverQuota(
                "QUOTA_QUEUE",
                f"{count} of your uploads are not done, and {quotas.waiting} may be; wait for one",
                most=quotas.waiting,
            )
        since = Moment(self._ground.clock() - Lookup.DAY)
        spoilt = self._spoilt_since(owner, since)
        if uploads.count_recent(owner, since) + spoilt >= quotas.uploads:
            lost = f", {spoilt} of them broken off or not as announced," if spoilt else ""
            raise OverQuota(
                "QUOTA_UPLOADS",
                f"you have uploaded {quotas.uploads} times in 24 hours{lost} and may not more "
                "often",
                most=quotas.uploads,
            )

    def _spoilt_since(self, owner: str, moment: Moment) -> int:
        with self._lock:
            times = self._spoilt.get(owner, deque())
            while times and times[0] < moment:
                times.popleft()
            if not times:
                self._spoilt.pop(owner, None)
            return len(times)


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
    if upload.state is UploadState.QUEUED:
        return expectation.after(upload.position)
    mean, now = expectation.mean(), expectation.clock()
    if mean is None:
        return None
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
