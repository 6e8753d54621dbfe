"""Competitions and their journals: what a line brings about is there with it, or not at all."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from arena.errors import InputError
from arena.storage import database as databases
from arena.storage.competitions import (
    Appended,
    Competitions,
    JournalChange,
    StoredCompetition,
)
from arena.storage.database import Database
from arena.storage.facts import Level, Match, MatchKind, MatchState, NewMatch, Seat, Version
from arena.storage.store import Store
from tests.storage.conftest import FakeClock, OpenStore
from tests.storage.worlds import MINUTE, World, new_match, report_on

SECRET = bytes(range(32))


def paired(competition: int, pairing: str, *versions: Version) -> NewMatch:
    """A match of a competition."""
    new = new_match(*versions, kind=MatchKind.COMPETITION)
    return replace(new, competition=competition, pairing=pairing)


class Cup(World):
    """A store with a competition between two owners' bots."""

    def __init__(self, store: Store, name: str = "cup") -> None:
        super().__init__(store)
        self.all = store.competitions
        self.number = self.all.create(name, [b"opened"], SECRET).number
        self.pair = self.bots(f"{name}-ada", f"{name}-bob")

    @property
    def length(self) -> int:
        return len(self.all.journal(self.number))

    def new(self, pairing: str) -> NewMatch:
        return paired(self.number, pairing, *self.pair)

    def change(self, change: JournalChange, *lines: bytes) -> Appended:
        done = self.all.append(self.number, self.length, lines or [b"changed"], change)
        assert done is not None
        return done

    def announce(self, *pairings: str) -> tuple[int, ...]:
        """The numbers of new matches."""
        return self.change(JournalChange(matches=tuple(map(self.new, pairings)))).numbers

    def match(self, number: int) -> Match:
        found = self.store.matches.find(number)
        assert found is not None
        return found

    def states(self) -> list[MatchState]:
        return [one.state for one in self.all.page(self.number, 0, 10_000)]

    def play_next(self, ranks: Sequence[int] = ()) -> int:
        """The number of the next match in the queue, which was played."""
        lease = self.store.matches.lease("worker", MINUTE, [MatchKind.COMPETITION])
        assert lease is not None
        self.store.matches.record(report_on(lease, ranks))
        return lease.match


# -- made and found -------------------------------------------------------------------------------


def test_what_is_created_is_found(store: Store, clock: FakeClock) -> None:
    made = store.competitions.create("school-1", [b"opened", b"entered"], SECRET)
    wanted = StoredCompetition(
        number=1, name="school-1", created=clock(), level=Level.HIDDEN, over=False, mixed=""
    )
    assert made == wanted
    assert store.competitions.find("school-1") == made
    assert store.competitions.by_number(1) == made
    assert store.competitions.secret(1) == SECRET
    assert store.competitions.journal(1) == (b"opened", b"entered")
    assert store.competitions.journal(1, after=1) == (b"entered",)
    assert store.competitions.journal(1, after=7) == ()
    assert store.competitions.page(1, 0, 10_000) == ()
    assert store.competitions.open_runs(1) == {}


def test_it_outlives_the_server(reopen: OpenStore) -> None:
    line = bytes(range(256))
    with reopen() as store:
        made = store.competitions.create("cup", [line], SECRET)
    with reopen() as store:
        assert store.competitions.find("cup") == made
        assert store.competitions.journal(made.number) == (line,)
        assert store.competitions.secret(made.number) == SECRET


def test_what_is_not_there_is_not_found(store: Store) -> None:
    competitions = store.competitions
    assert competitions.find("cup") is competitions.find("\0") is None
    assert competitions.by_number(1) is competitions.by_number(2**70) is None
    assert competitions.page(2**70, 0, 10_000) == ()
    assert competitions.open_runs(0) == {}
    for number in (1, 0, 2**70):
        with pytest.raises(InputError, match="there is none of this number"):
            competitions.journal(number)
        with pytest.raises(InputError, match="there is none of this number"):
            competitions.secret(number)
        with pytest.raises(InputError, match="there is none of this number"):
            competitions.append(number, 0, [b"line"])


