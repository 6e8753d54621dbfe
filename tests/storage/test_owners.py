"""Owners, and the notes on what operators do."""

from __future__ import annotations

import pytest

from arena.errors import InputError
from arena.storage.store import Store
from tests.storage.conftest import FakeClock


def test_an_owner_is_found_again(store: Store, clock: FakeClock) -> None:
    made = store.owners.create("ada-1_x")
    assert (made.name, made.created, made.suspended, made.machine_time) == (
        "ada-1_x", clock.now, "", 0,
    )  # fmt: skip
    assert store.owners.find("ada-1_x") == made
    assert store.owners.find("bob") is None


def test_what_is_no_name(store: Store) -> None:
    wrong = ["", "Ada", "-a", "_a", "a" * 65, "a b", "a\0", "\ud800", "ad\u00e4", "a\n", "a/b"]
    for name in wrong:
        with pytest.raises(InputError, match="must be 1 to 64 of a-z 0-9"):
            store.owners.create(name)
        assert store.owners.find(name) is None


def test_a_name_is_taken_once(store: Store) -> None:
    made = store.owners.create("ada")
    with pytest.raises(InputError, match="owner 'ada': there is one of this name already"):
        store.owners.create("ada")
    assert store.owners.list().items == (made,)


def test_a_suspension_has_a_reason_and_ends(store: Store) -> None:
    made = store.owners.create("ada")
    assert store.owners.suspend("ada", "floods the queue").suspended == "floods the queue"
    found = store.owners.find("ada")
    assert found is not None
    assert found.suspended == "floods the queue"
    assert store.owners.resume("ada") == made
    for why in ("", "a\0b", "x" * 501):
        with pytest.raises(InputError, match="reason"):
            store.owners.suspend("ada", why)
    with pytest.raises(InputError, match="owner 'eve': there is none"):
        store.owners.suspend("eve", "whoever that is")
    with pytest.raises(InputError, match="there is none"):
        store.owners.resume("\0")


def test_owners_are_listed_by_name(store: Store) -> None:
    for name in ("carl", "ada", "bob"):
        store.owners.create(name)
    first = store.owners.list(page_size=2)
    assert [one.name for one in first.items] == ["ada", "bob"]
    second = store.owners.list(2, first.next)
    assert [one.name for one in second.items] == ["carl"]
    assert second.next == ""


def test_notes_are_kept_whatever_they_say(store: Store, clock: FakeClock) -> None:
    first = store.audit.note("admin 1", "suspend", "owner ada", "floods the queue")
    clock.advance(1)
    second = store.audit.note("x" * 100, "a\0b", "\ud800", "y" * 5000)
    newest, oldest = store.audit.list().items
    assert (oldest.number, oldest.who, oldest.action) == (first, "admin 1", "suspend")
    assert (oldest.target, oldest.detail) == ("owner ada", "floods the queue")
    assert oldest.at == clock.now - 1
    assert newest.number == second
    assert (newest.who, newest.action, newest.target) == ("x" * 80, "a\ufffdb", "\ufffd")
    assert len(newest.detail) == 2000
    page = store.audit.list(page_size=1)
    assert page.items == (newest,)
    assert store.audit.list(1, page.next).items == (oldest,)
