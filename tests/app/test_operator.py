"""The operators' login in a data folder: made once, replaced in time, moved with the server."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.app.operator import (
    Addresses,
    keep_operator_login,
    operator_file,
    read_operator_login,
)
from arena.errors import InputError
from arena.storage.facts import Moment, TokenKind
from arena.storage.store import Store, open_store
from arena.storage.tokens import AuthError

DAY = 24 * 60 * 60 * 1000
HERE = Addresses(public="127.0.0.1:1", operators="127.0.0.1:2")


class Calendar:
    """A clock that is set."""

    def __init__(self) -> None:
        self.now = 1_000_000_000_000

    def __call__(self) -> Moment:
        return Moment(self.now)


@pytest.fixture(name="clock")
def a_calendar() -> Calendar:
    return Calendar()


@pytest.fixture(name="store")
def a_store(tmp_path: Path, clock: Calendar) -> Iterator[Store]:
    with open_store(tmp_path / "data", clock) as store:
        yield store


def test_the_first_start_makes_a_token_that_works(store: Store, clock: Calendar) -> None:
    assert keep_operator_login(store, clock, HERE)
    login = read_operator_login(store.folder.path)
    assert (login.server, login.public) == (HERE.operators, HERE.public)
    assert store.tokens.check(login.token).kind is TokenKind.ADMIN
    path = operator_file(store.folder.path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not keep_operator_login(store, clock, HERE)
    assert read_operator_login(store.folder.path) == login


def test_another_address_keeps_the_token(store: Store, clock: Calendar) -> None:
    keep_operator_login(store, clock, HERE)
    before = read_operator_login(store.folder.path)
    assert not keep_operator_login(
        store, clock, Addresses(public="127.0.0.1:3", operators="127.0.0.1:4", ca="/c")
    )
    after = read_operator_login(store.folder.path)
    assert (after.server, after.ca, after.token) == ("127.0.0.1:4", "/c", before.token)


def test_it_is_replaced_before_it_ends(store: Store, clock: Calendar) -> None:
    keep_operator_login(store, clock, HERE)
    before = read_operator_login(store.folder.path)
    clock.now += 4 * DAY
    assert not keep_operator_login(store, clock, HERE)
    clock.now += 2 * DAY
    assert keep_operator_login(store, clock, HERE)
    after = read_operator_login(store.folder.path)
    assert store.tokens.check(after.token).kind is TokenKind.ADMIN
    with pytest.raises(AuthError):
        store.tokens.check(before.token)


@pytest.mark.parametrize("how", ["revoked", "damaged", "gone"])
def test_one_that_is_of_no_use_is_replaced(store: Store, clock: Calendar, how: str) -> None:
    keep_operator_login(store, clock, HERE)
    path = operator_file(store.folder.path)
    if how == "revoked":
        store.tokens.revoke(read_operator_login(store.folder.path).token_id)
    elif how == "damaged":
        path.write_text("{")
    else:
        path.unlink()
    assert keep_operator_login(store, clock, HERE)
    token = read_operator_login(store.folder.path).token
    assert store.tokens.check(token).kind is TokenKind.ADMIN


def test_a_folder_without_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ARENA_OPERATORS"):
        read_operator_login(tmp_path)
