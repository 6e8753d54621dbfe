"""Matches of competitions: their seeds, who sees them, and that they move no rating."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import Connection, select

from arena.storage.attempts import commitment, competition_commitment, competition_seed
from arena.storage.competitions import JournalChange
from arena.storage.facts import AttemptState, Lease, Level, MatchKind, MatchState, Receipt
from arena.storage.matchlist import Filters
from arena.storage.schema import ENTRANTS, LEDGER, OWNERS, RATING_EVENTS, VERSIONS
from arena.storage.store import Store
from tests.storage.conftest import FakeClock, OpenStore
from tests.storage.test_competitions import SECRET, Cup
from tests.storage.worlds import MINUTE, new_match, report_on

# -- seeds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mixed", "pairing", "attempt", "seed"),
    [
        # Worked out with another program: openssl dgst -sha256 -mac HMAC.
        ("", "1/3.2/1", 1, "91aa542e9c638282127e6d92cd51b94d50c436aaf453924960ac8eb7c673565d"),
        ("", "1/3.2/1", 12, "65c2fdce313c6ddb801e01ce938202257964a11103670712c40bbdc760a1fb27"),
        (
            "Grüße, 2026",
            "2/a.1.1/3",
            2,
            "92bd00fa5b977bd90e78b12d375b6fe6d17903d226169ee9e7d71b9ace749b92",
        ),
    ],
)
def test_seeds_are_what_is_documented(mixed: str, pairing: str, attempt: int, seed: str) -> None:
    assert competition_seed(SECRET, mixed, pairing, attempt).hex() == seed


def test_the_commitment_is_what_is_documented() -> None:
    # Worked out with sha256sum.
    right = "73e9db65e38fc91867a7748e3cdab0faf7c3dd08b6cbd0b4e0e7a8fec9df0030"
    assert competition_commitment("school-afternoon", SECRET) == right


def test_whatever_goes_in_makes_another_seed() -> None:
    other = bytes(32)
    seeds = {
        competition_seed(*what)
        for what in (
            (SECRET, "", "1/1/1", 1),
            (other, "", "1/1/1", 1),
            (SECRET, "a", "1/1/1", 1),
            (SECRET, "", "1/1/2", 1),
            (SECRET, "", "1/1/1", 2),
            (SECRET, "", "1/1/11", 1),
            (SECRET, "", "1/1/1", 11),
        )
    }
    assert len(seeds) == 7


def _next(store: Store) -> Lease:
    lease = store.matches.lease("worker", MINUTE)
    assert lease is not None
    return lease


def test_each_attempt_takes_its_own_seed(store: Store) -> None:
    cup = Cup(store)
    cup.change(JournalChange(mixed="in the newspaper"))
    (number,) = cup.announce("1/3.2/1")
    for attempt in (1, 2):
        lease = _next(store)
        right = competition_seed(SECRET, "in the newspaper", "1/3.2/1", attempt)
        assert (lease.seed, lease.attempt) == (right, attempt)
        assert lease.commitment == commitment(number, attempt, right)
        assert (lease.new.competition, lease.new.pairing) == (cup.number, "1/3.2/1")
        (adopted,) = store.matches.adopt("worker")
        assert adopted == lease
        assert cup.match(number).attempts[-1].seed == ""  # nobody is told before it is over
        if attempt == 1:
            store.matches.void(number, "somebody has pulled a cable")
        else:
            assert store.matches.record(report_on(lease)) is Receipt.RECORDED
    assert [one.seed for one in cup.match(number).attempts] == [
        competition_seed(SECRET, "in the newspaper", "1/3.2/1", attempt).hex() for attempt in (1, 2)
    ]


def test_other_matches_keep_to_chance(store: Store) -> None:
    cup = Cup(store)
    cup.announce("1/1/1")
    own = _next(store)
    rated = [cup.lease(*cup.pair) for _ in range(3)]
    assert len({own.seed, *(one.seed for one in rated)}) == 4
    assert competition_seed(SECRET, "", "", 1) not in {one.seed for one in rated}


def test_the_same_after_the_server_was_started_again(reopen: OpenStore) -> None:
    with reopen() as store:
        Cup(store).announce("1/1/1")
    with reopen() as store:
        assert _next(store).seed == competition_seed(SECRET, "", "1/1/1", 1)


# -- who sees them --------------------------------------------------------------------------------


def _listed(store: Store, **filters: Any) -> list[int]:
    return [one.number for one in store.matches.list(Filters(**filters)).items]


def test_no_list_gives_what_is_hidden(store: Store) -> None:
    cup = Cup(store)
    entrant, owner = cup.pair[0].entrant, "cup-ada"
    asked: list[Mapping[str, Any]] = [
        {},
        {"entrant": entrant},
        {"owner": owner},
        {"entrant": entrant, "owner": owner},
        {"state": MatchState.QUEUED},
        {"kind": MatchKind.COMPETITION},
        {"competition": cup.number},
        {"competition": cup.number, "owner": owner, "state": MatchState.QUEUED},
    ]
    hidden = list(cup.announce("1/1/1", "1/2/1"))
    for filters in asked:
        assert _listed(store, **filters) == []
        assert _listed(store, **filters, with_hidden=True) == hidden[::-1]
    cup.change(JournalChange(level=Level.PARTICIPANTS))
    for filters in asked:
        assert _listed(store, **filters) == []
    cup.change(JournalChange(level=Level.PUBLIC))
    for filters in asked:
        assert _listed(store, **filters) == hidden[::-1]


def test_lists_tell_competitions_apart(store: Store) -> None:
    cup, other = Cup(store), Cup(store, "other")
    store.matches.create(new_match(*cup.pair))
    cup.announce("1/1/1")
    other.announce("1/1/1")
    for one in (cup, other):
        one.change(JournalChange(level=Level.PUBLIC))
    assert _listed(store) == [3, 2, 1]
    assert _listed(store, competition=cup.number) == [2]
    assert _listed(store, competition=cup.number, owner="other-ada") == []
    assert _listed(store, competition=other.number, kind=MatchKind.COMPETITION) == [3]
    assert _listed(store, competition=77) == _listed(store, competition=2**70) == []


def test_pages_go_past_what_is_hidden(store: Store) -> None:
    cup = Cup(store)
    seen = []
    for number in range(6):
        cup.announce(*(f"1/{number}.{place}/1" for place in range(3)))
        seen.append(store.matches.create(new_match(*cup.pair)))
    found: list[int] = []
    token = ""
    filters = Filters(owner="cup-ada")
    while True:
        page = store.matches.list(filters, 2, token)
        found += [one.number for one in page.items]
        token = page.next
        if not token:
            break
    assert found == seen[::-1]


def test_who_knows_the_number_finds_it(store: Store) -> None:
    cup = Cup(store)
    (number,) = cup.announce("1/1/1")
    assert cup.match(number).hidden
    assert cup.match(number).position == 1
    rated = store.matches.create(new_match(*cup.pair))
    assert not cup.match(rated).hidden


def test_a_place_in_the_queue_does_not_tell_of_what_is_hidden(store: Store) -> None:
    cup = Cup(store)
    first, second = cup.announce("1/1/1", "1/2/1")
    rated = store.matches.create(new_match(*cup.pair))
    later = store.matches.create(new_match(*cup.pair))
    places = [cup.match(one).position for one in (first, second, rated, later)]
    assert places == [1, 2, 1, 2]
    cup.play_next()
    assert [cup.match(one).position for one in (second, rated, later)] == [1, 1, 2]


def test_the_matchmaker_hears_of_none(store: Store) -> None:
    cup = Cup(store)
    cup.announce("1/1/1", "1/2/1")
    cup.play_next()
    assert store.matches.pair_counts() == {}
    assert [one.in_play for one in store.entrants.candidates()] == [0, 0]


# -- what they move: nothing ----------------------------------------------------------------------


def _all_that_counts(store: Store) -> object:
    """Ratings, ledger, the numbers of entrants and versions, and owners' time."""

    def read(connection: Connection) -> object:
        tables = (ENTRANTS, VERSIONS, OWNERS, LEDGER, RATING_EVENTS)
        return [sorted(map(tuple, connection.execute(select(one)))) for one in tables]

    return store.database.read(read)


