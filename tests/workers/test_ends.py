"""How tasks and pools are ended, and that nothing of them is left."""

from __future__ import annotations

import gc
import os
import signal
import weakref
from concurrent.futures import CancelledError, Future, as_completed
from pathlib import Path
from typing import Any

import pytest

from arena.workers.pool import MatchPool, WorkerLost
from tests.workers import jobs
from tests.workers.watching import (
    DEADLINE,
    Inbox,
    children,
    descriptors,
    failure,
    has_gone,
    release,
)

# -- tasks ------------------------------------------------------------------------------------


def test_a_pending_task_can_be_cancelled_and_a_running_one_cannot(pool: MatchPool) -> None:
    inbox = Inbox()
    running = [pool.submit_reporting(jobs.hold, inbox) for _ in range(2)]
    pids = [inbox.pid(), inbox.pid()]
    pending = [pool.submit(jobs.die, "3") for _ in range(2)]
    assert not running[0].cancel()
    assert pending[0].cancel()
    pool.stop(pending[1])
    pool.stop(running[0])
    pool.stop(running[1])
    for future in as_completed(pending, DEADLINE):
        assert future.cancelled()
    for task in running:
        assert "SIGTERM" in str(failure(task))
    assert all(has_gone(pid) for pid in pids)


def test_to_stop_what_is_over_or_somebody_else_s_does_nothing(pool: MatchPool) -> None:
    future = pool.submit(jobs.add, 1)
    assert future.result(DEADLINE) == 1
    pool.stop(future)
    stranger: Future[int] = Future()
    pool.stop(stranger)
    assert not stranger.cancelled()
    assert pool.submit(jobs.add, 2).result(DEADLINE) == 2


def test_a_task_that_is_stopped_may_tidy_up(tmp_path: Path) -> None:
    inbox = Inbox()
    with MatchPool(1, grace=DEADLINE) as pool:
        future = pool.submit_reporting(jobs.hold_and_tidy, inbox, tmp_path / "told")
        inbox.pid()
        pool.stop(future)
        assert "KeyboardInterrupt" in str(failure(future))
    assert (tmp_path / "told").read_text() == "tidy\n"


def test_a_task_that_does_not_heed_the_request_is_killed(pool: MatchPool) -> None:
    inbox = Inbox()
    future = pool.submit_reporting(jobs.hold_fast, inbox)
    inbox.pid()
    pool.stop(future)
    assert "SIGKILL" in str(failure(future))


def test_a_worker_that_is_halted_is_killed(pool: MatchPool) -> None:
    inbox = Inbox()
    future = pool.submit_reporting(jobs.hold_and_tidy, inbox, Path(os.devnull))
    os.kill(inbox.pid(), signal.SIGSTOP)
    pool.stop(future)
    assert "SIGKILL" in str(failure(future))


def test_a_task_can_be_stopped_before_its_process_is_there() -> None:
    """The fork server takes its time before the first task."""
    with MatchPool(1, preload=["grpc.aio"]) as pool:
        future = pool.submit_reporting(jobs.hold, Inbox())
        pool.stop(future)
        with pytest.raises((CancelledError, WorkerLost)):
            future.result(DEADLINE)


# -- pools ------------------------------------------------------------------------------------


def test_a_pool_that_is_left_by_an_exception_ends_its_tasks(tmp_path: Path) -> None:
    inbox = Inbox()
    with pytest.raises(LookupError, match="mine"), MatchPool(1) as pool:  # noqa: PT012
        running = pool.submit_reporting(jobs.hold_and_tidy, inbox, tmp_path / "told")
        pending = pool.submit(jobs.add, 1)
        pid = inbox.pid()
        raise LookupError("mine")
    assert has_gone(pid)
    assert (tmp_path / "told").read_text() == "tidy\n"
    assert running.done()
    assert pending.cancelled()


def test_a_pool_that_is_left_waits_for_its_tasks() -> None:
    with MatchPool(1) as pool:
        futures = [pool.submit(jobs.add, number) for number in range(3)]
    assert [future.result(0) for future in futures] == [0, 1, 2]


def test_shutdown_without_waiting(gate: Path) -> None:
    before = children(), descriptors()
    pool = MatchPool(1)
    inbox = Inbox()
    running = pool.submit_reporting(jobs.await_gate, inbox, gate)
    kept, dropped = pool.submit(jobs.add, 1), pool.submit(jobs.add, 2)
    inbox.pid()
    dropped.cancel()
    pool.shutdown(wait=False)
    assert not running.done()
    with pytest.raises(RuntimeError, match="a pool that is shut down takes no task"):
        pool.submit(jobs.add, 3)
    release(gate, "open")
    assert running.result(DEADLINE) == "open"
    assert kept.result(DEADLINE) == 1
    pool.shutdown()
    assert (children(), descriptors()) == before


def test_shutdown_can_cancel_what_is_pending(gate: Path) -> None:
    inbox = Inbox()
    pool = MatchPool(1)
    running = pool.submit_reporting(jobs.await_gate, inbox, gate)
    pending = pool.submit(jobs.add, 1)
    inbox.pid()
    pool.shutdown(wait=False, cancel_futures=True)
    release(gate, "open")
    pool.shutdown()
    assert running.result(0) == "open"
    assert pending.cancelled()


def test_a_pool_without_tasks_leaves_nothing() -> None:
    before = children(), descriptors()
    pool = MatchPool(1)
    pool.shutdown()
    pool.shutdown()
    assert (children(), descriptors()) == before


def test_a_pool_keeps_nothing_of_what_is_over() -> None:
    inbox = Inbox()
    with MatchPool(1) as pool:
        futures: list[Future[Any]] = [pool.submit(jobs.add, 1)]
        futures.append(pool.submit_reporting(jobs.hold, inbox))
        futures.append(pool.submit(jobs.add, 2))
        inbox.pid()
        futures[2].cancel()
        pool.stop(futures[1])
    over = [weakref.ref(future) for future in futures]
    del futures
    gc.collect()
    assert [future() for future in over] == [None, None, None]
    pool.shutdown()
