"""Uploads that lie, are broken off, are too much or too slow: refused, and nothing is left."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.errors import HostFault
from arena.submissions.limits import ArchiveLimits
from arena.tournament.verbs import Quotas
from arena.transport.services.receiving import UploadLimits
from millearena.v1 import bot_service_pb2 as pb
from tests.transport.ladderserver import LadderServer, Template, made, quick_limits, running
from tests.transport.wirecalls import Outcome, call, channel_to, path_of

CONTENT = b"an archive " * 1000


def metadata(content: bytes = CONTENT, request: str = "r1", **changes: Any) -> Any:
    digest = hashlib.sha256(content).hexdigest()
    fields = {"length": len(content), "digest": digest, "request_id": request, **changes}
    return pb.UploadVersionRequest(metadata=pb.UploadMetadata(**fields))


def chunk(content: bytes = CONTENT) -> Any:
    return pb.UploadVersionRequest(chunk=pb.UploadChunk(content=content))


def send(ladder: LadderServer, messages: Any, token: str = "") -> Outcome:
    with channel_to(ladder.public) as channel:
        return call(channel, "UploadVersion", messages, token=token or ladder.tokens.ann)


def files(ladder: LadderServer) -> list[Path]:
    folder = ladder.store.folder.path / "archives"
    return [path for path in folder.rglob("*") if path.is_file()]


def bad(reason: str) -> str:
    return f"INVALID_ARGUMENT {reason}"


MOST = ArchiveLimits().upload


@pytest.mark.parametrize(
    ("messages", "expected", "problem"),
    [
        ([], bad("INVALID_REQUEST"), "first message"),
        ([chunk()], bad("INVALID_REQUEST"), "first message"),
        ([pb.UploadVersionRequest()], bad("INVALID_REQUEST"), "first message"),
        ([metadata(), metadata()], bad("INVALID_REQUEST"), "consists of chunks"),
        ([metadata(), pb.UploadVersionRequest()], bad("INVALID_REQUEST"), "consists of chunks"),
        ([metadata()], bad("BAD_UPLOAD"), "0 bytes; 11000 were announced"),
        ([metadata(), chunk(CONTENT[:-1])], bad("BAD_UPLOAD"), "10999 bytes"),
        ([metadata(), chunk(), chunk(b"x")], bad("BAD_UPLOAD"), "more than the 11000 bytes"),
        ([metadata(digest="0" * 64), chunk()], bad("BAD_UPLOAD"), "was announced"),
        ([metadata(digest="0" * 63), chunk()], bad("INVALID_REQUEST"), "64 hexadecimal"),
        ([metadata(digest="../../x"), chunk()], bad("INVALID_REQUEST"), "64 hexadecimal"),
        ([metadata(length=0), chunk()], bad("BAD_UPLOAD"), "length: 0 bytes"),
        ([metadata(length=-5), chunk()], bad("BAD_UPLOAD"), "length: -5 bytes"),
        ([metadata(length=MOST + 1), chunk()], bad("BAD_UPLOAD"), "32 MiB"),
        ([metadata(length=10 * 2**30), chunk()], bad("BAD_UPLOAD"), "32 MiB"),
        ([metadata(request_id=""), chunk()], bad("INVALID_REQUEST"), "request_id"),
        ([metadata(request_id="a b"), chunk()], bad("INVALID_REQUEST"), "request_id"),
        ([metadata(request_id="a" * 65), chunk()], bad("INVALID_REQUEST"), "request_id"),
        ([metadata(), chunk(b"")], bad("INVALID_REQUEST"), "chunk: 0 bytes"),
        ([metadata(), chunk(b"x" * 65_537)], bad("INVALID_REQUEST"), "chunk: 65537 bytes"),
        ([metadata(), chunk(b"x" * 200_000)], "RESOURCE_EXHAUSTED", ""),
        ([b"\xff\xff\xff"], bad("INVALID_REQUEST"), "cannot be read"),
    ],
)
def test_what_is_wrong_is_refused_and_leaves_nothing(
    shared_ladder: LadderServer, messages: list[Any], expected: str, problem: str
) -> None:
    outcome = send(shared_ladder, messages)
    assert str(outcome) == expected
    assert problem in outcome.text
    assert files(shared_ladder) == []
    assert len(shared_ladder.store.uploads.list("ann").items) == 2


def test_the_same_request_is_the_same_upload(ladder: LadderServer) -> None:
    outcomes = [send(ladder, [metadata(), chunk()]) for _ in range(3)]
    assert len({str(outcome.answers) for outcome in outcomes}) == 1
    assert len(files(ladder)) == 1
    other = send(ladder, [metadata(b"other"), chunk(b"other")])
    assert str(other) == "FAILED_PRECONDITION REQUEST_REUSED"
    # The same word of another owner is another request.
    assert send(ladder, [metadata(), chunk()], ladder.tokens.bob).code == "OK"
    assert len(ladder.store.uploads.list("bob").items) == 2


def test_an_upload_that_is_broken_off_leaves_nothing(ladder: LadderServer) -> None:
    sent, hold = threading.Event(), threading.Event()

    def requests() -> Iterator[Any]:
        yield metadata()
        yield chunk(CONTENT[:5000])
        sent.set()
        hold.wait(20)

    with channel_to(ladder.public) as channel:
        going: Any = channel.stream_unary(
            path_of("UploadVersion"),
            request_serializer=pb.UploadVersionRequest.SerializeToString,
            response_deserializer=pb.UploadVersionResponse.FromString,
        ).future(requests(), metadata=(("authorization", f"Bearer {ladder.tokens.ann}"),))
        assert sent.wait(10)
        wait_until(lambda: len(files(ladder)) == 1)
        going.cancel()
        wait_until(lambda: not files(ladder))
    hold.set()
    assert len(ladder.store.uploads.list("ann").items) == 2


def wait_until(is_so: Any) -> None:
    """Look again until something is so; ten seconds at the most."""
    for _ in range(1000):
        if is_so():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never was so")


@pytest.mark.parametrize("limits", [UploadLimits(idle=0.2), UploadLimits(total=0.3)])
def test_a_slow_upload_is_ended(tmp_path: Path, template: Template, limits: UploadLimits) -> None:
    with made(tmp_path, template) as server:
        server.limits = quick_limits(uploads=limits)
        hold = threading.Event()

        def requests() -> Iterator[Any]:
            yield metadata()
            yield chunk(b"x")
            hold.wait(20)

        with running(server):
            outcome = send(server, requests())
            hold.set()
            assert str(outcome) == "DEADLINE_EXCEEDED UPLOAD_TOO_SLOW"
            assert files(server) == []


def test_others_upload_while_one_is_slow(ladder: LadderServer) -> None:
    hold = threading.Event()
    outcomes: list[Outcome] = []

    def slow() -> Iterator[Any]:
        yield metadata(request="slow")
        hold.wait(30)
        yield chunk()

    threads = [
        threading.Thread(target=lambda: outcomes.append(send(ladder, slow()))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(files(ladder)) == 2)
    # A third one of ann's has to wait, bob's has not.
    third = send(ladder, [metadata(request="third"), chunk()])
    assert str(third) == "RESOURCE_EXHAUSTED QUOTA_QUEUE"
    assert send(ladder, [metadata(), chunk()], ladder.tokens.bob).code == "OK"
    hold.set()
    for thread in threads:
        thread.join(20)
    assert [outcome.code for outcome in outcomes] == ["OK", "OK"]


@pytest.mark.parametrize(
    ("quotas", "reason"),
    [(Quotas(waiting=1), "QUOTA_QUEUE"), (Quotas(waiting=9, uploads=2), "QUOTA_UPLOADS")],
)
def test_who_uploads_too_much_is_refused_before_the_bytes(
    tmp_path: Path, template: Template, quotas: Quotas, reason: str
) -> None:
    with made(tmp_path, template) as server:
        server.quotas = quotas
        with running(server):
            outcome = send(server, [metadata(request="another"), chunk()])
            assert str(outcome) == f"RESOURCE_EXHAUSTED {reason}"
            # What was in time is told again all the same.
            again = metadata(request="a-request", digest="a" * 64)
            assert send(server, [again]).code == "OK"
            assert files(server) == []


def test_a_full_disk_is_the_servers_fault_and_not_told_in_detail(
    ladder: LadderServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    place = ladder.store.folder.path

    monkeypatch.setattr("arena.submissions.store.Upload.write", _as_fault(place))
    outcome = send(ladder, [metadata(), chunk()])
    assert str(outcome) == "UNAVAILABLE HOST_FAULT"
    assert outcome.facts is not None
    assert str(place) not in outcome.text
    assert outcome.facts["incident_id"] in caplog.text
    assert "No space left" in caplog.text
    assert files(ladder) == []


def _as_fault(place: Path) -> Any:
    def write(_upload: Any, _piece: bytes) -> None:
        raise HostFault(f"{place}: No space left on device")

    return write
