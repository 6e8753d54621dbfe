"""`check_data` and backups with competitions: what holds, and what somebody has edited."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.storage.attempts import commitment
from arena.storage.backup import back_up, restore
from arena.storage.check import check_data
from arena.storage.competitions import JournalChange
from arena.storage.facts import Level, MatchKind, Receipt
from arena.storage.store import Store, open_store
from tests.storage.conftest import FakeClock
from tests.storage.test_backup import rows, target
from tests.storage.test_check import Whole
from tests.storage.test_competitions import SECRET, paired
from tests.storage.worlds import MINUTE

__all__ = ["target"]  # a fixture


def live(store: Store, clock: FakeClock) -> None:
    """All that may happen to competitions, and breaks no promise.

    Competition 1 is public, over, and its journal has 4 lines; 2 is hidden and plays; 3 has nothing
    but a line. Match 1 is rated. Of competition 1 matches 2 is done, 3 was lost and done, 4 was
    cancelled while it was played; of 2 match 5 was void and waits, 6 is being played.
    """
    world = Whole(store)
    ann, bob = world.bots("ann", "bob")
    assert world.report(world.lease(ann, bob)) is Receipt.RECORDED
    own = store.competitions
    for name in ("cup", "league", "plan"):
        own.create(name, [b"opened"], SECRET)
    change = JournalChange(mixed="public", level=Level.PARTICIPANTS)
    assert own.append(1, 1, [b"started"], change) is not None
    three = tuple(paired(1, f"1/{number}/1", ann, bob) for number in (1, 2, 3))
    assert own.append(1, 2, [b"paired"], JournalChange(matches=three)) is not None

    def begin() -> int:
        lease = store.matches.lease("worker", MINUTE)
        assert lease is not None
        leases.append(lease)
        return lease.match

    leases: list[Any] = []
    assert begin() == 2
    assert world.report(leases[-1]) is Receipt.RECORDED
    assert begin() == 3
    clock.advance(2 * MINUTE)
    assert store.matches.expire() == ((3, 1),)
    assert begin() == 3
    assert world.report(leases[-1], verdict="FORFEIT", forfeits=(1,)) is Receipt.RECORDED
    assert begin() == 4
    change = JournalChange(cancel=((4, "withdrawn"),), level=Level.PUBLIC, over=True)
    assert own.append(1, 3, [b"finished"], change) is not None
    two = tuple(paired(2, f"1/{number}/1", bob, ann) for number in (1, 2))
    assert own.append(2, 1, [b"paired"], JournalChange(matches=two)) is not None
    assert begin() == 5
    assert world.report(leases[-1], verdict="VOID") is Receipt.RECORDED
    store.matches.lease("worker", MINUTE, [MatchKind.RATED])
    assert begin() == 5
    store.matches.void(5, "a test wants it")
    assert begin() == 5
    assert begin() == 6
    store.matches.void(5, "a test wants it")


def test_whatever_may_happen_breaks_nothing(
    store: Store, url: str, target: str, clock: FakeClock, tmp_path: Path
) -> None:
    live(store, clock)
    assert check_data(tmp_path / "data", url=url).violations == ()
    before = rows(store)
    back_up(tmp_path / "data", tmp_path / "copy", clock, url=url)
    restore(tmp_path / "copy", tmp_path / "other", url=target)
    assert check_data(tmp_path / "other", url=target).violations == ()
    with open_store(tmp_path / "other", clock, url=target) as restored:
        assert rows(restored) == before
        assert restored.competitions.secret(2) == SECRET
        assert restored.competitions.create("next", [b"opened"], SECRET).number == 4  # goes on
        again = JournalChange(matches=(paired(2, "1/3/1", *versions(restored)),))
        done = restored.competitions.append(2, 2, [b"paired"], again)
        assert done is not None
        assert done.numbers == (7,)
    assert check_data(tmp_path / "other", url=target).violations == ()


def versions(store: Store) -> list[Any]:
    """Those of ann and bob."""
    return [store.entrants.version(number) for number in (1, 2)]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("competitions") / "data"
    clock = FakeClock()
    with open_store(data, clock) as store:
        live(store, clock)
    return data


@pytest.fixture
def edited(original: Path, tmp_path: Path) -> Callable[[str], list[str]]:
    """Tells what is found after a statement was run on a copy."""
    copy = tmp_path / "arena.sqlite"
    before = sqlite3.connect(original / copy.name)
    with closing(before) as source, closing(sqlite3.connect(copy)) as file:
        source.backup(file)
    for place in original.iterdir():
        if place.is_dir():
            (tmp_path / place.name).symlink_to(place)

    def edit(statement: str) -> list[str]:
        with closing(sqlite3.connect(copy)) as file:
            assert file.execute(statement).rowcount >= 1
            file.commit()
        return [f"{one.promise}: {one.what}" for one in check_data(tmp_path).violations]

    return edit


KIND = "is of kind competition and has none, or has one and is of another kind"
HIDDEN = "is hidden though its competition is public, or is not though that is not"
SEED = "its seed is not the one that follows from its competition's secret"

EDITS = {
    "a line in the middle": (
        "DELETE FROM competition_journal WHERE competition = 1 AND number = 2",
        "8: competition 1: its journal has gaps: 3 lines, from 1 to 4",
    ),
    "the first line": (
        "DELETE FROM competition_journal WHERE competition = 1 AND number = 1",
        "8: competition 1: its journal has gaps: 3 lines, from 2 to 4",
    ),
    "a line too far": (
        "INSERT INTO competition_journal VALUES (2, 9, X'00')",
        "8: competition 2: its journal has gaps: 3 lines, from 1 to 9",
    ),
    "all lines": (
        "DELETE FROM competition_journal WHERE competition = 3",
        "8: competition 3: has no line in its journal",
    ),
    "level": ("UPDATE competitions SET level = 'dark' WHERE number = 3", "8: competition 3: is of"),
    "level of one that plays": (
        "UPDATE competitions SET level = 'public' WHERE number = 2",
        f"8: match 5: {HIDDEN}",
    ),
    "shown": ("UPDATE matches SET hidden = 0 WHERE number = 6", f"8: match 6: {HIDDEN}"),
    "hidden": ("UPDATE matches SET hidden = 1 WHERE number = 2", f"8: match 2: {HIDDEN}"),
    "rated and hidden": (
        "UPDATE matches SET hidden = 1 WHERE number = 1",
        "8: match 1: is hidden and no match of a competition",
    ),
    "kind": ("UPDATE matches SET kind = 'challenge' WHERE number = 2", f"8: match 2: {KIND}"),
    "rated": ("UPDATE matches SET kind = 'rated' WHERE number = 2", f"8: match 2: {KIND}"),
    "no longer rated": (
        "UPDATE matches SET kind = 'competition' WHERE number = 1",
        f"8: match 1: {KIND}",
    ),
    "none": ("UPDATE matches SET competition = NULL WHERE number = 2", f"8: match 2: {KIND}"),
    "left pairing": (
        "UPDATE matches SET competition = NULL WHERE number = 2",
        "8: match 2: has a pairing and is no match of a competition",
    ),
    "one that is not there": (
        "UPDATE matches SET competition = 9 WHERE number = 2",
        "8: match 2: is a match of a competition that is not there",
    ),
    "pairing": (
        "UPDATE matches SET pairing = '1/9/1' WHERE number = 2",
        f"5: match 2, attempt 1: {SEED}",
    ),
    "no pairing": (
        "UPDATE matches SET pairing = '' WHERE number = 2",
        "8: match 2: its pairing is",
    ),
    "secret": (
        "UPDATE competitions SET secret = randomblob(32) WHERE number = 1",
        f"5: match 4, attempt 1: {SEED}",
    ),
    "short secret": (
        "UPDATE competitions SET secret = X'ab' WHERE number = 3",
        "8: competition 3: its secret has not 32 bytes",
    ),
    "no secret": (
        "UPDATE competitions SET secret = 7 WHERE number = 3",
        "8: competition 3: its secret has not 32 bytes",
    ),
    "mixed": (
        "UPDATE competitions SET mixed = 'other' WHERE number = 1",
        f"5: match 3, attempt 2: {SEED}",
    ),
}


@pytest.mark.parametrize(("statement", "what"), EDITS.values(), ids=EDITS)
def test_an_edited_row_is_named(
    edited: Callable[[str], list[str]], statement: str, what: str
) -> None:
    found = edited(statement)
    assert any(line.startswith(what) for line in found), found
    assert not any("\n" in line or SECRET.hex() in line for line in found)


def test_a_seed_that_was_chosen_is_named_though_its_commitment_fits(
    original: Path, edited: Callable[[str], list[str]]
) -> None:
    chosen = bytes(range(1, 33))
    told = commitment(2, 1, chosen)
    found = edited(
        f"UPDATE attempts SET seed = X'{chosen.hex()}', commitment = '{told}' WHERE match = 2"
    )
    assert found == [f"5: match 2, attempt 1: {SEED}"]
