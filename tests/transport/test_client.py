"""The client against a real server: what authors, everyone and operators can do."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from arena.storage.facts import MatchKind, MatchState, TokenKind, UploadState, VersionState
from arena.tournament.verbs import Quotas
from arena.transport.client import Client, OperatorClient, ServerError, ServerFault
from tests.transport.ladderserver import LOG, RECORD, LadderServer


def test_everybody_can_read_the_ladder(shared_ladder: LadderServer) -> None:
    with Client(shared_ladder.public) as client:
        assert client.ladder().server_version == "1.2.3"
        lines = list(client.standings())
        assert [line.place for line in lines] == [1, 2]
        assert lines[0].title == "ann/bot"
        assert client.entrant("ann/bot").matches == 1
        assert [one.title for one in client.entrants()] == ["ann/bot", "bob/bot"]
        assert [one.title for one in client.entrants("bob")] == ["bob/bot"]
        (version,) = client.versions("ann/bot")
        assert (version.ordinal, version.state) == (1, VersionState.ACTIVE)
        (change,) = client.rating_changes("ann/bot")
        assert change.match == shared_ladder.over
        assert change.actual == 1
        assert {one.title for one in client.explain_match(shared_ladder.over)} == {
            "ann/bot",
            "bob/bot",
        }


def test_matches_are_listed_and_shown(shared_ladder: LadderServer) -> None:
    with Client(shared_ladder.public) as client:
        numbers = [match.number for match in client.matches(owner="ann")]
        assert numbers == sorted(numbers, reverse=True)
        assert shared_ladder.over in numbers
        (waiting,) = client.matches(kind=MatchKind.CHALLENGE)
        assert (waiting.state, waiting.position) == (MatchState.QUEUED, 1)
        over = client.match(shared_ladder.over)
        assert over.result is not None
        assert over.result.verdict == "COMPLETED"
        assert [seat.title for seat in over.seats] == ["ann/bot", "bob/bot"]
        (attempt,) = over.attempts
        text = f"{over.number}", f"{attempt.number}"
        committed = b"arena-commit-v1" + text[0].encode() + text[1].encode()
        assert hashlib.sha256(committed + bytes.fromhex(attempt.seed)).hexdigest() == (
            attempt.commitment
        )


def test_a_record_comes_byte_for_byte(shared_ladder: LadderServer) -> None:
    with Client(shared_ladder.public) as client:
        pieces = list(client.download_record(shared_ladder.over))
    assert len(pieces) > 1
    assert b"".join(pieces) == RECORD


def test_an_owner_reads_the_log_of_its_own_bot_only(shared_ladder: LadderServer) -> None:
    with Client(shared_ladder.public, shared_ladder.tokens.ann) as client:
        assert b"".join(client.match_log(shared_ladder.over)) == LOG
        with pytest.raises(ServerError, match="none of this name") as refused:
            list(client.match_log(shared_ladder.over, seat=1))
    assert refused.value.reason == "UNKNOWN_MATCH"


def test_an_upload_goes_into_the_queue_and_is_followed_to_its_end(
    ladder: LadderServer, tmp_path: Path
) -> None:
    archive = tmp_path / "bot.zip"
    archive.write_bytes(b"an archive " * 20_000)
    told: list[tuple[int, int]] = []
    with Client(ladder.public, ladder.tokens.bob) as client:
        status = client.upload_version(
            archive, request="once", progress=lambda sent, of: told.append((sent, of))
        )
        assert told[-1] == (220_000, 220_000)
        assert status.state is UploadState.QUEUED
        assert status.position == 2
        assert "before it" in status.waiting_for
        assert status.archive in ladder.archives
        again = client.upload_version(archive, request="once")
        assert again.number == status.number
        following = client.follow_upload(status.number)
        assert next(following).position == 2
        ladder.store.uploads.begin()
        assert next(following).position == 1
        own = ladder.store.uploads.begin()
        assert own is not None
        assert next(following).state is UploadState.AT_WORK
        ladder.store.uploads.told(own.number, "check", "it is an archive")
        assert next(following).told == (("check", "it is an archive"),)
        ladder.store.uploads.finish_refused(own.number, "build", ["does not build"], ["a line"])
        last = list(following)[-1]
        assert (last.state, last.why) == (UploadState.REFUSED, ("does not build",))
        assert last.is_over
        assert client.build_log(own.number) == ("a line",)
        assert [one.number for one in client.uploads()] == [own.number, 2]


def test_an_owner_pauses_resumes_and_activates(ladder: LadderServer) -> None:
    ladder.store.uploads.begin()  # the one that waits
    ladder.world.upload("bob", "bot", "2")
    with Client(ladder.public, ladder.tokens.bob) as client:
        assert client.who_am_i().owner == "bob"
        assert client.pause("bot").is_paused
        entrant, versions = client.own_entrant("bot")
        assert entrant.why_paused == "its owner has paused it"
        assert [one.ordinal for one in versions] == [2, 1]
        assert not client.resume("bot").is_paused
        assert client.activate("bot", 1).active == 1
        assert client.create_entrant("other").title == "bob/other"
        assert [one.name for one in client.own_entrants()] == ["bot", "other"]
        with OperatorClient(ladder.operators, ladder.tokens.admin) as operator:
            operator.pause_entrant("bob/bot", "it smells")
        with pytest.raises(ServerError, match="it smells") as refused:
            client.resume("bot")
        assert refused.value.reason == "PAUSED_BY_OPERATOR"


def test_the_version_that_plays_changes_so_often_a_day(ladder: LadderServer) -> None:
    ladder.store.uploads.begin()  # the one that waits
    ladder.world.upload("bob", "bot", "2")
    most = Quotas().activations
    with Client(ladder.public, ladder.tokens.bob) as client:
        for turn in range(most):
            assert client.activate("bot", 1 + turn % 2).active == 1 + turn % 2
        assert client.activate("bot", 2).active == 2  # as it is: no change
        with pytest.raises(ServerError, match="in 24 hours") as refused:
            client.activate("bot", 1)
        assert refused.value.reason == "QUOTA_ACTIVATIONS"
        assert client.own_entrant("bot")[0].active == 2


def test_challenges_are_unrated_and_limited(ladder: LadderServer) -> None:
    with Client(ladder.public, ladder.tokens.ann) as client:
        match = client.create_challenge("bot", ("bob/bot",), request="same")
        assert (match.kind, match.requested_by) == (MatchKind.CHALLENGE, "ann")
        assert client.create_challenge("bot", ("bob/bot",), request="same").number == match.number
        client.create_challenge("bot", ("bob/bot",))
        with pytest.raises(ServerError, match="3 of your challenges") as refused:
            client.create_challenge("bot", ("bob/bot",))
        assert refused.value.reason == "QUOTA_CHALLENGES"
        with pytest.raises(ServerError, match="twice"):
            client.create_challenge("bot", ("ann/bot",))
        with pytest.raises(ServerError, match="classic-2 has 2"):
            client.create_challenge("bot", ())


def test_an_operator_does_what_operators_do(ladder: LadderServer) -> None:
    with OperatorClient(ladder.operators, ladder.tokens.admin) as operator:
        assert operator.create_owner("dora").name == "dora"
        assert operator.create_owner("dora").name == "dora"
        assert [one.name for one in operator.owners()] == ["ann", "bob", "carl", "dora"]
        text, token = operator.issue_token(TokenKind.OWNER, owner="dora", note="hers")
        with Client(ladder.public, text) as client:
            assert client.who_am_i().scopes == ("read", "submit")
            assert operator.suspend_owner("dora", "too loud").suspended == "too loud"
            with pytest.raises(ServerError, match="too loud") as refused:
                client.who_am_i()
            assert refused.value.reason == "OWNER_SUSPENDED"
            operator.reinstate_owner("dora")
            assert client.who_am_i().owner == "dora"
            assert operator.revoke_token(token.public).revoked is not None
            with pytest.raises(ServerError, match="arena login"):
                client.who_am_i()
        assert [one.public for one in operator.tokens("dora")] == [token.public]
        operator.pause_ladder("a new roof")
        with Client(ladder.public) as client:
            assert client.ladder().paused == "a new roof"
        operator.resume_ladder()
        held = operator.quarantine_version("ann/bot", 1, "looks odd")
        assert (held.state, held.why) == (VersionState.QUARANTINED, "looks odd")
        assert operator.release_version("ann/bot", 1).state is VersionState.ACTIVE
        assert operator.settings()[0].name == "server.public"


def test_an_operator_decides_about_matches(ladder: LadderServer) -> None:
    with OperatorClient(ladder.operators, ladder.tokens.admin) as operator:
        assert [one.number for one in operator.set_aside_matches()] == [ladder.set_aside]
        assert operator.rerun_match(ladder.set_aside).state is MatchState.QUEUED
        voided = operator.void_attempt(ladder.lease.match, "a cable fell out")
        assert voided.state is MatchState.QUEUED
        assert "a cable fell out" in voided.attempts[0].why
        assert operator.cancel_match(ladder.waiting, "no").state is MatchState.CANCELLED
        match, rebuilt = operator.annul_match(ladder.over, "they were one person")
        assert match.result is not None
        assert match.result.annulled == "they were one person"
        assert (rebuilt.entries, rebuilt.different) == (2, 0)
        assert operator.rebuild_ratings(check_only=True).different == 0
        with pytest.raises(ServerError, match="annulled already"):
            operator.annul_match(ladder.over, "again")
        assert not list(operator.set_aside_uploads())
        done = [one for one in operator.audit() if one.action == "AnnulMatch"]
    assert len(done) == 2 + 1  # the second one, that it was refused, and the first one
    assert done[-1].target == str(ladder.over)
    assert done[-1].detail.startswith("they were one person; request ")
    assert all(one.who.startswith("admin token ") for one in done)


def test_lists_come_in_pages(ladder: LadderServer) -> None:
    for number in range(450):
        ladder.store.owners.create(f"owner{number:03}")
    with OperatorClient(ladder.operators, ladder.tokens.admin) as operator:
        names = [one.name for one in operator.owners()]
        calls = [one for one in operator.audit() if one.action == "ListOwners"]
    assert len(names) == len(set(names)) == 453
    assert len(calls) == 3


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("127.0.0.1", "must be HOST:PORT"),
        ("127.0.0.1:0", "must be HOST:PORT"),
        ("127.0.0.1:99999", "must be HOST:PORT"),
        ("", "must be HOST:PORT"),
    ],
)
def test_an_address_that_is_none_is_refused(address: str, problem: str) -> None:
    with pytest.raises(Exception, match=problem):
        Client(address)


def test_a_server_that_is_not_there_is_said_in_one_line() -> None:
    with Client("127.0.0.1:9", "token") as client, pytest.raises(ServerFault) as fault:
        client.who_am_i()
    assert "127.0.0.1:9: cannot be reached" in str(fault.value)
    assert "\n" not in str(fault.value)
