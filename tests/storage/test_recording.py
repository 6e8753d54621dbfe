"""Reports: recorded once, whatever comes twice, late, altered, or from somebody else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from sqlalchemy import select

from arena.errors import InputError
from arena.storage.facts import (
    AttemptState,
    Lease,
    MatchKind,
    MatchState,
    Moment,
    Receipt,
    Report,
    SeatReport,
    Version,
)
from arena.storage.inputs import digest_of
from arena.storage.recording import result_payload
from arena.storage.schema import RESULTS
from arena.storage.store import Store
from tests.storage.conftest import FakeClock, OpenStore
from tests.storage.worlds import MINUTE, World, new_match, report_on


@pytest.fixture
def world(store: Store) -> World:
    return World(store)


@pytest.fixture
def pair(world: World) -> list[Version]:
    return world.bots("ada", "bob")


def version(world: World, number: int) -> Version:
    found = world.store.entrants.version(number)
    assert found is not None
    return found


def again(world: World) -> Lease:
    lease = world.store.matches.lease("worker", MINUTE)
    assert lease is not None
    return lease


def test_a_result_is_stored_as_it_was_reported(world: World, pair: Sequence[Version]) -> None:
    lease = world.lease(*pair)
    report = report_on(lease, why="ada wins by 3\0 boards")
    assert world.store.matches.record(report) is Receipt.RECORDED
    match = world.store.matches.find(lease.match)
    assert match is not None
    assert match.state is MatchState.DONE
    result = match.result
    assert result is not None
    assert (result.verdict, result.why) == ("COMPLETED", "ada wins by 3\ufffd boards")
    assert (result.ranks, result.seats, result.games) == (report.ranks, report.seats, 20)
    assert (result.record, result.head, result.entry) == (report.record, report.head, 1)
    (attempt,) = match.attempts
    assert (attempt.state, attempt.record) == (AttemptState.DONE, report.record)


def test_the_payload_of_a_result_can_be_made_again(world: World, pair: Sequence[Version]) -> None:
    lease = world.lease(*pair)
    seats = (
        SeatReport(points=-5, wins=0.1 + 0.2, tally={"\ud800": [1e-300, None, 2**80], "b": {}}),
        SeatReport(points=10**30, wins=1 / 3, forfeit="CRASH", detail="\0 caf\u00e9", log="ab"),
    )
    world.store.matches.record(replace(report_on(lease), seats=seats, verdict="FORFEIT"))
    with world.store.database.reading() as connection:
        row = connection.execute(select(RESULTS)).mappings().one()
    assert digest_of(result_payload(row)) == row["payload_sha256"]
    match = world.store.matches.find(lease.match)
    assert match is not None
    assert match.result is not None
    assert match.result.seats[0].wins == 0.1 + 0.2
    assert match.result.seats[1].points == 10**30


def test_a_report_that_comes_again_changes_nothing(
    world: World, pair: Sequence[Version], reopen: OpenStore, clock: FakeClock
) -> None:
    """H3: also after a restart; H24: however often."""
    report = report_on(world.lease(*pair))
    assert world.store.matches.record(report) is Receipt.RECORDED
    before = (world.store.standings.page().items, world.store.ledger.entries().items)
    clock.advance(5 * MINUTE)
    assert world.store.matches.record(report) is Receipt.DUPLICATE
    # How long it took is not what it says.
    assert world.store.matches.record(replace(report, machine_time=5)) is Receipt.DUPLICATE
    world.store.close()
    store = reopen()
    assert store.matches.record(report) is Receipt.DUPLICATE
    assert (store.standings.page().items, store.ledger.entries().items) == before
    assert store.matches.refused().items == ()
    owner = store.owners.find("ada")
    assert owner is not None
    assert owner.machine_time == 501


def _other_winner(report: Report) -> Report:
    return replace(report, ranks=report.ranks[::-1])


def _other_points(report: Report) -> Report:
    return replace(report, seats=(replace(report.seats[0], points=1), report.seats[1]))


def _void(report: Report) -> Report:
    return replace(report, verdict="VOID", ranks=())


@pytest.mark.parametrize("alter", [_other_winner, _other_points, _void])
def test_another_report_of_the_same_attempt_is_refused_and_kept(
    world: World, pair: Sequence[Version], alter: Callable[[Report], Report]
) -> None:
    """H4."""
    report = report_on(world.lease(*pair))
    forged = alter(report)
    world.store.matches.record(report)
    before = world.store.standings.page().items
    assert world.store.matches.record(forged) is Receipt.CONFLICT
    assert world.store.standings.page().items == before
    (kept,) = world.store.matches.refused().items
    assert (kept.match, kept.attempt, kept.receipt) == (report.match, 1, Receipt.CONFLICT)
    assert kept.payload["ranks"] == list(forged.ranks)
    assert kept.payload["seats"][0]["points"] == forged.seats[0].points
    assert report.token not in str(kept.payload)
    assert not kept.is_seen
    assert world.store.matches.saw_refused(kept.number)
    assert world.store.matches.refused().items[0].is_seen
    assert not world.store.matches.saw_refused(2**70)


def test_who_has_lost_the_lease_reports_in_vain(
    world: World, pair: Sequence[Version], clock: FakeClock
) -> None:
    """H6: a worker that was frozen wakes up, before and after the next one has reported."""
    zombie = report_on(world.lease(*pair))
    clock.advance(MINUTE)
    world.store.matches.expire()
    assert world.store.matches.record(zombie) is Receipt.STALE
    lease = again(world)
    assert world.store.matches.record(zombie) is Receipt.STALE
    newer = report_on(lease, (1, 0))
    assert world.store.matches.record(newer) is Receipt.RECORDED
    assert world.store.matches.record(zombie) is Receipt.STALE
    match = world.store.matches.find(lease.match)
    assert match is not None
    assert match.result is not None
    assert (match.result.attempt, match.result.ranks) == (2, (1, 0))
    assert len(world.store.matches.refused().items) == 3
    assert len(world.store.ledger.entries().items) == 1


def test_who_never_had_the_lease_reports_in_vain(world: World, pair: Sequence[Version]) -> None:
    """F14: a guessed token, another match's, a match or an attempt that there is not."""
    lease, other = world.lease(*pair), world.lease(*pair)
    good = report_on(lease)
    for wrong in (
        replace(good, token="0" * 64),
        replace(good, token=""),
        replace(good, token="\ud800"),
        replace(good, token=other.token),
        replace(good, attempt=2),
        replace(good, attempt=2**40),
        replace(good, match=99),
    ):
        assert world.store.matches.record(wrong) is Receipt.STALE
    assert world.store.matches.record(good) is Receipt.RECORDED
    assert world.store.matches.record(replace(good, token=other.token)) is Receipt.STALE