def test_a_secret_is_in_no_value(store: Store) -> None:
    made = store.competitions.create("cup", [b"opened"], SECRET)
    assert SECRET.hex() not in repr(made)
    assert repr(SECRET) not in repr(made)


@pytest.mark.parametrize("name", ["", "Cup", "a" * 41, "a b", "cup\n", "füße", "a/b"])
def test_what_is_no_name_is_refused(store: Store, name: str) -> None:
    with pytest.raises(InputError, match="must be 1 to 40 of a-z 0-9 -"):
        store.competitions.create(name, [b"opened"], SECRET)


def test_what_cannot_be_created_leaves_nothing(store: Store) -> None:
    competitions = store.competitions
    competitions.create("cup", [b"opened"], SECRET)
    with pytest.raises(InputError, match="competition cup: there is one of this name already"):
        competitions.create("cup", [b"other"], SECRET)
    with pytest.raises(InputError, match="must have 32 bytes, not 31"):
        competitions.create("other", [b"opened"], SECRET[1:])
    for lines in ([], [b"opened", b""]):
        with pytest.raises(InputError, match="added to by lines, none of them empty"):
            competitions.create("other", lines, SECRET)
    assert [one.name for one in competitions.list().items] == ["cup"]
    assert competitions.journal(1) == (b"opened",)


def test_lists_and_what_runs(store: Store) -> None:
    competitions = store.competitions
    for name in ("one", "two", "three"):
        competitions.create(name, [b"opened"], SECRET)
    competitions.append(2, 1, [b"finished"], JournalChange(over=True))
    first = competitions.list(page_size=2)
    second = competitions.list(2, first.next)
    assert [one.name for one in (*first.items, *second.items)] == ["three", "two", "one"]
    assert second.next == ""
    assert [one.name for one in competitions.running()] == ["one", "three"]
    with pytest.raises(InputError, match="page_token"):
        competitions.list(2, store.owners.list(1).next or "abc")


# -- added to -------------------------------------------------------------------------------------


def test_lines_bring_about_matches(store: Store) -> None:
    cup = Cup(store)
    change = JournalChange(matches=(cup.new("1/1.1/1"), cup.new("1/1.2/1")))
    done = cup.all.append(cup.number, 1, [b"paired", b"paired too"], change)
    assert done == Appended((1, 2))
    assert cup.all.journal(cup.number) == (b"opened", b"paired", b"paired too")
    for match, pairing in zip(
        cup.all.page(cup.number, 0, 10_000), ("1/1.1/1", "1/1.2/1"), strict=True
    ):
        assert (match.kind, match.state) == (MatchKind.COMPETITION, MatchState.QUEUED)
        assert (match.competition, match.pairing, match.hidden) == (cup.number, pairing, True)
        assert cup.match(match.number) == match


def test_who_comes_second_changes_nothing(store: Store) -> None:
    cup = Cup(store)
    (number,) = cup.announce("1/1.1/1")
    change = JournalChange(
        matches=(cup.new("1/1.2/1"),),
        cancel=((number, "nobody wants it"),),
        level=Level.PUBLIC,
        mixed="more",
        over=True,
    )
    before = cup.all.by_number(cup.number)
    for after in (0, 1, 3, 2**70, -1):
        assert cup.all.append(cup.number, after, [b"late"], change) is None
    assert cup.all.by_number(cup.number) == before
    assert cup.all.journal(cup.number) == (b"opened", b"changed")
    assert cup.states() == [MatchState.QUEUED]
    assert cup.all.append(cup.number, 2, [b"in time"], change) == Appended((2,))
    assert cup.states() == [MatchState.CANCELLED, MatchState.QUEUED]


