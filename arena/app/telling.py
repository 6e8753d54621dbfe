"""What happens at a server, for its log and its metrics."""

from __future__ import annotations

import structlog

from arena.app.metrics import Metrics
from arena.storage.facts import Lease, Report
from arena.tournament.ladder.ports import Judge

__all__ = ["CountingJudge", "Teller"]

_UPLOADS = {
    "upload accepted": "accepted",
    "upload refused": "refused",
    "upload failed": "failed",
}


class Teller:
    """A `ports.Tell`: writes an event to the log, and counts it; from any thread.

    `metrics` is set once there are any.
    """

    def __init__(self) -> None:
        self.metrics: Metrics | None = None
        self._log = structlog.get_logger("arena")

    def __call__(self, event: str, /, **facts: object) -> None:
        """Tell of an event; with `alert` a person has to look."""
        is_alert = bool(facts.pop("alert", False))
        (self._log.error if is_alert else self._log.info)(event, **facts)
        if self.metrics is None:
            return
        if event in _UPLOADS:
            self.metrics.upload_ended(_UPLOADS[event])
        elif event == "attempt given back":
            self.metrics.match_ended("LOST", 0.0)

    def answered(self, method: str, code: str, seconds: float) -> None:
        """A call was answered, with that status."""
        if self.metrics is not None:
            self.metrics.request_ended(method, code, seconds)

    def trouble(self, text: str) -> None:
        """Something goes wrong that is tried again."""
        self._log.warning("trouble", why=text)


class CountingJudge:
    """A `ports.Judge` that counts results before another one hears of them."""

    def __init__(self, judge: Judge, teller: Teller) -> None:
        self._judge = judge
        self._teller = teller

    def recorded(self, lease: Lease, report: Report) -> None:
        """See `ports.Judge`."""
        if self._teller.metrics is not None:
            self._teller.metrics.match_ended(report.verdict, report.machine_time / 1000)
        self._judge.recorded(lease, report)

    def failed(self, lease: Lease) -> None:
        """See `ports.Judge`."""
        self._judge.failed(lease)
