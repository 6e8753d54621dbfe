"""What is begun next: nobody who asks for challenges keeps the others from being rated."""

from __future__ import annotations

from dataclasses import replace

from arena.storage.competitions import JournalChange
from arena.storage.facts import Lease, MatchKind, NewMatch
from arena.tournament.ladder.queueing import Queue
from tests.tournament.ladder.house import House


class Counter:
    def __init__(self, house: House) -> None:
        self.house = house
        self.queue = Queue(house.book, house.planner, "here", 60_000)

    def ask(self, count: int, kind: MatchKind = MatchKind.CHALLENGE, owner: str = "ada") -> None:
        new = replace(self.house.new_match(kind), requested_by=owner)
        for _ in range(count):
            self.house.book.create(new)

    def announce(self, *pairings: str, competition: int = 1) -> None:
        """Have matches of a competition wait."""
        own = self.house.store.competitions
        if own.by_number(competition) is None:
            own.create(f"cup-{competition}", [b"opened"], bytes(32))
        kind = MatchKind.COMPETITION
        new = replace(self.house.new_match(kind), competition=competition)
        matches = tuple(replace(new, pairing=pairing) for pairing in pairings)
        after = len(own.journal(competition))
        assert own.append(competition, after, [b"paired"], JournalChange(matches=matches))

    def want(self, count: int) -> None:
        self.house.planner.wanted += [self.house.new_match()] * count

    def begin(self, count: int) -> list[NewMatch]:
        leases = [self.queue.next(()) for _ in range(count)]
        assert all(isinstance(one, Lease) for one in leases)
        return [one.new for one in leases if one is not None]


def kinds(news: list[NewMatch]) -> str:
    """Their initials; h is a challenge."""
    letters = {
        MatchKind.RATED: "r",
        MatchKind.CHALLENGE: "h",
        MatchKind.CHECK: "k",
        MatchKind.COMPETITION: "c",
    }
    return "".join(letters[one.kind] for one in news)


def test_at_most_every_fourth_is_a_challenge_while_anything_is_rated(house: House) -> None:
    counter = Counter(house)
    counter.ask(10)
    counter.want(9)
    assert kinds(counter.begin(12)) == "rrrh" * 3
    assert kinds(counter.begin(7)) == "h" * 7  # nothing else is there
    assert counter.queue.next(()) is None
    counter.ask(2)
    counter.want(4)
    assert kinds(counter.begin(6)) == "rrrhrh"


def test_checks_and_what_is_tried_again_come_first(house: House) -> None:
    counter = Counter(house)
    counter.ask(3)
    counter.want(3)
    assert kinds(counter.begin(3)) == "rrr"
    counter.ask(1, MatchKind.CHECK)
    counter.ask(1, MatchKind.RATED)
    assert kinds(counter.begin(3)) == "krh"


def test_owners_share_in_turn(house: House) -> None:
    counter = Counter(house)
    counter.ask(5, owner="ada")
    counter.ask(2, owner="bob")
    begun = [one.requested_by for one in counter.begin(7)]
    assert begun == ["ada", "bob", "ada", "bob", "ada", "ada", "ada"]


def test_what_a_competition_waits_for_comes_before_all_others(house: House) -> None:
    counter = Counter(house)
    counter.ask(1)
    counter.ask(1, MatchKind.RATED)
    counter.ask(1, MatchKind.CHECK)
    counter.want(3)
    counter.announce("1/1/1", "1/2/1", "1/3/1", "1/4/1")
    # Of the others a challenge is every fourth, whatever competitions have had played before.
    assert kinds(counter.begin(8)) == "ccccrkrh"
    counter.ask(1)
    counter.announce("1/5/1")
    assert kinds(counter.begin(4)) == "crrh"
    assert counter.queue.next(()) is None


def test_matches_of_competitions_come_in_the_order_of_their_numbers(house: House) -> None:
    counter = Counter(house)
    counter.announce("1/2/1")
    counter.announce("2/1/1", competition=2)
    counter.announce("1/10/1", "1/1/1")
    begun = [(one.competition, one.pairing) for one in counter.begin(4)]
    assert begun == [(1, "1/2/1"), (2, "2/1/1"), (1, "1/10/1"), (1, "1/1/1")]


def test_what_a_competition_has_to_play_again_keeps_its_place(house: House) -> None:
    counter = Counter(house)
    counter.announce("1/1/1", "1/2/1")
    lease = counter.queue.next(())
    assert lease is not None
    assert house.book.release(lease.match, 1, lease.token, "the engine is gone")
    assert [one.pairing for one in counter.begin(2)] == ["1/1/1", "1/2/1"]


def test_while_it_is_reserved_nothing_else_is_begun(house: House) -> None:
    counter = Counter(house)
    reserved = [True]
    counter.queue = Queue(house.book, house.planner, "here", 60_000, lambda: reserved[0])
    counter.ask(1)
    counter.ask(1, MatchKind.RATED)
    counter.ask(1, MatchKind.CHECK)
    counter.want(1)
    counter.announce("1/1/1")
    assert kinds(counter.begin(1)) == "c"
    assert counter.queue.next(()) is None
    assert house.planner.asked == 0
    reserved[0] = False
    assert kinds(counter.begin(4)) == "rkrh"