def test_of_many_threads_one_is_first_each_time(store: Store) -> None:
    cup = Cup(store)
    threads, rounds = 8, 5
    together = threading.Barrier(threads)

    def add(thread: int) -> int:
        first = 0
        for turn in range(rounds):
            together.wait(60)
            new = cup.new(f"1/{turn}.{thread}/1")
            line = f"{turn} by {thread}".encode()
            change = JournalChange(matches=(new,))
            first += cup.all.append(cup.number, 1 + turn, [line], change) is not None
        return first

    with ThreadPoolExecutor(threads) as pool:
        assert sum(pool.map(add, range(threads))) == rounds
    lines = cup.all.journal(cup.number)[1:]
    assert [line[:1] for line in lines] == [b"%d" % turn for turn in range(rounds)]
    winners = [line.decode().replace(" by ", ".") for line in lines]
    matches = cup.all.page(cup.number, 0, 10_000)
    assert [one.pairing for one in matches] == [f"1/{winner}/1" for winner in winners]


@pytest.fixture
def others(
    store: Store, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[Competitions]]:
    """Four that write to the same database, each over a connection of its own.

    Servers keep one another out by a lock; here it is left out, for what holds without it.
    """
    with contextlib.ExitStack() as exits:
        monkeypatch.setattr(databases, "take_advisory_lock", lambda *_: None)
        found = [Database(store.database.url) for _ in range(4)]
        for one in found:
            exits.callback(one.close)
        yield [Competitions(one, clock) for one in found]


def test_of_many_connections_one_is_first_each_time(
    store: Store, others: list[Competitions]
) -> None:
    cup = Cup(store)
    rounds = 5
    together = threading.Barrier(len(others))

    def add(own: Competitions) -> Counter[int]:
        done: Counter[int] = Counter()
        for turn in range(rounds):
            together.wait(60)
            change = JournalChange(matches=(cup.new(f"1/{turn}/1"),))
            if own.append(cup.number, 1 + turn, [b"turn %d" % turn], change) is not None:
                done[turn] += 1
        return done

    with ThreadPoolExecutor(len(others)) as pool:
        firsts = sum(pool.map(add, others), Counter[int]())
    assert firsts == dict.fromkeys(range(rounds), 1)
    assert cup.all.journal(cup.number)[1:] == tuple(b"turn %d" % turn for turn in range(rounds))
    assert [one.pairing for one in cup.all.page(cup.number, 0, 10_000)] == [
        f"1/{turn}/1" for turn in range(rounds)
    ]


def _of_another(cup: Cup) -> NewMatch:
    other = cup.all.create("other", [b"opened"], SECRET)
    return paired(other.number, "1/1/1", *cup.pair)


