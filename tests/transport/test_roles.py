"""Every method, called by everybody: nobody, wrong tokens, other owners, owners, operators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from arena.transport.auth import Access
from millearena.v1 import bot_service_pb2, owners_pb2
from tests.transport.ladderserver import LadderServer
from tests.transport.wirecalls import METHODS, Outcome, call, channel_to

EVERYONE, OWNER, READ, SUBMIT, ADMIN = (
    Access.EVERYONE,
    Access.OWNER,
    Access.READ,
    Access.SUBMIT,
    Access.ADMIN,
)
Ask = Callable[[LadderServer], Any]


@dataclass(frozen=True)
class Row:
    """A method: who may call it, a request about ann's things, and what bob gets for that."""

    access: Access
    ask: Ask = lambda ladder: {}
    bob: str = "OK"


def upload(ladder: LadderServer) -> list[Any]:
    metadata = bot_service_pb2.UploadMetadata(length=3, digest=DIGEST_OF_ABC, request_id="row")
    chunk = bot_service_pb2.UploadChunk(content=b"abc")
    make = bot_service_pb2.UploadVersionRequest
    return [make(metadata=metadata), make(chunk=chunk)]


DIGEST_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def entrant(_: LadderServer) -> Mapping[str, Any]:
    return {"entrant_id": "ann/bot"}


def over(ladder: LadderServer) -> Mapping[str, Any]:
    return {"match_id": str(ladder.over)}


def own(ladder: LadderServer) -> Mapping[str, Any]:
    return {"upload_id": str(ladder.upload)}


def because(**fields: Any) -> Ask:
    return lambda ladder: {"reason": "a test", **fields}


def about(field: str, **fields: Any) -> Ask:
    return lambda ladder: {"match_id": str(getattr(ladder, field)), **fields}


VERSION = {"entrant_id": "ann/bot", "ordinal": 1}

# In this order an owner, or an operator, can do all of it.
TABLE: Mapping[str, Row] = {
    "GetLadder": Row(EVERYONE),
    "ListStandings": Row(EVERYONE),
    "ListEntrants": Row(EVERYONE),
    "GetEntrant": Row(EVERYONE, entrant),
    "ListVersions": Row(EVERYONE, entrant),
    "ListRatingChanges": Row(EVERYONE, entrant),
    "ExplainMatch": Row(EVERYONE, over),
    "GetMatch": Row(EVERYONE, over),
    "ListMatches": Row(EVERYONE),
    "DownloadRecord": Row(EVERYONE, over),
    "WatchMatch": Row(EVERYONE, over),
    "GetSelf": Row(OWNER),
    "CreateEntrant": Row(SUBMIT, lambda _: {"name": "second", "request_id": "row"}),
    "UploadVersion": Row(SUBMIT, upload),
    "GetUpload": Row(READ, own, "NOT_FOUND UNKNOWN_UPLOAD"),
    "ListUploads": Row(READ),
    "FollowUpload": Row(READ, own, "NOT_FOUND UNKNOWN_UPLOAD"),
    "GetBuildLog": Row(READ, own, "NOT_FOUND UNKNOWN_UPLOAD"),
    "GetOwnEntrant": Row(READ, lambda _: {"name": "hers"}, "NOT_FOUND UNKNOWN_ENTRANT"),
    "ListOwnEntrants": Row(READ),
    "DownloadMatchLog": Row(
        READ, lambda ladder: {**over(ladder), "seat": 0}, "NOT_FOUND UNKNOWN_MATCH"
    ),
    "CreateChallenge": Row(
        SUBMIT,
        lambda _: {"name": "hers", "opponent_ids": ["bob/bot"], "request_id": "row"},
        "NOT_FOUND UNKNOWN_ENTRANT",
    ),
    "PauseOwnEntrant": Row(SUBMIT, lambda _: {"name": "hers"}, "NOT_FOUND UNKNOWN_ENTRANT"),
    "ResumeOwnEntrant": Row(SUBMIT, lambda _: {"name": "hers"}, "NOT_FOUND UNKNOWN_ENTRANT"),
    "ActivateVersion": Row(
        SUBMIT, lambda _: {"name": "hers", "ordinal": 1}, "NOT_FOUND UNKNOWN_ENTRANT"
    ),
    "CreateOwner": Row(ADMIN, lambda _: {"name": "dora", "request_id": "row"}),
    "ListOwners": Row(ADMIN),
    "SuspendOwner": Row(ADMIN, because(name="dora")),
    "ReinstateOwner": Row(ADMIN, lambda _: {"name": "dora"}),
    "IssueToken": Row(
        ADMIN,
        lambda _: {"kind": owners_pb2.TOKEN_KIND_OWNER, "owner": "dora", "request_id": "row"},
    ),
    "RevokeToken": Row(ADMIN, lambda ladder: {"token_id": ladder.tokens.ann.split("_")[2]}),
    "ListTokens": Row(ADMIN),
    "PauseLadder": Row(ADMIN, because()),
    "ResumeLadder": Row(ADMIN),
    "PauseEntrant": Row(ADMIN, because(entrant_id="ann/bot")),
    "ResumeEntrant": Row(ADMIN, entrant),
    "QuarantineVersion": Row(ADMIN, because(**VERSION)),
    "ReleaseVersion": Row(ADMIN, lambda _: VERSION),
    "RerunMatch": Row(ADMIN, about("set_aside")),
    "VoidAttempt": Row(ADMIN, lambda at: {"match_id": str(at.lease.match), "reason": "a test"}),
    "CancelMatch": Row(ADMIN, about("waiting", reason="a test")),
    "AnnulMatch": Row(ADMIN, about("over", reason="a test")),
    "RebuildRatings": Row(ADMIN),
    "ListSetAsideMatches": Row(ADMIN),
    "ListSetAsideUploads": Row(ADMIN),
    "RetryUpload": Row(ADMIN, lambda ladder: {"upload_id": str(ladder.upload)}),
    "GetSettings": Row(ADMIN),
    "ListAudit": Row(ADMIN),
}