def _win(_: Cup, store: Store, lease: Lease) -> None:
    assert store.matches.record(report_on(lease)) is Receipt.RECORDED


def _forfeit(_: Cup, store: Store, lease: Lease) -> None:
    report = report_on(lease, verdict="FORFEIT", forfeits=(0, 1))
    assert store.matches.record(report) is Receipt.RECORDED


def _be_void(_: Cup, store: Store, lease: Lease) -> None:
    report = report_on(lease, verdict="VOID", blamed=1)
    assert store.matches.record(report) is Receipt.RECORDED


def _give_back(_: Cup, store: Store, lease: Lease) -> None:
    assert store.matches.release(lease.match, 1, lease.token, "no cards", of_play=True)


def _be_cancelled(cup: Cup, _: Store, lease: Lease) -> None:
    cup.change(JournalChange(cancel=((lease.match, "withdrawn"),)))


def _be_seen(cup: Cup, store: Store, lease: Lease) -> None:
    _win(cup, store, lease)
    cup.change(JournalChange(level=Level.PUBLIC, over=True))


@pytest.mark.parametrize("end", [_win, _forfeit, _be_void, _give_back, _be_cancelled, _be_seen])
def test_nothing_that_counts_is_moved(
    store: Store, end: Callable[[Cup, Store, Lease], None]
) -> None:
    cup = Cup(store)
    cup.play(*cup.pair)
    before = _all_that_counts(store)
    cup.announce("1/1/1")
    end(cup, store, _next(store))
    assert _all_that_counts(store) == before
    assert store.ledger.rebuild(write=False).different == 0


