"""What is begun next: nobody who asks for challenges keeps the others from being rated."""

from __future__ import annotations

from dataclasses import replace

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

    def want(self, count: int) -> None:
        self.house.planner.wanted += [self.house.new_match()] * count

    def begin(self, count: int) -> list[NewMatch]:
        leases = [self.queue.next(()) for _ in range(count)]
        assert all(isinstance(one, Lease) for one in leases)
        return [one.new for one in leases if one is not None]


def kinds(news: list[NewMatch]) -> str:
    """Their initials; h is a challenge."""
    letters = {MatchKind.RATED: "r", MatchKind.CHALLENGE: "h", MatchKind.CHECK: "k"}
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
