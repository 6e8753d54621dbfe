"""H7: however many ask at once, no match is given to two."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from arena.storage.facts import Lease, MatchState, Receipt
from arena.storage.store import Store
from tests.storage.worlds import MINUTE, World, new_match, report_on

CALLERS = 50
MATCHES = 120


def test_no_match_is_leased_twice(store: Store) -> None:
    world = World(store)
    new = new_match(*world.bots("ada", "bob"))
    numbers = [store.matches.create(new) for _ in range(MATCHES)]
    together = Barrier(CALLERS)

    def lease_all(caller: int) -> list[Lease]:
        leases: list[Lease] = []
        together.wait(60)
        while (lease := store.matches.lease(f"worker {caller}", MINUTE)) is not None:
            leases.append(lease)
        return leases

    with ThreadPoolExecutor(CALLERS) as pool:
        per_caller = list(pool.map(lease_all, range(CALLERS)))
    leases = [lease for some in per_caller for lease in some]
    assert Counter(lease.match for lease in leases) == Counter(numbers)
    assert len({lease.token for lease in leases}) == MATCHES
    assert store.matches.count(MatchState.LEASED) == MATCHES
    assert sum(bool(some) for some in per_caller) > 1  # they did come at once


def test_reports_from_many_sides_count_once(store: Store) -> None:
    world = World(store)
    pair = world.bots("ada", "bob")
    leases = [world.lease(*pair) for _ in range(10)]
    reports = [report_on(lease, ranks) for lease in leases for ranks in ((0, 1), (1, 0))] * 3
    with ThreadPoolExecutor(16) as pool:
        receipts = Counter(pool.map(store.matches.record, reports))
    assert receipts == {Receipt.RECORDED: 10, Receipt.DUPLICATE: 20, Receipt.CONFLICT: 30}
    assert [one.number for one in store.ledger.entries().items] == list(range(1, 11))
    assert store.ledger.rebuild(write=False).different == 0