REFUSED = {
    "of another competition": (_of_another, "must be of kind competition, of 1"),
    "of none": (lambda cup: replace(cup.new("1/1/1"), competition=None), "of kind competition, of"),
    "rated": (lambda cup: replace(cup.new("1/1/1"), kind=MatchKind.RATED), "is rated of compet"),
    "no pairing": (lambda cup: cup.new(""), "must be like 1/3.2/1"),
    "half a pairing": (lambda cup: cup.new("1/3.2"), "must be like 1/3.2/1"),
    "too long": (lambda cup: cup.new(f"1/{'x' * 25}/1"), "must be like 1/3.2/1"),
    "capitals": (lambda cup: cup.new("1/A.1/1"), "must be like 1/3.2/1"),
    "a line more": (lambda cup: cup.new("1/3.2/1\n"), "must be like 1/3.2/1"),
    "made before": (lambda cup: cup.new("1/0/1"), "is match 1 already"),
    "there twice": (lambda cup: cup.new("1/2/1"), "is there twice"),
    "unknown version": (
        lambda cup: replace(cup.new("1/1/1"), seats=(Seat(1, 1), Seat(2, 77))),
        "seat 1: entrant 2 has no version 77",
    ),
    "no team": (lambda cup: replace(cup.new("1/1/1"), teams=((0,),)), "must be two or more"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_match_that_cannot_be_undoes_all(store: Store, what: str) -> None:
    cup = Cup(store)
    cup.announce("1/0/1")
    make, told = REFUSED[what]
    change = JournalChange(matches=(cup.new("1/2/1"), make(cup)), level=Level.PUBLIC, over=True)
    before = cup.all.by_number(cup.number)
    with pytest.raises(InputError, match=told):
        cup.all.append(cup.number, 2, [b"paired"], change)
    assert cup.all.by_number(cup.number) == before
    assert cup.all.journal(cup.number) == (b"opened", b"changed")
    assert [one.pairing for one in cup.all.page(cup.number, 0, 10_000)] == ["1/0/1"]


def test_no_change_without_a_line(store: Store) -> None:
    cup = Cup(store)
    for lines in ([], [b""], [b"line", b""]):
        with pytest.raises(InputError, match="added to by lines, none of them empty"):
            cup.all.append(cup.number, 1, lines, JournalChange(over=True))
    assert [one.number for one in cup.all.running()] == [cup.number]


def test_no_match_of_a_competition_without_its_journal(store: Store) -> None:
    cup = Cup(store)
    new = cup.new("1/1/1")
    strange = (
        new,
        replace(new, competition=None),
        replace(new, kind=MatchKind.RATED),
        replace(new, competition=None, kind=MatchKind.CHALLENGE),  # it has a pairing
    )
    for one in strange:
        with pytest.raises(InputError, match="is made by its journal only"):
            store.matches.create(one)
        with pytest.raises(InputError, match="is made by its journal only"):
            store.matches.lease_new(one, "worker", MINUTE)
    assert store.matches.count(MatchState.QUEUED) == 0


def test_two_competitions_have_pairings_of_the_same_name(store: Store) -> None:
    cup, other = Cup(store), Cup(store, "other")
    assert cup.announce("1/1/1", "1/2/1") == (1, 2)
    assert other.announce("1/1/1") == (3,)
    assert cup.announce("1/1/2") == (4,)  # a further run
    assert [one.number for one in cup.all.page(cup.number, 0, 10_000)] == [1, 2, 4]
    assert [one.number for one in cup.all.page(other.number, 0, 10_000)] == [3]


def test_cancelling_what_is_not_over(store: Store) -> None:
    cup = Cup(store)
    waits, plays, done, gone = cup.announce("1/4/1", "1/1/1", "1/2/1", "1/3/1")
    cup.change(JournalChange(cancel=((waits, "first"),)))
    lease = store.matches.lease("worker", MINUTE)
    assert lease is not None
    assert lease.match == plays
    assert cup.play_next() == done
    store.matches.cancel(gone, "before")
    every = tuple((number, "withdrawn") for number in (waits, plays, done, gone))
    cup.change(JournalChange(cancel=every))
    assert [cup.match(number).why for number in (waits, plays, done, gone)] == [
        "first", "withdrawn", "", "before",
    ]  # fmt: skip
    cancelled = MatchState.CANCELLED
    assert cup.states() == [cancelled, cancelled, MatchState.DONE, cancelled]
    assert cup.match(plays).attempts[0].why == "cancelled: withdrawn"
    assert not store.matches.renew(plays, 1, lease.token, MINUTE)
    assert cup.all.open_runs(cup.number) == {}


def test_only_what_is_its_own_is_cancelled(store: Store) -> None:
    cup, other = Cup(store), Cup(store, "other")
    (foreign,) = other.announce("1/1/1")
    rated = store.matches.create(new_match(*cup.pair))
    for number in (foreign, rated, 77, 0, 2**70):
        with pytest.raises(InputError, match=f"match {number}: is none of competition cup"):
            cup.change(JournalChange(cancel=((number, "why not"),)))
    (own,) = cup.announce("1/1/1")
    with pytest.raises(InputError, match="reason"):
        cup.change(JournalChange(cancel=((own, ""),)))
    assert store.matches.count(MatchState.QUEUED) == 3


def test_levels_hide_and_show_its_matches(store: Store) -> None:
    cup, other = Cup(store), Cup(store, "other")
    other.announce("1/1/1")

    def hidden(one: Cup) -> list[bool]:
        return [match.hidden for match in one.all.page(one.number, 0, 10_000)]

    cup.announce("1/1/1")
    cup.change(JournalChange(level=Level.PARTICIPANTS))
    cup.announce("1/2/1")
    assert hidden(cup) == [True, True]
    cup.change(JournalChange(level=Level.PUBLIC, matches=(cup.new("1/3/1"),)))
    cup.announce("1/4/1")
    assert hidden(cup) == [False] * 4
    assert hidden(other) == [True]
    cup.change(JournalChange(level=Level.HIDDEN, matches=(cup.new("1/5/1"),)))
    assert hidden(cup) == [True] * 5
    found = cup.all.by_number(cup.number)
    assert found is not None
    assert found.level is Level.HIDDEN


def test_a_level_that_there_is_not_is_refused(store: Store) -> None:
    cup = Cup(store)
    with pytest.raises(InputError, match="level 'dark': must be one of hidden, participants, pub"):
        cup.change(JournalChange(level="dark", over=True))
    found = cup.all.by_number(cup.number)
    assert found is not None
    assert (found.level, found.over) == (Level.HIDDEN, False)


def test_nothing_of_a_paused_one_is_begun(store: Store) -> None:
    cup, other = Cup(store), Cup(store, "other")
    cup.announce("1/1/1", "1/2/1")
    rated = store.matches.create(new_match(*cup.pair))
    (foreign,) = other.announce("1/1/1")
    lease = store.matches.lease("worker", MINUTE)
    assert lease is not None
    cup.change(JournalChange(paused=True))
    assert [one.paused for one in (*cup.all.running(), *cup.all.list().items)] == [
        True, False, False, True,
    ]  # fmt: skip
    assert store.matches.renew(lease.match, 1, lease.token, MINUTE)  # is played on
    store.matches.void(lease.match, "a test wants it")  # and waits, as the other one does
    begun = [store.matches.lease("worker", MINUTE) for _ in range(3)]
    assert [one and one.match for one in begun] == [rated, foreign, None]
    cup.change(JournalChange(over=False))  # what is not named stays
    assert store.matches.lease("worker", MINUTE, [MatchKind.COMPETITION]) is None
    cup.change(JournalChange(paused=False))
    begun = [store.matches.lease("worker", MINUTE) for _ in range(3)]
    assert [one and one.match for one in begun] == [1, 2, None]


def test_nothing_is_mixed_in_once_it_plays(store: Store) -> None:
    cup = Cup(store)
    cup.change(JournalChange(mixed="0123"))
    (number,) = cup.announce("1/1/1")
    cup.change(JournalChange(mixed="4567"))
    assert store.matches.lease("worker", MINUTE) is not None
    with pytest.raises(InputError, match="competition cup: has begun to play"):
        cup.change(JournalChange(mixed="89"))
    store.matches.cancel(number, "it was played all the same")
    with pytest.raises(InputError, match="competition cup: has begun to play"):
        cup.change(JournalChange(mixed=""))
    cup.change(JournalChange(mixed="4567"))  # is no change
    found = cup.all.by_number(cup.number)
    assert found is not None
    assert found.mixed == "4567"


def test_what_cannot_be_mixed_in_is_refused(store: Store) -> None:
    cup = Cup(store)
    for mixed in ("a" * 2001, "a\0b", "\ud800"):
        with pytest.raises(InputError, match="mixed"):
            cup.change(JournalChange(mixed=mixed))
