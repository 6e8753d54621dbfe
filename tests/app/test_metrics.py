"""Figures for Prometheus: what is counted, and how things stand when somebody looks."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from arena.app.metrics import Metrics, Standing, serve_metrics
from arena.errors import InputError


def scraped(address: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


def test_what_was_counted_and_how_things_stand_is_served() -> None:
    standing = Standing(queued={"uploads": 3}, oldest={"uploads": 12.5}, leases=1, places=2)
    metrics = Metrics(lambda: standing)
    metrics.match_ended("COMPLETED", 12.0)
    metrics.match_ended("COMPLETED", 14.0)
    metrics.match_ended("VOID", 1.0)
    metrics.upload_ended("refused")
    metrics.request_ended("LadderService/ListStandings", "OK", 0.002)
    served = serve_metrics(metrics, "127.0.0.1:0")
    try:
        found = scraped(served.address)
        assert found["arena_matches_total", (("verdict", "COMPLETED"),)] == 2
        assert found["arena_matches_total", (("verdict", "VOID"),)] == 1
        assert found["arena_match_seconds_sum", ()] == 27
        assert found["arena_uploads_total", (("outcome", "refused"),)] == 1
        method = ("method", "LadderService/ListStandings")
        assert found["arena_requests_total", (("code", "OK"), method)] == 1
        assert found["arena_queue_length", (("queue", "uploads"),)] == 3
        assert found["arena_queue_oldest_seconds", (("queue", "uploads"),)] == 12.5
        assert found["arena_busy_share", ()] == 0.5
        assert found["arena_healthy", ()] == 1
        standing = Standing(problems=("the engine does not answer",), places=2)
        assert scraped(served.address)["arena_healthy", ()] == 0
    finally:
        served.close()
    with pytest.raises(urllib.error.URLError):
        scraped(served.address)


def test_an_address_that_cannot_be_had_is_refused() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(InputError, match=f"metrics {address}: cannot be had"):
            serve_metrics(Metrics(Standing), address)
