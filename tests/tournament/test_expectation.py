"""When something that waits is likely to be done."""

from __future__ import annotations

from arena.storage.facts import Moment
from arena.tournament.expectation import Expectation


def test_it_follows_from_how_long_the_latest_took() -> None:
    now, took = [Moment(1_000_000)], [[], [10_000, 30_000]]
    expectation = Expectation(lambda: took.pop(0), lambda: now[0])
    assert expectation.mean() is expectation.after(1) is None
    now[0] = Moment(now[0] + 60_000)  # looked up again after a while, and not before
    assert expectation.after(2) == now[0] + 40_000
    assert expectation.mean() == 20_000
    assert took == []
