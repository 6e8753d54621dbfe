"""Nobody is shut out by what others ask for, from the same address or through the same proxy."""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from arena.tournament.verbs_public import Public
from arena.transport.auth import peer_host
from arena.transport.client import Client
from arena.transport.failures import read_failure
from arena.transport.server import Addresses
from arena.transport.services.payers import caller_host
from arena.transport.services.refusallog import RefusalLog
from tests.transport.ladderserver import LadderServer, Template, made, quick_limits, running
from tests.transport.test_server_uploads import chunk, metadata, send, wait_until
from tests.transport.wirecalls import call, channel_to, path_of

BUSY = "RESOURCE_EXHAUSTED TOO_BUSY"
FULL = "RESOURCE_EXHAUSTED TOO_MANY_STREAMS"


@contextlib.contextmanager
def limited(
    path: Path, template: Template, *, is_proxied: bool = False, **limits: Any
) -> Iterator[LadderServer]:
    """A server whose public address has these limits."""
    where = Addresses(public="127.0.0.1:0", operators="127.0.0.1:0", is_proxied=is_proxied)
    with made(path, template) as server:
        usual = quick_limits()
        server.limits = replace(usual, public=replace(usual.public, **limits))
        with running(server, where):
            yield server


@contextlib.contextmanager
def only_headers(address: str, name: str, count: int, token: str = "") -> Iterator[list[Any]]:
    """So many calls of a method whose request never comes."""
    hold = threading.Event()

    def never() -> Iterator[bytes]:
        hold.wait(20)
        yield from ()

    sent = (("authorization", f"Bearer {token}"),) if token else ()
    with channel_to(address) as channel:
        begin: Any = channel.stream_unary(path_of(name))
        calls = [begin.future(never(), metadata=sent) for _ in range(count)]
        try:
            yield calls
        finally:
            for one in calls:
                one.cancel()
            hold.set()


# -- calls ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["GetLadder", "WatchMatch"])
def test_a_call_whose_request_never_comes_is_ended(
    tmp_path: Path, template: Template, name: str
) -> None:
    with (
        limited(tmp_path, template, request=0.2) as server,
        only_headers(server.public, name, 1) as (one,),
    ):
        error = one.exception(10)
        failure = read_failure(error)
    assert failure is not None
    assert (failure.code, failure.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "TOO_SLOW")
    assert "the request has not come within 0.2 s" in failure.text


def test_calls_without_a_request_count_and_keep_nobody_else_out(
    tmp_path: Path, template: Template
) -> None:
    with (
        limited(tmp_path, template, calls_each=3) as server,
        only_headers(server.public, "GetLadder", 4) as calls,
        channel_to(server.public) as channel,
    ):
        wait_until(lambda: any(one.done() for one in calls))  # one is too many
        assert str(call(channel, "GetLadder")) == BUSY
        assert (call(channel, "GetLadder").facts or {})["wait_seconds"] == "1"
        assert call(channel, "GetSelf", token=server.tokens.ann).code == "OK"
        # A token that was right counts for its owner, also where none is needed.
        assert call(channel, "GetLadder", token=server.tokens.ann).code == "OK"
        assert str(call(channel, "GetLadder", token=server.tokens.bob)) == BUSY


def test_an_owners_calls_keep_no_other_owner_out(tmp_path: Path, template: Template) -> None:
    with limited(tmp_path, template, calls_each=3) as server, channel_to(server.public) as channel:
        ann, ann_too, bob = server.tokens.ann, server.tokens.ann_reads, server.tokens.bob
        assert call(channel, "GetSelf", token=ann).code == "OK"
        with only_headers(server.public, "GetSelf", 4, ann) as calls:
            wait_until(lambda: any(one.done() for one in calls))
            for token in (ann, ann_too):
                assert str(call(channel, "GetSelf", token=token)) == BUSY
            assert call(channel, "GetSelf", token=bob).code == "OK"
            assert call(channel, "GetLadder").code == "OK"


def test_no_request_at_all_is_refused(shared_ladder: LadderServer) -> None:
    with channel_to(shared_ladder.public) as channel:
        begin: Any = channel.stream_unary(path_of("GetLadder"))
        with pytest.raises(grpc.RpcError) as refused:
            begin(iter(()), timeout=10)
    failure = read_failure(refused.value)
    assert failure is not None
    assert (failure.reason, failure.text) == ("INVALID_REQUEST", "request: has not come")