UNKNOWN = "UNAUTHENTICATED TOKEN_UNKNOWN"
DENIED = "PERMISSION_DENIED SCOPE_MISSING"
NOT_LET_IN: Mapping[str, str] = {
    "nobody": "UNAUTHENTICATED TOKEN_MISSING",
    "unknown": UNKNOWN,
    "revoked": "UNAUTHENTICATED TOKEN_REVOKED",
    "expired": "UNAUTHENTICATED TOKEN_EXPIRED",
    "suspended": "PERMISSION_DENIED OWNER_SUSPENDED",
    "worker": DENIED,
}
MAY_NOT: Mapping[Access, Mapping[str, str]] = {
    OWNER: {**NOT_LET_IN, "admin": DENIED},
    READ: {**NOT_LET_IN, "admin": DENIED},
    SUBMIT: {**NOT_LET_IN, "admin": DENIED, "ann_reads": DENIED},
    ADMIN: {**NOT_LET_IN, "ann": DENIED, "ann_reads": DENIED, "bob": DENIED},
}
ROLES = (*NOT_LET_IN, "admin", "ann", "ann_reads", "bob")
EVERY = pytest.mark.parametrize("method", TABLE)


def ask(ladder: LadderServer, method: str, role: str) -> Outcome:
    row = TABLE[method]
    address = ladder.operators if row.access is ADMIN else ladder.public
    with channel_to(address) as channel:
        return call(channel, method, row.ask(ladder), token=getattr(ladder.tokens, role))


def test_the_table_has_every_method() -> None:
    competitions = {
        name
        for name, method in METHODS.items()
        if method.containing_service.name in ("CompetitionService", "OrganiserService")
    }
    assert TABLE.keys() | competitions == METHODS.keys()  # those have a table of their own


@EVERY
def test_who_may_not_is_refused(shared_ladder: LadderServer, method: str) -> None:
    access = TABLE[method].access
    refused = MAY_NOT.get(access, {})
    found = {role: str(ask(shared_ladder, method, role)) for role in refused}
    assert found == refused


@pytest.mark.parametrize("method", [name for name, row in TABLE.items() if row.access is EVERYONE])
def test_what_is_for_everyone_is_the_same_for_all(shared_ladder: LadderServer, method: str) -> None:
    answers = {role: ask(shared_ladder, method, role) for role in ROLES}
    assert {answer.code for answer in answers.values()} == {"OK"}
    assert len({str(answer.answers) for answer in answers.values()}) == 1