def test_what_is_no_report(world: World, pair: Sequence[Version]) -> None:
    good = report_on(world.lease(*pair))
    for wrong, problem in (
        (replace(good, match=2**70), "match 1180"),
        (replace(good, match=0), "match 0"),
        (replace(good, verdict="DRAW"), "verdict 'DRAW': must be one of COMPLETED, FORFEIT, VOID"),
        (replace(good, ranks=(0,)), "must be 2, from 0 on"),
        (replace(good, ranks=(0, -1)), "must be 2, from 0 on"),
        (replace(good, seats=good.seats[:1]), "is about 1 seats, not 2"),
        (replace(good, blamed=0), "is blamed, though it is not void"),
        (replace(good, verdict="VOID", blamed=2), "seat 2 is blamed, of 2 from 0"),
        (replace(good, machine_time=-1), "machine_time"),
        (replace(good, ended=Moment(2**64)), "ended"),
        (replace(good, record="x" * 65), "record"),
        (
            replace(good, seats=(replace(good.seats[0], wins=float("inf")), good.seats[1])),
            "JSON",
        ),
    ):
        with pytest.raises(InputError, match=problem):
            world.store.matches.record(wrong)
    assert world.store.matches.record(good) is Receipt.RECORDED


def test_a_void_attempt_is_played_again_and_kept(world: World, pair: Sequence[Version]) -> None:
    lease = world.lease(*pair)
    void = report_on(lease, verdict="VOID", why="the engine did not answer")
    assert world.store.matches.record(void) is Receipt.RECORDED
    assert world.store.matches.record(void) is Receipt.DUPLICATE
    assert world.store.matches.record(replace(void, why="?")) is Receipt.CONFLICT
    match = world.store.matches.find(lease.match)
    assert match is not None
    assert (match.state, match.result) == (MatchState.QUEUED, None)
    (attempt,) = match.attempts
    assert (attempt.state, attempt.why, attempt.record) == (
        AttemptState.VOID, "the engine did not answer", void.record,
    )  # fmt: skip
    assert "the engine did not answer" in match.why
    for _ in range(2):
        world.store.matches.record(report_on(again(world), verdict="VOID", why="still gone"))
    match = world.store.matches.find(lease.match)
    assert match is not None
    assert match.state is MatchState.SET_ASIDE
    assert match.why.count("still gone") == 2
    assert world.store.ledger.entries().items == ()


