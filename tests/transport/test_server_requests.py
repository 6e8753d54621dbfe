"""Calls that make something, made again: the same answer, and nothing is made twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from google.protobuf.message import Message

from arena.storage.facts import MatchKind
from arena.storage.matchlist import Filters
from arena.tournament.refusals import WrongPhase
from arena.transport.services.remembered import Remembered
from millearena.v1 import owners_pb2
from tests.transport.ladderserver import LadderServer
from tests.transport.wirecalls import Outcome, call, channel_to

NO_TASK = "the first call goes on although nobody waits for it"


def challenge(ladder: LadderServer, request: str, token: str = "", **changes: Any) -> Outcome:
    asked = {"name": "bot", "opponent_ids": ["bob/bot"], "request_id": request, **changes}
    with channel_to(ladder.public) as channel:
        return call(channel, "CreateChallenge", asked, token=token or ladder.tokens.ann)


def test_a_challenge_that_is_asked_for_again_is_the_same(ladder: LadderServer) -> None:
    first, second = challenge(ladder, "one"), challenge(ladder, "one")
    assert first.code == "OK"
    assert first.answers == second.answers
    found = ladder.store.matches.list(Filters(kind=MatchKind.CHALLENGE)).items
    assert len(found) == 1 + 1  # beside the one that there was
    other = challenge(ladder, "one", table="classic-2")
    assert str(other) == "FAILED_PRECONDITION REQUEST_REUSED"
    assert str(challenge(ladder, "")) == "INVALID_ARGUMENT INVALID_REQUEST"


def test_a_token_that_is_asked_for_again_is_the_same(ladder: LadderServer) -> None:
    asked = {"kind": owners_pb2.TOKEN_KIND_OWNER, "owner": "bob", "request_id": "one"}
    with channel_to(ladder.operators) as channel:
        answers = [
            call(channel, "IssueToken", asked, token=ladder.tokens.admin).answers for _ in "ab"
        ]
        assert answers[0] == answers[1]
        another = call(
            channel, "IssueToken", {**asked, "request_id": "two"}, token=ladder.tokens.admin
        )
        assert another.answers != answers[0]


def test_what_was_refused_is_not_remembered(ladder: LadderServer) -> None:
    ladder.store.entrants.pause(ladder.bob.entrant, "for a test")
    assert str(challenge(ladder, "one")) == "FAILED_PRECONDITION CANNOT_PLAY"
    ladder.store.entrants.resume(ladder.bob.entrant)
    assert challenge(ladder, "one").code == "OK"


def test_who_asks_while_it_is_made_gets_the_same_answer() -> None:
    async def scene() -> None:
        now = [0.0]
        remembered = Remembered(lambda: now[0], lifetime=10, each=2)
        made: list[int] = []
        may_end = asyncio.Event()

        async def make() -> Message:
            made.append(1)
            await may_end.wait()
            return owners_pb2.Owner(name=f"number {len(made)}")

        key = ("ann", "method", "one")
        calls = [asyncio.create_task(remembered.answer(key, b"x", make)) for _ in range(3)]
        await asyncio.sleep(0)
        calls[0].cancel()  # whoever asked first goes away
        may_end.set()
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert isinstance(answers[0], asyncio.CancelledError), NO_TASK
        assert answers[1] == answers[2] == owners_pb2.Owner(name="number 1")
        with pytest.raises(WrongPhase):
            await remembered.answer(key, b"y", make)
        now[0] = 11.0  # forgotten
        assert await remembered.answer(key, b"y", make) == owners_pb2.Owner(name="number 2")
        for name in ("two", "three"):  # and so is the oldest of too many
            await remembered.answer(("ann", "method", name), b"y", make)
        assert await remembered.answer(key, b"y", make) == owners_pb2.Owner(name="number 5")
        # What others make pushes out nothing.
        for name in ("one", "two", "three"):
            await remembered.answer(("bob", "method", name), b"y", make)
        assert await remembered.answer(key, b"y", make) == owners_pb2.Owner(name="number 5")

    asyncio.run(scene())
