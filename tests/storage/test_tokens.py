"""Tokens: who has the secret is let in, and nobody finds it in the database."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.storage.facts import Principal, TokenKind
from arena.storage.store import Store, open_store
from arena.storage.tokens import LIFETIMES, SCOPES, AuthError, AuthReason
from tests.storage.conftest import FakeClock

SECOND = 1000
CANARIES = 40


@pytest.fixture
def tokens(store: Store) -> Store:
    store.owners.create("ada")
    return store


def refused(store: Store, text: str) -> AuthReason:
    with pytest.raises(AuthError) as caught:
        store.tokens.check(text)
    assert "\n" not in str(caught.value)
    assert len(text) < 8 or text not in str(caught.value)
    return caught.value.reason


def test_a_token_says_who_calls(tokens: Store) -> None:
    text, token = tokens.tokens.issue(TokenKind.OWNER, "ada", {"submit"}, note="laptop")
    assert re.fullmatch("arena_owner_[0-9a-f]{16}_[0-9a-f]{64}", text)
    assert tokens.tokens.check(text) == Principal(
        kind=TokenKind.OWNER, token=token.public, owner="ada", scopes=frozenset({"submit"})
    )
    assert tokens.tokens.is_valid(token.public)
    assert tokens.tokens.find(token.public) is not None


@pytest.mark.parametrize("kind", list(TokenKind))
def test_lifetimes_and_scopes_are_those_of_the_kind(
    tokens: Store, clock: FakeClock, kind: TokenKind
) -> None:
    owner = "ada" if kind is TokenKind.OWNER else None
    text, token = tokens.tokens.issue(kind, owner)
    assert token.scopes == SCOPES[kind]
    assert token.expires - token.created == LIFETIMES[kind]
    clock.advance(LIFETIMES[kind] - 1)
    assert tokens.tokens.check(text).kind is kind
    clock.advance(1)
    assert refused(tokens, text) is AuthReason.EXPIRED
    assert not tokens.tokens.is_valid(token.public)


def test_a_revoked_token_is_not_accepted_again(tokens: Store, clock: FakeClock) -> None:
    text, token = tokens.tokens.issue(TokenKind.ADMIN, None)
    revoked = tokens.tokens.revoke(token.public)
    assert revoked.revoked == clock.now
    assert refused(tokens, text) is AuthReason.REVOKED
    assert not tokens.tokens.is_valid(token.public)
    clock.advance(SECOND)
    assert tokens.tokens.revoke(token.public) == revoked


def test_a_suspended_owners_tokens_rest(tokens: Store) -> None:
    text, token = tokens.tokens.issue(TokenKind.OWNER, "ada")
    tokens.owners.suspend("ada", "too many tries")
    assert refused(tokens, text) is AuthReason.SUSPENDED
    assert not tokens.tokens.is_valid(token.public)
    tokens.owners.resume("ada")
    assert tokens.tokens.check(text).owner == "ada"


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-1] + ("1" if text[-1] == "0" else "0"),
        lambda text: text + "0",
        lambda text: text[:-1],
        lambda text: text + "\n",
        lambda text: text.replace("owner", "admin"),
        lambda text: text.upper(),
        lambda text: text.replace("arena_owner_", "arena_owner_0", 1),
        lambda text: "arena_owner_" + "0" * 16 + text[28:],
        lambda text: text.replace("0", "\u0660"),
        lambda text: "",
        lambda text: "arena_owner_%_" + "0" * 64,
        lambda text: "\ud800\0" * 20,
    ],
)
def test_whatever_is_not_quite_a_token_is_unknown(
    tokens: Store, change: Callable[[str], str]
) -> None:
    text, _ = tokens.tokens.issue(TokenKind.OWNER, "ada")
    wrong = change(text)
    assert wrong != text
    assert refused(tokens, wrong) is AuthReason.UNKNOWN


def test_every_check_costs_one_comparison_in_constant_time(
    tokens: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, _ = tokens.tokens.issue(TokenKind.OWNER, "ada")
    lengths: list[tuple[int, int]] = []
    compare = hmac.compare_digest

    def counted(one: bytes, other: bytes) -> bool:
        lengths.append((len(one), len(other)))
        return compare(one, other)

    monkeypatch.setattr(hmac, "compare_digest", counted)
    tokens.tokens.check(text)
    refused(tokens, text[:-4] + "beef")
    refused(tokens, "arena_owner_" + "0" * 16 + "_" + "0" * 64)
    refused(tokens, "no token")
    assert lengths == [(32, 32)] * 4


def test_a_use_is_written_once_a_minute(tokens: Store, clock: FakeClock) -> None:
    text, token = tokens.tokens.issue(TokenKind.OWNER, "ada")
    used = []
    for _ in range(4):
        tokens.tokens.check(text)
        found = tokens.tokens.find(token.public)
        assert found is not None
        used.append(found.last_used)
        clock.advance(30 * SECOND)
    start = clock.now - 120 * SECOND
    assert used == [start, start, start + 60 * SECOND, start + 60 * SECOND]


@pytest.mark.parametrize(
    ("kind", "owner", "scopes", "lifetime", "problem"),
    [
        (TokenKind.OWNER, None, None, None, "must have an owner"),
        (TokenKind.ADMIN, "ada", None, None, "must not have an owner"),
        (TokenKind.OWNER, "eve", None, None, "owner 'eve': there is none"),
        (TokenKind.OWNER, "ada", {"admin"}, None, "must have some of read, submit"),
        (TokenKind.OWNER, "ada", set(), None, "must have some of read, submit"),
        (TokenKind.WORKER, None, {"read"}, None, "must have some of worker"),
        (TokenKind.OWNER, "ada", None, 0, "lifetime 0: must be"),
        (TokenKind.OWNER, "ada", None, 2**70, "lifetime"),
        (TokenKind.OWNER, "ada", None, 2**62, "at most ten years"),
    ],
)
def test_what_cannot_be_issued(
    tokens: Store,
    kind: TokenKind,
    owner: str | None,
    scopes: set[str] | None,
    lifetime: int | None,
    problem: str,
) -> None:
    with pytest.raises(InputError, match=problem):
        tokens.tokens.issue(kind, owner, scopes, lifetime)
    assert tokens.tokens.list().items == ()


def test_tokens_are_listed_by_owner_newest_first(tokens: Store, clock: FakeClock) -> None:
    tokens.owners.create("bob")
    made = []
    for owner in ("ada", "bob", "ada", "ada"):
        clock.advance(SECOND)
        made.append(tokens.tokens.issue(TokenKind.OWNER, owner)[1])
    page = tokens.tokens.list("ada", page_size=2)
    assert page.items == (made[3], made[2])
    assert tokens.tokens.list("ada", 2, page.next).items == (made[0],)
    assert len(tokens.tokens.list().items) == 4
    assert tokens.tokens.list("eve").items == ()


def test_no_secret_is_in_the_database(tmp_path: Path, clock: FakeClock) -> None:
    with open_store(tmp_path / "data", clock) as store:
        store.owners.create("ada")
        texts = [store.tokens.issue(TokenKind.OWNER, "ada")[0] for _ in range(CANARIES)]
        for text in texts:
            store.tokens.check(text)
        held = b"".join(
            path.read_bytes() for path in sorted((tmp_path / "data").rglob("*")) if path.is_file()
        )
    for text in texts:
        public, secret = text.split("_")[2:]
        assert public.encode() in held  # it is this database, and it was looked into
        assert hashlib.sha256(bytes.fromhex(secret)).digest() in held
        assert secret.encode() not in held
        assert bytes.fromhex(secret) not in held
        assert secret.upper().encode() not in held


def test_no_secret_is_in_a_dump_of_postgresql(store: Store, url: str) -> None:
    if not url:
        assert store.database.is_sqlite  # the files are looked into above
        return
    store.owners.create("ada")
    text, token = store.tokens.issue(TokenKind.OWNER, "ada")
    secret = text.split("_")[3]
    with store.database.reading() as connection:
        rows = connection.exec_driver_sql("SELECT t::text FROM tokens t").scalars().all()
    held = "\n".join(rows)
    assert token.public in held
    assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() in held
    assert secret not in held
