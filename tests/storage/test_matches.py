"""Matches: made, leased, given back, found."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy import Engine, event

from arena.errors import InputError
from arena.storage.attempts import MOST_ATTEMPTS, MOST_FAILURES, commitment
from arena.storage.facts import AttemptState, Lease, Match, MatchKind, MatchState, Seat, Version
from arena.storage.matchlist import Filters
from arena.storage.store import Store
from tests.storage.conftest import FakeClock
from tests.storage.worlds import MINUTE, World, new_match, report_on

BAD_NUMBERS = (0, -1, 99, 2**31, 2**63, 2**70)


@pytest.fixture
def world(store: Store) -> World:
    return World(store)


@pytest.fixture
def pair(world: World) -> list[Version]:
    return world.bots("ada", "bob")


def found(world: World, number: int) -> Match:
    match = world.store.matches.find(number)
    assert match is not None
    return match


def leased(world: World) -> Lease:
    lease = world.store.matches.lease("worker", MINUTE)
    assert lease is not None
    return lease


def test_a_match_waits_in_its_place(world: World, pair: Sequence[Version]) -> None:
    matches = world.store.matches
    new = new_match(*pair)
    numbers = [matches.create(new) for _ in range(3)]
    assert [found(world, number).position for number in numbers] == [1, 2, 3]
    lease = leased(world)
    assert (lease.match, lease.attempt, lease.new) == (numbers[0], 1, new)
    assert [found(world, number).position for number in numbers] == [0, 1, 2]
    assert [one.position for one in matches.list().items] == [2, 1, 0]
    match = found(world, numbers[0])
    assert (match.seats, match.teams, match.terms) == (new.seats, new.teams, new.terms)
    assert (match.state, match.cause, match.table) == (MatchState.LEASED, new.cause, new.table)
    assert matches.count(MatchState.QUEUED) == 2


def test_challenges_are_begun_in_turn_by_owner(world: World) -> None:
    ada, bob, _ = world.bots("ada", "bob", "cleo")
    matches = world.store.matches

    def ask(owner: str) -> int:
        new = new_match(ada, bob, kind=MatchKind.CHALLENGE, requested_by=owner)
        return matches.create(new)

    def begin() -> int:
        lease = matches.lease_challenge("worker", MINUTE)
        assert lease is not None
        return lease.match

    of_ada = [ask("ada") for _ in range(4)]
    of_bob = [ask("bob") for _ in range(2)]
    rated = matches.create(new_match(ada, bob))
    assert [begin(), begin(), begin()] == [of_ada[0], of_bob[0], of_ada[1]]
    of_cleo = ask("cleo")
    assert [begin(), begin(), begin()] == [of_cleo, of_bob[1], of_ada[2]]
    lease = matches.lease("worker", MINUTE, [MatchKind.RATED, MatchKind.CHECK])
    assert lease is not None
    assert lease.match == rated
    assert matches.lease("worker", MINUTE, [MatchKind.RATED, MatchKind.CHECK]) is None
    assert begin() == of_ada[3]
    assert matches.lease_challenge("worker", MINUTE) is None


def test_what_cannot_be_a_match(world: World, pair: Sequence[Version]) -> None:
    ada, bob = pair
    second = world.upload("ada", name="second")
    good = new_match(ada, bob)
    for wrong, problem in (
        (new_match(ada), "2 to 6 seats, not 1"),
        (new_match(*[ada, bob] * 4, kind=MatchKind.CHALLENGE), "2 to 6 seats, not 8"),
        (new_match(ada, bob, teams=[[0, 1]]), "teams"),
        (new_match(ada, bob, teams=[[0], [0]]), "teams"),
        (new_match(ada, bob, teams=[[0], [1], []]), "teams"),
        (new_match(ada, bob, teams=[[0], [2]]), "teams"),
        (new_match(ada, second), "must not have two seats of one owner"),
        (new_match(ada, ada), "must not have two seats of one owner"),
        (new_match(ada, bob, requested_by="eve"), "owner 'eve'"),
        (replace(good, seats=(Seat(1, 1), Seat(1, 2))), "seat 1: entrant 1 has no version 2"),
        (replace(good, seats=(Seat(1, 1), Seat(2, 2**70))), "seat 1: entrant 2 has no version"),
        (replace(good, table="x" * 65), "table"),
        (replace(good, cause="a\0b"), "cause"),
        (replace(good, terms={"seed": float("nan")}), "cannot be stored as JSON"),
        (replace(good, terms={"a": "\ud800"}), "terms"),
    ):
        with pytest.raises(InputError, match=problem):
            world.store.matches.create(wrong)
    assert world.store.matches.list().items == ()
    assert world.store.matches.lease("worker", MINUTE) is None


def test_a_challenge_may_be_against_oneself(world: World, pair: Sequence[Version]) -> None:
    ada, _ = pair
    new = new_match(ada, ada, kind=MatchKind.CHALLENGE, requested_by="ada")
    lease = world.store.matches.lease_new(new, "worker", MINUTE)
    assert found(world, lease.match).requested_by == "ada"
    world.store.matches.record(report_on(lease))
    assert found(world, lease.match).state is MatchState.DONE
    assert world.store.standings.explain(lease.match) == ()


def test_the_seed_is_committed_to_and_told_when_the_match_is_over(
    world: World, pair: Sequence[Version]
) -> None:
    first = world.lease(*pair)
    other = world.lease(*pair)
    content = b"arena-commit-v1" + b"1" + b"1" + first.seed
    assert first.commitment == hashlib.sha256(content).hexdigest()
    assert commitment(12, 3, bytes(32)) == (
        hashlib.sha256(b"arena-commit-v1123" + bytes(32)).hexdigest()
    )
    assert len({first.seed, other.seed, bytes.fromhex(first.token)}) == 3
    assert [one.seed for one in found(world, first.match).attempts] == [""]
    world.store.matches.release(first.match, 1, first.token, "the engine is gone")
    again = leased(world)
    assert (again.match, again.attempt) == (first.match, 2)
    assert again.seed != first.seed
    assert [one.seed for one in found(world, first.match).attempts] == ["", ""]
    world.store.matches.record(report_on(again))
    assert [one.seed for one in found(world, first.match).attempts] == [
        first.seed.hex(),
        again.seed.hex(),
    ]


def test_no_secret_is_shown_by_accident(world: World, pair: Sequence[Version]) -> None:
    lease = world.lease(*pair)
    shown = f"{lease!r} {report_on(lease)!r} {found(world, lease.match)!r}"
    assert lease.commitment in shown
    assert lease.token not in shown
    assert lease.seed.hex() not in shown
    assert repr(lease.seed) not in shown


def test_a_lease_ends_by_the_servers_clock(
    world: World, pair: Sequence[Version], clock: FakeClock
) -> None:
    matches = world.store.matches
    lease = world.lease(*pair)
    clock.advance(MINUTE - 1)
    assert matches.expire() == ()
    assert matches.renew(lease.match, lease.attempt, lease.token, MINUTE)
    clock.advance(MINUTE - 1)
    assert matches.expire() == ()
    assert matches.renew(lease.match, lease.attempt, lease.token, 1)
    clock.advance(1)
    assert matches.expire() == ((lease.match, lease.attempt),)
    assert matches.expire() == ()
    assert not matches.renew(lease.match, lease.attempt, lease.token, MINUTE)
    match = found(world, lease.match)
    assert match.state is MatchState.QUEUED
    assert match.attempts[0].state is AttemptState.LOST
    assert "worker" in match.attempts[0].why
    assert leased(world).attempt == 2


def test_a_renewal_never_shortens(world: World, pair: Sequence[Version], clock: FakeClock) -> None:
    lease = world.lease(*pair)
    assert world.store.matches.renew(lease.match, lease.attempt, lease.token, 1)
    clock.advance(MINUTE - 1)
    assert world.store.matches.expire() == ()


def test_only_the_holder_of_a_lease_may_renew_or_release(
    world: World, pair: Sequence[Version]
) -> None:
    matches = world.store.matches
    lease = world.lease(*pair)
    for match, attempt, token in (
        (lease.match, lease.attempt, ""),
        (lease.match, lease.attempt, "\ud800"),
        (lease.match, lease.attempt, "0" * 64),
        (lease.match, 2, lease.token),
        (lease.match, 2**70, lease.token),
        (2**70, 1, lease.token),
    ):
        assert not matches.renew(match, attempt, token, MINUTE)
        assert not matches.release(match, attempt, token, "mine now")
    assert matches.release(lease.match, lease.attempt, lease.token, "the engine is gone")
    assert not matches.release(lease.match, lease.attempt, lease.token, "again")


def test_a_poison_match_is_set_aside_and_the_queue_moves_on(
    world: World, pair: Sequence[Version], clock: FakeClock
) -> None:
    """H26: the match that kills whoever plays it."""
    matches = world.store.matches
    poison, harmless = (matches.create(new_match(*pair)) for _ in range(2))
    for attempt in range(1, MOST_FAILURES + 1):
        lease = leased(world)
        assert (lease.match, lease.attempt) == (poison, attempt)
        clock.advance(MINUTE)
        matches.expire()
    match = found(world, poison)
    assert match.state is MatchState.SET_ASIDE
    assert [one.state for one in match.attempts] == [AttemptState.LOST] * MOST_FAILURES
    assert match.why.count("lost: no report before its lease ended") == MOST_FAILURES
    assert leased(world).match == harmless
    assert matches.lease("worker", MINUTE) is None
    # A person has it played again: for three more attempts.
    assert matches.rerun(poison).state is MatchState.QUEUED
    for attempt in range(MOST_FAILURES + 1, 2 * MOST_FAILURES + 1):
        lease = leased(world)
        assert (lease.match, lease.attempt) == (poison, attempt)
        matches.release(poison, attempt, lease.token, "again")
    assert found(world, poison).state is MatchState.SET_ASIDE


def test_what_a_server_hands_back_is_no_failure(world: World, pair: Sequence[Version]) -> None:
    matches = world.store.matches
    number = matches.create(new_match(*pair))
    for attempt in range(1, 2 * MOST_FAILURES):
        lease = leased(world)
        assert lease.attempt == attempt
        assert matches.release(number, attempt, lease.token, "shut down", counts=False)
    assert found(world, number).state is MatchState.QUEUED


def test_what_is_handed_back_again_and_again_is_set_aside(
    world: World, pair: Sequence[Version]
) -> None:
    matches = world.store.matches
    number = matches.create(new_match(*pair))
    for attempt in range(1, MOST_ATTEMPTS + MOST_FAILURES):
        assert found(world, number).state is MatchState.QUEUED
        lease = leased(world)
        matches.release(number, attempt, lease.token, "the server has died", counts=False)
    assert found(world, number).state is MatchState.SET_ASIDE


def test_a_worker_finds_what_it_held(world: World, pair: Sequence[Version]) -> None:
    matches = world.store.matches
    first = world.lease(*pair)
    matches.create(new_match(*pair))
    second = matches.lease("another", MINUTE)
    assert matches.adopt("worker") == (first,)
    assert matches.adopt("another") == (second,)
    assert matches.adopt("nobody") == ()


def test_a_cancelled_match_is_not_played(world: World, pair: Sequence[Version]) -> None:
    matches = world.store.matches
    waiting, playing, over = (
        matches.create(new_match(*pair)),
        world.lease(*pair),
        world.play(*pair),
    )
    for number in (waiting, playing.match):
        match = matches.cancel(number, "not wanted")
        assert (match.state, match.why) == (MatchState.CANCELLED, "not wanted")
        with pytest.raises(InputError, match="is cancelled, so it cannot be cancelled"):
            matches.cancel(number, "again")
    assert matches.lease("worker", MINUTE) is None
    (attempt,) = found(world, playing.match).attempts
    assert (attempt.state, attempt.why) == (AttemptState.VOID, "cancelled: not wanted")
    assert attempt.seed == playing.seed.hex()
    with pytest.raises(InputError, match=r"is done, .*; its result can be annulled"):
        matches.cancel(over, "it was unfair")
    for number in BAD_NUMBERS:
        with pytest.raises(InputError, match="there is none of this number"):
            matches.cancel(number, "why not")
        with pytest.raises(InputError, match="there is none of this number"):
            matches.rerun(number)
        assert matches.find(number) is None
    with pytest.raises(InputError, match="only what was set aside runs again"):
        matches.rerun(waiting)


def test_lists_are_by_who_played_and_how_it_stands(world: World) -> None:
    ada, bob, carl = world.bots("ada", "bob", "carl")
    second = world.upload("ada", name="second")
    played = [
        world.play(ada, bob),
        world.play(bob, carl),
        world.play(second, carl),
        world.play(ada, carl),
        world.lease(ada, bob).match,
        world.lease(ada, second, kind=MatchKind.CHALLENGE).match,
    ]

    def numbers(filters: Filters, size: int) -> list[int]:
        listed: list[int] = []
        token = ""
        while True:
            page = world.store.matches.list(filters, size, token)
            listed += [one.number for one in page.items]
            token = page.next
            if not token:
                return listed

    def meant(*places: int) -> list[int]:
        return [played[place] for place in sorted(places, reverse=True)]

    for size in (1, 2, 100):
        assert numbers(Filters(), size) == meant(0, 1, 2, 3, 4, 5)
        assert numbers(Filters(entrant=ada.entrant), size) == meant(0, 3, 4, 5)
        assert numbers(Filters(owner="ada"), size) == meant(0, 2, 3, 4, 5)
        assert numbers(Filters(owner="ada", state=MatchState.DONE), size) == meant(0, 2, 3)
        assert numbers(Filters(owner="carl", entrant=ada.entrant), size) == []
        assert numbers(Filters(state=MatchState.LEASED), size) == meant(4, 5)
        assert numbers(Filters(kind=MatchKind.CHALLENGE), size) == meant(5)
        assert numbers(Filters(entrant=second.entrant, kind=MatchKind.RATED), size) == meant(2)
        for nobody in (Filters(entrant=2**70), Filters(owner="eve"), Filters(owner="\0")):
            assert numbers(nobody, size) == []
    assert world.store.matches.pair_counts() == {
        (ada.entrant, bob.entrant): 2,
        (bob.entrant, carl.entrant): 1,
        (carl.entrant, second.entrant): 1,
        (ada.entrant, carl.entrant): 1,
    }
    assert world.store.matches.pair_counts(played[2]) == {
        (ada.entrant, carl.entrant): 1,
        (ada.entrant, bob.entrant): 1,
    }


def test_a_page_costs_the_same_few_queries_however_long_it_is(
    world: World, pair: Sequence[Version]
) -> None:
    for _ in range(30):
        world.play(*pair)
        world.store.matches.create(new_match(*pair))
    statements: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        if statement.startswith("SELECT") and "sqlite_master" not in statement:
            statements.append(statement)

    world.store.matches.list(page_size=1)
    event.listen(Engine, "before_cursor_execute", note)
    try:
        world.store.matches.list(page_size=3)
        few = len(statements)
        world.store.matches.list(page_size=50)
        many = len(statements) - few
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert 0 < few <= 8
    assert many == few