def test_voids_are_counted_against_whom_they_can_be_traced_to(
    world: World, pair: Sequence[Version]
) -> None:
    """F10."""
    ada, bob = pair
    world.store.matches.record(report_on(world.lease(ada, bob), verdict="VOID"))
    world.store.matches.record(report_on(again(world), verdict="VOID", blamed=1))
    assert (version(world, ada.number).voids, version(world, bob.number).voids) == (1, 2)
    challenge = world.lease(ada, bob, kind=MatchKind.CHALLENGE)
    world.store.matches.record(report_on(challenge, verdict="VOID", blamed=0))
    assert version(world, ada.number).voids == 1  # whoever challenges cannot have others set aside
    assert world.store.entrants.totals().voids == 3
    for name in ("ada", "bob"):
        owner = world.store.owners.find(name)
        assert owner is not None
        assert owner.machine_time in (3 * 500, 3 * 501)


def test_forfeits_in_a_row_are_counted(world: World, pair: Sequence[Version]) -> None:
    ada, bob = pair

    def play(forfeits: Sequence[int]) -> tuple[int, int, int]:
        report = report_on(world.lease(ada, bob), (1, 0), verdict="FORFEIT", forfeits=forfeits)
        world.store.matches.record(report)
        one = version(world, ada.number)
        return one.matches, one.forfeits, one.failing

    assert play([0]) == (1, 1, 1)
    assert play([0]) == (2, 2, 2)
    assert play([1]) == (3, 2, 0)
    assert play([0]) == (4, 3, 1)
    other = version(world, bob.number)
    assert (other.matches, other.forfeits, other.failing) == (4, 1, 0)


def test_unrated_matches_count_for_nothing(world: World, pair: Sequence[Version]) -> None:
    ada, bob = pair
    before = world.store.standings.page().items
    for kind in (MatchKind.CHALLENGE, MatchKind.CHECK):
        lease = world.lease(ada, bob, kind=kind)
        report = report_on(lease, verdict="FORFEIT", forfeits=[0])
        assert world.store.matches.record(report) is Receipt.RECORDED
        match = world.store.matches.find(lease.match)
        assert match is not None
        assert match.result is not None
        assert match.result.entry is None
    assert world.store.standings.page().items == before
    assert version(world, ada.number).matches == version(world, ada.number).forfeits == 0
    assert world.store.ledger.entries().items == ()


def test_nobody_dodges_a_result(world: World, pair: Sequence[Version]) -> None:
    """F9: what happens to a bot while it plays changes nothing."""
    ada, bob = pair
    lease = world.lease(ada, bob)
    newer = world.upload("ada", label="2")
    world.store.entrants.pause(ada.entrant, "I do not want to lose")
    world.store.owners.suspend("ada", "nor this")
    assert world.store.matches.record(report_on(lease, (1, 0))) is Receipt.RECORDED
    ours, theirs = world.store.standings.explain(lease.match)
    assert (ours.entrant, ours.version, theirs.version) == (ada.entrant, ada.number, bob.number)
    assert ours.after.mu < ours.before.mu
    entrant = world.store.entrants.by_number(ada.entrant)
    assert entrant is not None
    assert (entrant.rating, entrant.version) == (ours.after, newer.number)
    assert (version(world, ada.number).matches, version(world, newer.number).matches) == (1, 0)


def test_teams_share_their_rank_and_owners_the_time(world: World) -> None:
    versions = world.bots("ada", "bob", "carl", "dora")
    new = new_match(*versions, teams=[[0, 2], [1, 3]])
    lease = world.store.matches.lease_new(new, "worker", MINUTE)
    world.store.matches.record(report_on(lease, (1, 0)))
    events = world.store.standings.explain(lease.match)
    assert [one.rank for one in events] == [1, 0, 1, 0]
    assert [one.actual for one in events] == [0.0, 1.0, 0.0, 1.0]
    times = [one.machine_time for one in world.store.owners.list().items]
    assert times == [251, 250, 250, 250]
