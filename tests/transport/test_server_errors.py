"""What goes wrong: one status, one ErrorInfo, no traceback; limits and draining."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import (  # type: ignore[import-untyped]
    reflection_pb2,
    reflection_pb2_grpc,
)
from grpc_status import rpc_status  # type: ignore[import-untyped]

from arena.errors import HostFault, InputError
from arena.storage.tokens import AuthReason
from arena.transport.client import Client, ServerError, ServerFault
from arena.transport.server import Addresses
from arena.transport.services import ladder
from arena.transport.services.guard import GuardLimits
from arena.transport.services.methods import Unary
from arena.transport.tls import is_loopback, require_tls
from millearena.v1 import ladder_service_pb2
from millearena.v1.ladder_service_pb2_grpc import LadderServiceStub
from tests.transport.ladderserver import LadderServer, Template, made, quick_limits, running
from tests.transport.wirecalls import METHODS, call, channel_to

ROOT = Path(__file__).parents[2]


def test_a_bug_of_ours_has_a_number_and_no_traceback(
    ladder: LadderServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError("CANARY-OF-THE-INSIDE")

    monkeypatch.setattr(ladder.store.standings, "page", broken)
    with channel_to(ladder.public) as channel:
        outcome = call(channel, "ListStandings")
    assert str(outcome) == "INTERNAL INTERNAL"
    assert outcome.facts is not None
    incident = outcome.facts["incident_id"]
    assert re.fullmatch(r"[0-9a-f]{12}", incident)
    assert incident in outcome.text
    for inside in ("CANARY", "Traceback", "ZeroDivision", ".py"):
        assert inside not in f"{outcome.text} {outcome.facts}"
    assert f"incident {incident} in millearena.v1.LadderService/ListStandings" in caplog.text
    assert "CANARY-OF-THE-INSIDE" in caplog.text
    assert outcome.request_id in caplog.text


def test_a_fault_of_the_machine_is_unavailable(
    ladder: LadderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise HostFault("database /some/where: is gone")

    monkeypatch.setattr(ladder.store.standings, "page", broken)
    with Client(ladder.public) as client, pytest.raises(ServerFault, match="incident") as fault:
        list(client.standings())
    assert fault.value.reason == "HOST_FAULT"
    assert "/some/where" not in str(fault.value)


def test_what_the_audit_log_cannot_take_is_not_done(
    ladder: LadderServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise HostFault("database /some/where: is full")

    monkeypatch.setattr(ladder.store.audit, "note", broken)
    with channel_to(ladder.operators) as channel:
        asked = {"reason": "a new roof"}
        paused = call(channel, "PauseLadder", asked, token=ladder.tokens.admin)
        denied = call(channel, "PauseLadder", asked, token=ladder.tokens.ann)
    assert str(paused) == "UNAVAILABLE HOST_FAULT"
    assert ladder.store.switch.paused() == ""
    assert str(denied) == "PERMISSION_DENIED SCOPE_MISSING"
    assert "/some/where" not in f"{paused} {paused.text} {denied} {denied.text}"
    assert "the audit log cannot be written" in caplog.text


@pytest.mark.parametrize(
    ("method", "fields", "expected"),
    [
        ("ListStandings", {"page_size": -1}, "INVALID_ARGUMENT INVALID_REQUEST"),
        ("ListStandings", {"page_token": "x"}, "INVALID_ARGUMENT INVALID_REQUEST"),
        ("ListStandings", {"page_token": "\x00\u202e"}, "INVALID_ARGUMENT INVALID_REQUEST"),
        ("GetMatch", {"match_id": "x"}, "INVALID_ARGUMENT INVALID_REQUEST"),
        ("GetMatch", {"match_id": "-1"}, "INVALID_ARGUMENT INVALID_REQUEST"),
        ("GetMatch", {"match_id": "1" * 19}, "INVALID_ARGUMENT INVALID_REQUEST"),
        ("GetMatch", {"match_id": "1" * 18}, "NOT_FOUND UNKNOWN_MATCH"),
        ("GetMatch", {}, "INVALID_ARGUMENT INVALID_REQUEST"),
        ("GetEntrant", {"entrant_id": "nobody/bot"}, "NOT_FOUND UNKNOWN_ENTRANT"),
        ("GetEntrant", {"entrant_id": "\x00/\x1b"}, "NOT_FOUND UNKNOWN_ENTRANT"),
        ("GetEntrant", {"entrant_id": "a" * 9999}, "NOT_FOUND UNKNOWN_ENTRANT"),
        ("ListVersions", {"entrant_id": ""}, "NOT_FOUND UNKNOWN_ENTRANT"),
        ("ListMatches", {"owner": "nobody"}, "NOT_FOUND UNKNOWN_OWNER"),
        ("ListMatches", {"state": 99}, "INVALID_ARGUMENT INVALID_REQUEST"),
        ("ListEntrants", {"owner": "\x1b" * 100}, "INVALID_ARGUMENT INVALID_REQUEST"),
        ("DownloadRecord", {"match_id": "1", "attempt": 7}, "NOT_FOUND UNKNOWN_RECORD"),
        ("DownloadRecord", {"match_id": "1", "attempt": -7}, "NOT_FOUND UNKNOWN_RECORD"),
    ],
)
def test_bad_requests_get_one_clear_line(
    shared_ladder: LadderServer, method: str, fields: dict[str, Any], expected: str
) -> None:
    with channel_to(shared_ladder.public) as channel:
        outcome = call(channel, method, fields)
    assert str(outcome) == expected
    assert outcome.text.isprintable()
    assert 0 < len(outcome.text) <= 600


def odd_requests(chance: random.Random, method: str) -> Iterator[Any]:
    """Bytes by chance, and messages whose fields hold what nobody would think of."""
    odd = ("\x00", "a/b", "/", "-1", "9" * 18, "\u202e", "x" * 5000, "ann/bot", "bot", "ann", "1")
    fields = METHODS[method].input_type.fields
    for _ in range(6):
        yield chance.randbytes(chance.randrange(40))
        request = GetMessageClass(METHODS[method].input_type)()
        for field in fields:
            if field.type == field.TYPE_STRING and not field.is_repeated:
                setattr(request, field.name, chance.choice(odd))
            elif field.type in (field.TYPE_INT32, field.TYPE_INT64):
                numbers = (-(2**31), -1, 0, 1, 2**31 - 1)
                if field.is_repeated:
                    getattr(request, field.name).extend(chance.choices(numbers, k=3))
                else:
                    setattr(request, field.name, chance.choice(numbers))
        yield request


@pytest.mark.parametrize("method", [name for name in METHODS if name != "UploadVersion"])
def test_no_request_makes_a_mistake_of_ours(shared_ladder: LadderServer, method: str) -> None:
    chance = random.Random(method)
    service = METHODS[method].containing_service.name
    is_admin = service in ("OperatorService", "OrganiserService")
    token = shared_ladder.tokens.admin if is_admin else shared_ladder.tokens.ann
    address = shared_ladder.operators if is_admin else shared_ladder.public
    with channel_to(address) as channel:
        for request in odd_requests(chance, method):
            outcome = call(channel, method, request, token=token)
            assert outcome.code not in ("INTERNAL", "UNKNOWN", "UNAVAILABLE"), (request, outcome)
            assert outcome.code == "OK" or outcome.reason


def test_each_refusal_has_exactly_one_error_info(shared_ladder: LadderServer) -> None:
    with channel_to(shared_ladder.public) as channel:
        stub = LadderServiceStub(channel)
        with pytest.raises(grpc.RpcError) as refused:
            stub.GetEntrant(ladder_service_pb2.GetEntrantRequest(entrant_id="no/one"))
        status = rpc_status.from_call(refused.value)
    (packed,) = status.details
    info = error_details_pb2.ErrorInfo()
    assert packed.Unpack(info)
    assert (info.domain, info.reason) == ("millearena", "UNKNOWN_ENTRANT")
    assert dict(info.metadata) == {"entrant": "no/one"}


def test_every_reason_is_in_the_protocol() -> None:
    raised = re.compile(
        r'(?:WrongPhase|OverQuota|Forbidden|TooSlow)\(\s*"([A-Z_]+)"|Failure\([^"\n]*"([A-Z_]+)"'
        r'|Invalid\([^)]*"([A-Z]+_[A-Z_]+)"'
    )
    reasons = {f"TOKEN_{reason}" for reason in AuthReason if reason != "SUSPENDED"}
    for path in (*ROOT.glob("arena/tournament/verbs*.py"), *ROOT.glob("arena/transport/**/*.py")):
        text = path.read_text(encoding="utf-8")
        reasons |= {one for found in raised.findall(text) for one in found if one}
        reasons |= {f"UNKNOWN_{what.upper()}" for what in re.findall(r'Unknown\("(\w+)"', text)}
    files = ROOT.glob("proto/millearena/v1/*_service.proto")
    documented = set(re.findall(r"[A-Z_]{4,}", " ".join(path.read_text() for path in files)))
    for known in ("QUOTA_UPLOADS", "UNKNOWN_MATCH", "TOKEN_MISSING", "BAD_UPLOAD", "WRONG_STATE"):
        assert known in reasons  # they are found
    assert reasons - documented == set()


def test_too_many_calls_at_once_are_refused(
    tmp_path: Path, template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    with made(tmp_path, template) as server:
        server.limits = quick_limits(public=GuardLimits(threads=1, waiting=1))
        hold = threading.Event()
        page = server.store.standings.page

        def slow(*arguments: Any) -> Any:
            hold.wait(30)
            return page(*arguments)

        monkeypatch.setattr(server.store.standings, "page", slow)
        with running(server), channel_to(server.public) as channel:
            stub = LadderServiceStub(channel)
            request = ladder_service_pb2.ListStandingsRequest()
            calls: list[Any] = [stub.ListStandings.future(request) for _ in range(3)]
            # One is at work, one waits; the third is refused, whichever it is.
            done: list[Any] = []
            for one in calls:
                one.add_done_callback(done.append)
            wait_for(lambda: bool(done))
            assert done[0].code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert str(call(channel, "GetLadder")) == "RESOURCE_EXHAUSTED TOO_BUSY"
            hold.set()
            answered = [one for one in calls if one is not done[0]]
            assert [len(one.result(20).standings) for one in answered] == [2, 2]


def wait_for(is_so: Any) -> None:
    for _ in range(1000):
        if is_so():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never was so")


def test_a_unary_call_has_a_limit_on_the_servers_side(
    tmp_path: Path, template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "Unary", lambda **fields: Unary(**fields, limit=0.1))
    with made(tmp_path, template) as server:
        hold = threading.Event()
        monkeypatch.setattr(server.store.standings, "page", lambda *_: hold.wait(30))
        with running(server), channel_to(server.public) as channel:
            outcome = call(channel, "ListStandings")
            hold.set()
    assert str(outcome) == "DEADLINE_EXCEEDED TOO_SLOW"


def test_a_server_that_drains_takes_no_more_and_ends_its_streams(ladder: LadderServer) -> None:
    assert ladder.servers is not None
    with Client(ladder.public, ladder.tokens.ann) as client:
        following = client.follow_upload(ladder.upload)
        next(following)
        ladder.in_loop(ladder.servers.drain)
        with pytest.raises(ServerFault, match="shutting down") as ended:
            next(following)
        assert ended.value.reason == "DRAINING"
        with pytest.raises(ServerFault, match="shutting down"):
            client.ladder()


def test_streams_are_counted(tmp_path: Path, template: Template) -> None:
    with made(tmp_path, template) as server:
        limits = quick_limits()
        server.limits = replace(limits, public=replace(limits.public, streams_per_peer=2))
        with running(server), Client(server.public, server.tokens.ann) as client:
            streams = [client.follow_upload(server.upload) for _ in range(2)]
            for stream in streams:
                next(stream)
            with pytest.raises(ServerError) as refused:
                next(client.follow_upload(server.upload))
            assert refused.value.reason == "TOO_MANY_STREAMS"
            streams[0].close()  # type: ignore[attr-defined]
            wait_for(lambda: _can_follow(client, server.upload))


def _can_follow(client: Client, upload: int) -> bool:
    stream: Any = client.follow_upload(upload)
    try:
        next(stream)
    except ServerError:
        return False
    stream.close()
    return True


def test_health_is_told_on_both_and_reflection_to_operators_only(
    shared_ladder: LadderServer,
) -> None:
    ask = reflection_pb2.ServerReflectionRequest(list_services="")
    for address in (shared_ladder.public, shared_ladder.operators):
        with channel_to(address) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            answer = health.Check(health_pb2.HealthCheckRequest(), timeout=10)
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
            with pytest.raises(grpc.RpcError) as endless:
                next(health.Watch(health_pb2.HealthCheckRequest(), timeout=10))
            assert endless.value.code() is grpc.StatusCode.UNIMPLEMENTED
            reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
            answers = reflection.ServerReflectionInfo(iter([ask]), timeout=10)
            if address == shared_ladder.public:
                with pytest.raises(grpc.RpcError) as refused:
                    next(answers)
                assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED
            else:
                services = [one.name for one in next(answers).list_services_response.service]
                assert "millearena.v1.OperatorService" in services
                assert "millearena.v1.BotService" not in services


# -- where it listens -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "is_it"),
    [
        ("127.0.0.1:7400", True),
        ("127.9.9.9:1", True),
        ("[::1]:7400", True),
        ("localhost:7400", True),
        ("unix:/x", True),
        ("0.0.0.0:7400", False),
        ("[::]:7400", False),
        ("192.0.2.1:7400", False),
        ("example.org:7400", False),
        ("localhost.example.org:1", False),
    ],
)
def test_what_is_loopback(address: str, is_it: bool) -> None:
    assert is_loopback(address) is is_it
    if is_it:
        require_tls(address, None)
    else:
        require_tls(address, None, is_proxied=True)
        with pytest.raises(InputError, match="in the clear"):
            require_tls(address, None)


@pytest.mark.parametrize(
    "where",
    [
        Addresses(public="0.0.0.0:0", operators="127.0.0.1:0"),
        Addresses(public="127.0.0.1:0", operators="0.0.0.0:0", is_proxied=True),
    ],
)
def test_a_server_beyond_loopback_without_tls_is_refused(
    tmp_path: Path, template: Template, where: Addresses
) -> None:
    with (
        made(tmp_path, template) as server,
        pytest.raises(InputError, match="in the clear"),
        running(server, where),
    ):
        pass


def test_an_address_that_is_taken_is_said(
    shared_ladder: LadderServer, tmp_path: Path, template: Template
) -> None:
    taken = Addresses(public=shared_ladder.public, operators="127.0.0.1:0")
    with (
        made(tmp_path, template) as server,
        pytest.raises(HostFault, match="another server"),
        running(server, taken),
    ):
        pass


def test_the_client_needs_nothing_of_the_server() -> None:
    program = (
        "import sys, arena.transport.client\n"
        "print([one for one in sys.modules if one.split('.')[0] in\n"
        "       ('sqlalchemy', 'alembic', 'docker', 'structlog', 'psycopg')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"