def test_nothing_that_counts_is_moved_by_time(store: Store, clock: FakeClock) -> None:
    cup = Cup(store)
    (number,) = cup.announce("1/1/1")
    before = _all_that_counts(store)
    _next(store)
    clock.advance(2 * MINUTE)
    assert store.matches.expire() == ((number, 1),)
    assert _all_that_counts(store) == before


# -- their life is that of any match --------------------------------------------------------------


def test_results_are_there_with_their_matches(store: Store) -> None:
    cup = Cup(store)
    cup.announce("1/1/1", "1/2/1", "1/3/1")
    cup.play_next(ranks=(1, 0))
    cup.play_next()
    first, second, third = cup.all.page(cup.number, 0, 10_000)
    assert first.result is not None
    assert (first.result.ranks, first.result.entry) == ((1, 0), None)
    assert second.result is not None
    assert second.result.ranks == (0, 1)
    assert (third.result, third.position) == (None, 1)
    assert [one.state for one in first.attempts] == [AttemptState.DONE]
    assert [one.match for one in cup.all.open_runs(cup.number).values()] == [third.number]


def test_three_failures_set_it_aside_and_a_person_has_it_run_again(
    store: Store, clock: FakeClock
) -> None:
    cup = Cup(store)
    (number,) = cup.announce("1/1/1")
    for _ in range(3):
        _next(store)
        clock.advance(2 * MINUTE)
        store.matches.expire()
    assert cup.match(number).state is MatchState.SET_ASIDE
    assert [one.match for one in cup.all.open_runs(cup.number).values()] == [number]
    store.matches.rerun(number)
    lease = _next(store)
    assert lease.seed == competition_seed(SECRET, "", "1/1/1", 4)
    assert store.matches.record(report_on(lease)) is Receipt.RECORDED
    assert store.matches.record(report_on(lease)) is Receipt.DUPLICATE
    assert cup.match(number).state is MatchState.DONE
    assert cup.all.open_runs(cup.number) == {}


def test_many_matches_are_read_in_order(store: Store) -> None:
    cup = Cup(store)
    pairings = [f"1/{number}/1" for number in range(1100)]  # more than are asked for at once
    numbers = cup.announce(*pairings)
    found = cup.all.page(cup.number, 0, 10_000)
    assert [one.number for one in found] == list(numbers) == sorted(numbers)
    assert [one.pairing for one in found] == pairings
    assert [one.position for one in found] == list(range(1, 1101))
