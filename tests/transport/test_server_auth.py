"""Tokens over the wire: guessing is throttled, what is taken back ends open streams too."""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.transport.auth import WrongTries, bearer, peer_host
from arena.transport.client import Client, ServerError
from millearena.v1 import bot_service_pb2
from tests.transport.ladderserver import LadderServer, Template, made, quick_limits, running
from tests.transport.wirecalls import call, channel_to


@pytest.mark.slow
def test_ten_thousand_wrong_tokens_are_throttled(tmp_path: Path, template: Template) -> None:
    with made(tmp_path, template) as server:
        server.limits = quick_limits(wrong_tokens=20)
        checked = Counter[str]()
        check = server.store.tokens.check

        def counting(text: str) -> Any:
            checked["all"] += 1
            return check(text)

        server.store.tokens.check = counting  # type: ignore[method-assign]
        with running(server), channel_to(server.public) as channel:
            right = call(channel, "GetSelf", token=server.tokens.ann)
            assert right.code == "OK"
            began = time.monotonic()
            outcomes = Counter(
                call(channel, "GetSelf", token=f"arena_owner_{n:016x}_{n:064x}").reason
                for n in range(10_000)
            )
            took = time.monotonic() - began
            # One more is looked at every three seconds.
            let_in = 20 + took / 3 + 1
            assert outcomes.keys() == {"TOKEN_UNKNOWN", "TOO_MANY_WRONG_TOKENS"}
            assert outcomes["TOKEN_UNKNOWN"] <= let_in
            assert checked["all"] <= let_in + 1
            # Who was let in before stays in, and so does a right token that was never seen.
            for token in (server.tokens.ann, server.tokens.bob):
                assert call(channel, "GetSelf", token=token).code == "OK"
            assert call(channel, "GetLadder").code == "OK"


def test_wrong_tries_drain_with_time() -> None:
    now = [0.0]
    tries = WrongTries(lambda: now[0], burst=3, every=2.0, most=2)
    for _ in range(3):
        assert tries.wait("here") == 0
        tries.note("here")
    assert tries.wait("here") == 2.0
    assert tries.wait("there") == 0
    now[0] = 2.0
    assert tries.wait("here") == 0
    tries.note("here")
    tries.note("there")
    tries.note("elsewhere")  # the oldest is forgotten
    assert tries.wait("here") == 0


@pytest.mark.parametrize(
    ("peer", "host"),
    [
        ("ipv4:192.0.2.7:4711", "192.0.2.7"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:4711", "2001:db8:1:2"),
        ("ipv6:[2001:db8::6]:4711", "2001:db8:0:0"),
        ("ipv6:[::1]:4711", "0:0:0:0"),
        ("ipv6:[::ffff:192.0.2.7]:4711", "192.0.2.7"),
        ("ipv6:[fe80::1%25eth0]:4711", "fe80:0:0:0"),
        ("unix:", "unix"),
    ],
)
def test_whom_wrong_tries_are_counted_for(peer: str, host: str) -> None:
    assert peer_host(peer) == host


@pytest.mark.parametrize(
    ("metadata", "token"),
    [
        ([("authorization", "Bearer abc")], "abc"),
        ([("authorization", "bearer  abc")], "abc"),
        ([("authorization", "Basic abc")], ""),
        ([("authorization", "abc")], ""),
        ([("authorization", "Bearer a"), ("authorization", "Bearer b")], ""),
        ([], ""),
    ],
)
def test_the_token_in_metadata(metadata: list[tuple[str, str | bytes]], token: str) -> None:
    assert bearer(metadata) == token


def test_an_open_stream_ends_when_its_token_is_revoked(ladder: LadderServer) -> None:
    with Client(ladder.public, ladder.tokens.ann) as client:
        following = client.follow_upload(ladder.upload)
        next(following)
        ladder.store.tokens.revoke(ladder.tokens.ann.split("_")[2])
        with pytest.raises(ServerError) as ended:
            next(following)
    assert ended.value.reason == "TOKEN_REVOKED"


def test_an_open_stream_ends_when_its_owner_is_suspended(ladder: LadderServer) -> None:
    with Client(ladder.public, ladder.tokens.ann) as client:
        following = client.follow_upload(ladder.upload)
        next(following)
        ladder.store.owners.suspend("ann", "too loud")
        with pytest.raises(ServerError):
            next(following)


def test_an_upload_ends_when_its_token_is_revoked_and_leaves_nothing(
    ladder: LadderServer,
) -> None:
    begun = threading.Event()

    def requests() -> Iterator[Any]:
        make = bot_service_pb2.UploadVersionRequest
        metadata = bot_service_pb2.UploadMetadata(length=9, digest="0" * 64, request_id="slow")
        yield make(metadata=metadata)
        yield make(chunk=bot_service_pb2.UploadChunk(content=b"abc"))
        ladder.store.tokens.revoke(ladder.tokens.ann.split("_")[2])
        begun.wait(10)  # nothing more comes until the server has ended it

    with channel_to(ladder.public) as channel:
        outcome = call(channel, "UploadVersion", requests(), token=ladder.tokens.ann)
    begun.set()
    assert outcome.reason == "TOKEN_REVOKED"
    assert_nothing_left(ladder)


def assert_nothing_left(ladder: LadderServer) -> None:
    folder = ladder.store.folder.path / "archives"
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_no_message_and_no_log_holds_a_secret(
    ladder: LadderServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    secrets = [text.split("_")[3] for text in vars(ladder.tokens).values() if text.count("_") == 3]
    assert len(secrets) == 9
    with channel_to(ladder.operators) as channel:
        answers = [
            str(call(channel, method, token=ladder.tokens.admin))
            for method in ("ListTokens", "ListAudit", "ListOwners", "GetSettings")
        ]
        refusals = [
            call(channel, "ListOwners", token=token) for token in vars(ladder.tokens).values()
        ]
    told = " ".join([*answers, *map(repr, refusals), caplog.text])
    assert not [secret for secret in secrets if secret in told and set(secret) != {"0"}]


def test_the_request_id_is_the_callers_if_it_is_sane(shared_ladder: LadderServer) -> None:
    with channel_to(shared_ladder.public) as channel:

        def echoed(text: str) -> str:
            return call(channel, "GetLadder", metadata=(("x-request-id", text),)).request_id

        assert echoed("mine-1.x") == "mine-1.x"
        for odd in ("with space", "a" * 65, "semi;colon", "%0a"):
            assert re.fullmatch(r"[0-9a-f]{16}", echoed(odd))
        refused = call(channel, "GetSelf", metadata=(("x-request-id", "mine-2"),))
        assert (refused.reason, refused.request_id) == ("TOKEN_MISSING", "mine-2")
