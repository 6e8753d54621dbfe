"""Short matches of real bots, as processes: to the end, killed, stopped and on another executor."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from arena.app.rated import run_match
from arena.referee.verifying import verify
from arena.storage.attempts import commitment
from arena.storage.facts import AttemptState, Match, MatchState
from arena.tournament.ladder.commentary import Frame, FrameKind
from arena.tournament.ladder.terms import Terms
from tests.tournament.ladder.playing import PACE, SHORT, Grounds, pid_file, play_and_tell


@pytest.fixture
def grounds(tmp_path: Path) -> Iterator[Grounds]:
    grounds = Grounds(tmp_path / "data")
    try:
        yield grounds
    finally:
        grounds.close()


def until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until something holds; fail if it does not in time."""
    pause = threading.Event()
    for _ in range(int(seconds / 0.02)):
        if holds():
            return
        pause.wait(0.02)
    pytest.fail("waited in vain")


def found(grounds: Grounds, number: int) -> Match:
    match = grounds.book.find(number)
    assert match is not None
    return match


def is_done(grounds: Grounds, number: int) -> Callable[[], bool]:
    return lambda: found(grounds, number).state is MatchState.DONE


def states(grounds: Grounds, number: int) -> list[AttemptState]:
    return [attempt.state for attempt in found(grounds, number).attempts]


def test_matches_of_real_bots_leave_records_that_prove_themselves(grounds: Grounds) -> None:
    numbers = grounds.queue(2)
    with grounds.directed():
        for number in numbers:
            until(is_done(grounds, number))
    for number in numbers:
        check_record(grounds, found(grounds, number))
    assert grounds.spool.all() == ()
    ratings = [grounds.entrants.by_number(seat.entrant) for seat in grounds.seats]
    assert [one.matches for one in ratings if one is not None] == [2, 2]


def check_record(grounds: Grounds, match: Match) -> None:
    result = match.result
    assert result is not None
    assert result.verdict == "COMPLETED"
    record = grounds.store.records.read(result.record)
    verified = verify(io.BytesIO(record))
    assert verified.head == result.head
    header = json.loads(record.splitlines()[0])
    (attempt,) = match.attempts
    assert header["match"] == str(match.number)
    assert header["attempt"] == 1
    assert header["commitment"] == attempt.commitment
    assert attempt.commitment == commitment(match.number, 1, bytes.fromhex(attempt.seed))
    assert [len(digest) for digest in header["versions"]] == [64, 64]
    assert result.games == 2
    assert attempt.seed.encode() not in record


def test_a_killed_process_costs_one_attempt(grounds: Grounds) -> None:
    (number,) = grounds.queue()
    with grounds.directed(play=play_and_tell) as (director, _):
        until(lambda: any(one.has_turn for one in director.status().playing))
        os.kill(pid_of(grounds, number, 1), signal.SIGKILL)
        until(is_done(grounds, number))
    assert states(grounds, number) == [AttemptState.VOID, AttemptState.DONE]
    assert "was killed by SIGKILL" in found(grounds, number).attempts[0].why
    assert grounds.spool.all() == ()


def test_a_process_that_stands_still_beyond_its_lease_loses_it(grounds: Grounds) -> None:
    (number,) = grounds.queue()
    pace = replace(PACE, lease=8_000)
    with grounds.directed(pace, play=play_and_tell) as (director, _):
        until(lambda: any(one.has_turn for one in director.status().playing))
        stopped = pid_of(grounds, number, 1)
        os.kill(stopped, signal.SIGSTOP)
        until(is_done(grounds, number))
    assert states(grounds, number) == [AttemptState.LOST, AttemptState.DONE]
    with contextlib.suppress(ProcessLookupError):
        os.kill(stopped, 0)
        pytest.fail("it is still there")
    assert grounds.spool.all() == ()


def pid_of(grounds: Grounds, match: int, attempt: int) -> int:
    lease = next(one for one in grounds.book.adopt("here") if one.match == match)
    assert lease.attempt == attempt
    path = pid_file(grounds.prepare(lease))
    until(path.exists)
    grounds.preparation.release(lease)
    return int(path.read_text())


def test_run_match_needs_nothing_but_an_executor(grounds: Grounds) -> None:
    (number,) = grounds.queue()
    lease = grounds.book.lease("here", 60_000)
    assert lease is not None
    with ProcessPoolExecutor(1) as pool:
        done = pool.submit(run_match, grounds.prepare(lease)).result()
    assert (done.match, done.attempt, done.verdict) == (number, 1, "COMPLETED")
    assert grounds.spool.whole() == ((number, 1),)
    with grounds.directed():  # as the next server of this name would
        until(is_done(grounds, number))
    assert states(grounds, number) == [AttemptState.DONE]


def test_what_is_shown_of_a_match_comes_while_it_is_played(grounds: Grounds) -> None:
    # The delay is none here, so that a short match shows something at all; it may still be over
    # before its first second is, and then all of it has to be among the frames that are kept.
    (number,) = grounds.queue(terms=replace(SHORT, boards=1))
    seen: list[Frame] = []
    with grounds.directed():
        since = 0
        pause = threading.Event()
        deadline = time.monotonic() + 60
        while not is_done(grounds, number)():
            assert time.monotonic() < deadline, "the match is never over"
            shown = grounds.live.watch(number, since)
            assert [frame.number for frame in shown.frames] == list(range(since, shown.next))
            seen += shown.frames
            since = shown.next
            pause.wait(0.05)
    seen += grounds.live.rest(number, 1, since)
    assert [frame.number for frame in seen] == list(range(len(seen)))
    assert seen[0].kind is FrameKind.DEALT
    assert FrameKind.PLAYED in {frame.kind for frame in seen}
    assert grounds.live.watch(number).is_over


def test_terms_come_back_as_they_were() -> None:
    from arena.tournament.ladder.terms import terms_from  # noqa: PLC0415

    for terms in (SHORT, Terms(), Terms(preset="classic", options={"extension": True}, hands=3)):
        assert terms_from(json.loads(json.dumps(terms.as_json()))) == terms
