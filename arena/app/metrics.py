"""Figures for Prometheus: a registry of our own, read over HTTP on loopback.

What happens is counted when it does; how things stand is asked for at every scrape, from
`Standing`, which must be quick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from arena.errors import InputError

__all__ = ["Metrics", "Served", "Standing", "serve_metrics"]

_QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_LONG: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How things stand.

    Attributes:
        queued: What waits, by the name of its queue.
        oldest: Seconds that the oldest in each queue has waited.
        leases: Matches that are being played.
        places: Matches that may be played at once.
        spooled: Reports that are not recorded yet.
        problems: What is wrong, by name; empty: the server is healthy.
        free_bytes: What is left on the data folder's disk.
    """

    queued: dict[str, int] = field(default_factory=dict)
    oldest: dict[str, float] = field(default_factory=dict)
    leases: int = 0
    places: int = 1
    spooled: int = 0
    problems: tuple[str, ...] = ()
    free_bytes: int = 0


class Metrics:
    """What is counted; every method may be called from any thread."""

    def __init__(self, standing: Callable[[], Standing]) -> None:
        self.registry = CollectorRegistry()
        self._matches = Counter(
            "arena_matches",
            "Attempts at matches, by what came of them.",
            ["verdict"],
            registry=self.registry,
        )
        self._match_seconds = Histogram(
            "arena_match_seconds",
            "How long an attempt held its place.",
            buckets=_LONG,
            registry=self.registry,
        )
        self._uploads = Counter(
            "arena_uploads", "Uploads, by what came of them.", ["outcome"], registry=self.registry
        )
        self._requests = Counter(
            "arena_requests",
            "Calls, by method and code.",
            ["method", "code"],
            registry=self.registry,
        )
        self._request_seconds = Histogram(
            "arena_request_seconds",
            "How long a call took.",
            ["method"],
            buckets=_QUICK,
            registry=self.registry,
        )
        self.registry.register(_Gauges(standing))

    def match_ended(self, verdict: str, seconds: float) -> None:
        """An attempt is over."""
        self._matches.labels(verdict).inc()
        self._match_seconds.observe(seconds)

    def upload_ended(self, outcome: str) -> None:
        """An upload was accepted, refused, or could not be dealt with."""
        self._uploads.labels(outcome).inc()

    def request_ended(self, method: str, code: str, seconds: float) -> None:
        """A call was answered; `method` is one of ours, so that strangers make no labels."""
        self._requests.labels(method, code).inc()
        self._request_seconds.labels(method).observe(seconds)


class _Gauges(Collector):
    """How things stand, asked for when somebody looks."""

    def __init__(self, standing: Callable[[], Standing]) -> None:
        self._standing = standing

    def describe(self) -> list[Any]:
        return []  # nothing is asked before the server is up

    def collect(self) -> Iterator[GaugeMetricFamily]:
        now = self._standing()
        queued = GaugeMetricFamily("arena_queue_length", "What waits.", labels=["queue"])
        for name, count in now.queued.items():
            queued.add_metric([name], count)
        yield queued
        oldest = GaugeMetricFamily(
            "arena_queue_oldest_seconds", "How long the oldest has waited.", labels=["queue"]
        )
        for name, seconds in now.oldest.items():
            oldest.add_metric([name], seconds)
        yield oldest
        for name, meaning, value in (
            ("arena_leases", "Matches that are being played.", now.leases),
            ("arena_places", "Matches that may be played at once.", now.places),
            ("arena_busy_share", "Share of the places that are taken.", now.leases / now.places),
            ("arena_spooled_reports", "Reports that are not recorded yet.", now.spooled),
            ("arena_healthy", "1 if nothing is wrong.", not now.problems),
            ("arena_disk_free_bytes", "Left on the data folder's disk.", now.free_bytes),
        ):
            yield GaugeMetricFamily(name, meaning, value=float(value))


@dataclass(frozen=True, slots=True)
class Served:
    """Metrics that are being served, at HOST:PORT."""

    address: str
    _server: Any

    def close(self) -> None:
        """Serve them no longer."""
        self._server.shutdown()
        self._server.server_close()


def serve_metrics(metrics: Metrics, address: str) -> Served:
    """Serve metrics over HTTP at HOST:PORT; port 0 is any free one.

    Raises:
        InputError: the address cannot be had.
    """
    host, _, port = address.rpartition(":")
    try:
        server, _ = start_http_server(int(port), host.strip("[]"), metrics.registry)
    except OSError as error:
        raise InputError(f"metrics {address}: cannot be had: {error.strerror or error}") from None
    return Served(f"{host}:{server.server_port}", server)