def test_who_does_not_take_an_answer_is_left_alone(
    tmp_path: Path, template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    def long(*_: Any) -> Any:
        return SimpleNamespace(file=io.BytesIO(bytes(32 * 2**20)), length=32 * 2**20, digest="")

    monkeypatch.setattr(Public, "record", long)
    with limited(tmp_path, template, taking=0.2, streams_per_peer=1) as server:
        ended: list[str] = []
        assert server.servers is not None
        server.servers.guards[0].observe = lambda method, code, seconds: ended.append(code)
        asked = {"match_id": str(server.over)}
        with channel_to(server.public) as channel, channel_to(server.public) as other:
            answers = begun(channel, "DownloadRecord", server.over)
            next(answers)
            assert str(call(other, "DownloadRecord", asked)) == FULL
            wait_until(lambda: "CANCELLED" in ended)
            assert call(other, "DownloadRecord", asked).code == "OK"  # its place is free
            answers.cancel()


def begun(channel: grpc.Channel, name: str, match: int, **options: Any) -> Any:
    """The answers of a method about a match, which are not taken by themselves."""
    begin: Any = channel.unary_stream(path_of(name))
    return begin(b"\n\x01" + str(match).encode(), timeout=20, **options)


# -- work -------------------------------------------------------------------------------------


def test_a_flood_of_lists_keeps_no_holder_of_a_token_out(
    tmp_path: Path, template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = threading.Event()
    at_work: list[int] = []

    def slow(*_: Any) -> None:
        at_work.append(1)
        hold.wait(20)
        raise ValueError("on purpose")

    with limited(tmp_path, template, threads=1, waiting=8, waiting_each=2) as server:
        monkeypatch.setattr(server.store.standings, "page", slow)
        with channel_to(server.public) as flood, channel_to(server.public) as channel:
            begin: Any = flood.unary_unary(path_of("ListStandings"))
            calls = [begin.future(b"") for _ in range(4)]
            # One is at work, two wait, one is refused.
            wait_until(lambda: any(one.done() for one in calls))
            assert str(call(channel, "GetLadder")) == BUSY
            assert call(channel, "GetSelf", token=server.tokens.ann).code == "OK"
            for one in calls:
                one.cancel()
            # What waited is gone with those who wanted it: there is room to wait again.
            wait_until(lambda: call(channel, "GetLadder", timeout=0.5).code == "DEADLINE_EXCEEDED")
            hold.set()
            assert call(channel, "GetLadder").code == "OK"
        assert len(at_work) == 1


# -- streams ----------------------------------------------------------------------------------


def test_anonymous_watchers_shut_out_no_holder_of_a_token(
    tmp_path: Path, template: Template
) -> None:
    with (
        limited(tmp_path, template, streams_per_peer=2) as server,
        Client(server.public) as nobody,
        Client(server.public, server.tokens.ann) as ann,
        channel_to(server.public) as channel,
    ):
        watched = {"match_id": str(server.waiting)}
        watchers = [nobody.watch_match(server.waiting) for _ in range(2)]
        for one in watchers:
            next(one)
        assert str(call(channel, "WatchMatch", watched)) == FULL
        assert next(ann.follow_upload(server.upload)) is not None
        assert send(server, [metadata(), chunk()]).code == "OK"


def test_behind_a_proxy_each_address_has_its_own_share(tmp_path: Path, template: Template) -> None:
    with limited(tmp_path, template, is_proxied=True, streams_per_peer=1) as server:
        assert [_second_watcher(server, *pair) for pair in _PAIRS] == ["OK", FULL, FULL]


def test_without_a_proxy_nobody_is_believed_an_address(tmp_path: Path, template: Template) -> None:
    with limited(tmp_path, template, streams_per_peer=1) as server:
        assert [_second_watcher(server, *pair) for pair in _PAIRS] == [FULL, FULL, FULL]


_PAIRS = (
    ("192.0.2.1", "192.0.2.2"),
    ("192.0.2.3", "192.0.2.3"),
    ("192.0.2.4", "made-up, 192.0.2.4"),
)


def _second_watcher(server: LadderServer, first: str, second: str) -> str:
    """How somebody fares who wants to watch while another one does."""
    watched = {"match_id": str(server.waiting)}
    with channel_to(server.public) as one, channel_to(server.public) as other:
        sent = (("x-forwarded-for", first),)
        watching = begun(one, "WatchMatch", server.waiting, metadata=sent)
        next(watching)
        found = call(other, "WatchMatch", watched, metadata=(("x-forwarded-for", second),))
        watching.cancel()
    guard = server.servers.guards[0] if server.servers else None
    assert guard is not None
    wait_until(lambda: not len(guard._streams))
    return str(found)


@pytest.mark.parametrize(
    ("peer", "told", "host"),
    [
        ("ipv4:127.0.0.1:5", ["192.0.2.7"], "192.0.2.7"),
        ("ipv4:127.0.0.1:5", ["198.51.100.1, 192.0.2.7"], "192.0.2.7"),
        ("ipv4:127.0.0.1:5", ["198.51.100.1", "192.0.2.7"], "192.0.2.7"),
        ("ipv6:%5B::1%5D:5", ["2001:db8:1:2:3::4"], "2001:db8:1:2"),
        ("ipv6:[::ffff:127.0.0.1]:5", ["[2001:db8::4]"], "2001:db8:0:0"),
        ("unix:", ["192.0.2.7"], "192.0.2.7"),
        ("ipv4:127.0.0.1:5", ["nonsense"], "127.0.0.1"),
        ("ipv4:127.0.0.1:5", [], "127.0.0.1"),
        ("ipv4:203.0.113.9:5", ["192.0.2.7"], "203.0.113.9"),
    ],
)
def test_the_address_behind_a_proxy(peer: str, told: list[str], host: str) -> None:
    sent = [("x-forwarded-for", one) for one in told]
    assert caller_host(peer, sent, is_proxied=True) == host
    assert caller_host(peer, sent, is_proxied=False) == peer_host(peer)


# -- tokens -----------------------------------------------------------------------------------


def test_a_right_token_gets_in_whatever_others_try(tmp_path: Path, template: Template) -> None:
    with made(tmp_path, template) as server:
        server.limits = quick_limits(wrong_tokens=3)
        with running(server), channel_to(server.public) as channel:
            reasons = [
                call(channel, "GetSelf", token=f"arena_owner_{n:016x}_{n:064x}").reason
                for n in range(6)
            ]
            assert reasons == ["TOKEN_UNKNOWN"] * 3 + ["TOO_MANY_WRONG_TOKENS"] * 3
            # Nobody has seen these since the server has begun.
            assert call(channel, "GetSelf", token=server.tokens.bob).code == "OK"
            guessed = server.tokens.ann.rpartition("_")[0] + "_" + "0" * 64
            tried = [call(channel, "GetSelf", token=guessed).reason for _ in range(5)]
            assert tried[-1] == "TOO_MANY_WRONG_TOKENS"
            assert call(channel, "GetSelf", token=server.tokens.ann_reads).code == "OK"
            # The operators' door has a count of its own.
            with channel_to(server.operators) as operators:
                assert call(operators, "GetSettings", token=server.tokens.unknown).reason == (
                    "TOKEN_UNKNOWN"
                )
                assert call(operators, "GetSettings", token=server.tokens.admin).code == "OK"


# -- what a call leaves behind ----------------------------------------------------------------


def test_uploads_that_are_not_what_was_announced_count(tmp_path: Path, template: Template) -> None:
    with made(tmp_path, template) as server:
        server.quotas = replace(server.quotas, uploads=4)  # two are there
        with running(server):
            wrong = [metadata(digest="0" * 64), chunk()]
            short = [metadata(), chunk(b"x"), metadata()]
            reasons = [send(server, messages).reason for messages in (wrong, short, wrong)]
            assert reasons == ["BAD_UPLOAD", "INVALID_REQUEST", "QUOTA_UPLOADS"]
            told = send(server, [metadata(), chunk()]).text
            assert "4 times in 24 hours, 2 of them broken off or not as announced" in told
            assert send(server, [metadata(), chunk()], server.tokens.bob).code == "OK"


def test_a_flood_of_refusals_does_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    now = [0.0]
    log = RefusalLog(lambda: now[0], burst=2, every=5.0)
    for number in range(7):
        log.refused(f"call {number}")
    now[0] = 5.0
    for number in (7, 8):
        log.refused(f"call {number}")
    assert caplog.messages == ["call 0", "call 1", "call 7; 5 more were refused before it"]
