"""Tokens of pages: nobody makes one, and none leads anywhere else."""

from __future__ import annotations

import base64

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.storage.paging import MOST, Pager
from arena.storage.store import Store
from tests.storage.worlds import World

NAMES = [f"owner{number:02}" for number in range(23)]


def test_every_line_comes_once_whatever_the_size(store: Store) -> None:
    World(store).owners(*NAMES)
    for size in (1, 2, 7, 22, 23, 24, MOST):
        names: list[str] = []
        token = ""
        while True:
            page = store.owners.list(size, token)
            assert len(page.items) <= size
            names += [one.name for one in page.items]
            token = page.next
            if not token:
                break
        assert names == NAMES


def test_what_is_added_meanwhile_disturbs_nothing(store: Store) -> None:
    World(store).owners(*NAMES[::2])
    page = store.owners.list(6)
    World(store).owners(*NAMES[1::2])
    rest = store.owners.list(100, page.next)
    assert [one.name for one in page.items] == NAMES[:12:2]
    assert [one.name for one in rest.items] == NAMES[11:]


def test_what_is_no_size(store: Store) -> None:
    for size in (0, -1, MOST + 1, 2**70):
        with pytest.raises(InputError, match=r"page_size .*: must be 1 to 1000"):
            store.owners.list(size)


def test_a_token_is_of_one_list_and_its_filters(store: Store) -> None:
    world = World(store)
    for label in ("1", "2", "3"):
        world.upload("ada", label=label)
    token = store.uploads.list("ada", 1).next
    assert store.uploads.list("ada", 1, token).items
    for ask in (
        lambda: store.uploads.list("bob", 1, token),
        lambda: store.uploads.list(None, 1, token),
        lambda: store.owners.list(1, token),
        lambda: store.entrants.versions(1, 1, token),
        lambda: store.ledger.entries(1, token),
    ):
        with pytest.raises(InputError, match=r"page_token .*: must be the one that came with"):
            ask()


def test_a_token_of_another_server_is_none(store: Store) -> None:
    World(store).owners("ada", "bob")
    good = store.owners.list(1).next
    content = bytearray(base64.urlsafe_b64decode(good + "=="))
    for place in range(len(content)):
        forged = content.copy()
        forged[place] ^= 1
        with pytest.raises(InputError, match="page_token"):
            store.owners.list(1, base64.urlsafe_b64encode(forged).decode().rstrip("="))


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    token=st.one_of(
        st.text(min_size=1),
        st.binary(min_size=1).map(lambda content: base64.urlsafe_b64encode(content).decode()),
    )
)
def test_no_text_is_a_token(store: Store, token: str) -> None:
    pager = Pager(store.database, "owners")
    with pytest.raises(InputError, match="page_token"):
        pager.after(1, token)