def test_the_owner_and_the_operator_may(ladder: LadderServer) -> None:
    settle(ladder)
    with channel_to(ladder.public) as public, channel_to(ladder.operators) as operators:
        for name, row in TABLE.items():
            is_admin = row.access is ADMIN
            token = ladder.tokens.admin if is_admin else ladder.tokens.ann
            if name == "RetryUpload":
                set_upload_aside(ladder)
            channel = operators if is_admin else public
            outcome = call(channel, name, row.ask(ladder), token=token)
            assert outcome.code == "OK", f"{name}: {outcome} {outcome.text}"


def settle(ladder: LadderServer) -> None:
    """Give ann a bot of her own name, `hers`."""
    set_upload_aside(ladder)
    ladder.world.upload("ann", "hers")
    ladder.store.uploads.rerun(ladder.upload)


def set_upload_aside(ladder: LadderServer) -> None:
    uploads = ladder.store.uploads
    while (found := uploads.find(ladder.upload)) is not None and found.state != "set_aside":
        begun = uploads.begin()
        assert begun is not None
        uploads.failed(begun.number, "the disk is full")


@pytest.mark.parametrize("method", [name for name, row in TABLE.items() if row.bob != "OK"])
def test_others_things_look_as_if_they_did_not_exist(ladder: LadderServer, method: str) -> None:
    settle(ladder)
    asked = TABLE[method].ask(ladder)
    never = {name: _never(name, value) for name, value in asked.items()}
    with channel_to(ladder.public) as channel:
        hers = call(channel, method, asked, token=ladder.tokens.bob)
        none = call(channel, method, never, token=ladder.tokens.bob)
    assert str(hers) == str(none) == TABLE[method].bob
    shown = _masked(hers, asked), _masked(none, never)
    assert shown[0] == shown[1]


def _never(name: str, value: Any) -> Any:
    return {"name": "hera", "upload_id": "99999", "match_id": "99999"}.get(name, value)


def _masked(outcome: Outcome, asked: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The text and the facts without what was asked for."""
    text = outcome.text
    for value in (asked.get(one) for one in ("name", "upload_id", "match_id")):
        text = text.replace(str(value), "IT") if value else text
    return text, sorted(outcome.facts or ())


def test_bots_own_lists_hold_nothing_of_others(ladder: LadderServer) -> None:
    settle(ladder)
    with channel_to(ladder.public) as channel:
        for method in ("ListUploads", "ListOwnEntrants"):
            answer = str(call(channel, method, {}, token=ladder.tokens.bob).answers)
            assert "ann" not in answer


@EVERY
def test_each_address_serves_its_own_methods_only(shared_ladder: LadderServer, method: str) -> None:
    row = TABLE[method]
    other = shared_ladder.public if row.access is ADMIN else shared_ladder.operators
    with channel_to(other) as channel:
        outcome = call(channel, method, row.ask(shared_ladder), token=shared_ladder.tokens.admin)
    assert outcome.code == "UNIMPLEMENTED"


def test_what_was_not_allowed_is_in_the_audit_log_once_a_minute(ladder: LadderServer) -> None:
    for _ in range(5):
        ask(ladder, "ListOwners", "ann")
    notes = [one for one in ladder.store.audit.list(500).items if one.action == "ListOwners"]
    assert len(notes) == 1
    assert "SCOPE_MISSING" in notes[0].detail
    assert notes[0].who == f"owner token {ladder.tokens.ann.split('_')[2]} of ann"


def test_everything_an_operator_does_is_in_the_audit_log(ladder: LadderServer) -> None:
    asked = [name for name, row in TABLE.items() if row.access is ADMIN]
    for method in asked:
        ask(ladder, method, "admin")
    notes = ladder.store.audit.list(500).items
    who = f"admin token {ladder.tokens.admin.split('_')[2]}"
    assert {one.action for one in notes if one.who == who} == set(asked)
    secrets = (ladder.tokens.ann.split("_")[3], ladder.tokens.admin.split("_")[3])
    assert not any(secret in str(notes) for secret in secrets)
