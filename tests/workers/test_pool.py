"""The pool as an executor: results, failures and reports."""

from __future__ import annotations

import errno
import os
import resource
import signal
import sys
import threading
from concurrent.futures import Future
from pathlib import Path

import pytest

from arena.errors import FieldError, HostFault, InputError
from arena.sandbox.badness import WORKER
from arena.workers.pool import MatchPool, WorkerLost
from tests.workers import jobs
from tests.workers.watching import DEADLINE, Inbox, children, failure, has_gone, parent_of, release

# -- results ----------------------------------------------------------------------------------


def test_a_result_comes_back(pool: MatchPool) -> None:
    assert pool.submit(jobs.add, 2, b=3).result(DEADLINE) == 5


def test_map_keeps_the_order(pool: MatchPool) -> None:
    assert list(pool.map(jobs.add, range(6), range(6), timeout=DEADLINE)) == [0, 2, 4, 6, 8, 10]


def test_many_tasks_each_in_a_process_of_its_own(pool: MatchPool) -> None:
    tasks = [pool.submit(os.getpid) for _ in range(200)]
    assert len({task.result(DEADLINE) for task in tasks} - {os.getpid()}) == 200


def test_as_many_tasks_run_at_once_as_there_are_places(pool: MatchPool) -> None:
    inbox = Inbox()
    tasks = [pool.submit_reporting(jobs.hold, inbox) for _ in range(5)]
    assert inbox.pid() != inbox.pid()
    assert [task.running() for task in tasks] == [True, True, False, False, False]
    pool.stop(tasks[0])
    inbox.pid()
    assert [task.running() for task in tasks] == [False, True, True, False, False]


def test_large_arguments_and_results(pool: MatchPool) -> None:
    large = bytes(range(256)) * (1 << 14)
    assert pool.submit(jobs.echo, large).result(DEADLINE) == large


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says who has to go first")
def test_a_task_has_to_go_before_its_parent(pool: MatchPool) -> None:
    """H18: without memory it costs one match."""
    path = Path("/proc/self/oom_score_adj")
    before = path.read_text()
    assert int(pool.submit(path.read_text).result(DEADLINE)) == max(WORKER, int(before))
    assert path.read_text() == before


def test_modules_are_preloaded() -> None:
    for preload, loaded in ((["wave"], True), (["no.such.module"], False)):
        with MatchPool(1, preload=preload) as pool:
            assert pool.submit(jobs.is_loaded, "wave").result(DEADLINE) is loaded


def test_what_cannot_be_pickled_is_not_taken(pool: MatchPool) -> None:
    with pytest.raises(TypeError, match=r"cannot pickle '_thread\.lock' object"):
        pool.submit(jobs.echo, threading.Lock())


def test_a_pool_has_places() -> None:
    with pytest.raises(ValueError, match="workers must be at least 1, not 0"):
        MatchPool(0)


def test_a_task_that_is_done_may_submit_another(pool: MatchPool) -> None:
    second: Future[Future[int]] = Future()

    def go_on(_: Future[int]) -> None:
        second.set_result(pool.submit(jobs.add, 4))

    pool.submit(jobs.add, 1).add_done_callback(go_on)
    assert second.result(DEADLINE).result(DEADLINE) == 4


# -- failures ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "kind", "text"),
    [
        ("plain", ValueError, "boom"),
        ("two arguments", InputError, str(FieldError("tables[1]", "is empty"))),
        ("local", LookupError, "'x'"),
        ("distorted", ValueError, "code 3"),
        ("mute", HostFault, "a task failed with MuteError, which has no text"),
        ("exit", WorkerLost, "a task was ended by SystemExit"),
        ("interrupt", WorkerLost, "a task was ended by KeyboardInterrupt"),
        ("cancelled", WorkerLost, "a task was ended by CancelledError"),
    ],
)
def test_an_exception_comes_back(
    pool: MatchPool, how: str, kind: type[Exception], text: str
) -> None:
    error = failure(pool.submit(jobs.fail, how))
    assert (type(error), str(error)) == (kind, text)


def test_an_exception_tells_where_it_was_raised(pool: MatchPool) -> None:
    for how in ("plain", "local"):
        (note,) = failure(pool.submit(jobs.fail, how)).__notes__
        assert note.startswith("In a worker:\nTraceback")
        assert 'jobs.py", line' in note


def test_a_result_that_cannot_be_sent_or_received_is_a_failure(pool: MatchPool) -> None:
    error = failure(pool.submit(jobs.make_lock))
    assert (type(error), str(error)) == (TypeError, "cannot pickle '_thread.lock' object")
    error = failure(pool.submit(jobs.make_landmine))
    assert (type(error), str(error)) == (LookupError, "it does not exist here")


@pytest.mark.parametrize(
    ("how", "fate"),
    [
        ("0", "exited with code 0"),
        ("3", "exited with code 3"),
        ("SIGKILL", "was killed by SIGKILL"),
        ("SIGSEGV", "was killed by SIGSEGV"),
        ("-40", "was killed by signal 40"),
    ],
)
def test_a_worker_that_dies_says_how_and_the_next_task_runs(
    pool: MatchPool, how: str, fate: str
) -> None:
    error = failure(pool.submit(jobs.die, how))
    assert (type(error), str(error)) == (WorkerLost, f"a worker {fate} before its task was done")
    assert pool.submit(jobs.add, 1).result(DEADLINE) == 1


def test_a_killed_worker_costs_nobody_else_anything(pool: MatchPool, gate: Path) -> None:
    inbox = Inbox()
    other = pool.submit_reporting(jobs.await_gate, Inbox(), gate)
    victim = pool.submit_reporting(jobs.hold, inbox)
    later = pool.submit(jobs.add, 1)
    os.kill(inbox.pid(), signal.SIGKILL)
    assert "SIGKILL" in str(failure(victim))
    assert later.result(DEADLINE) == 1
    release(gate, "open")
    assert other.result(DEADLINE) == "open"


def test_ctrl_c_does_not_reach_a_task(
    pool: MatchPool, gate: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    inbox = Inbox()
    running = pool.submit_reporting(jobs.await_gate, inbox, gate)
    os.kill(inbox.pid(), signal.SIGINT)
    release(gate, "open")
    assert running.result(DEADLINE) == "open"
    assert capfd.readouterr().err == ""


def test_a_fork_server_that_is_killed_costs_nobody_anything(pool: MatchPool, gate: Path) -> None:
    inbox = Inbox()
    running = pool.submit_reporting(jobs.await_gate, inbox, gate)
    server = parent_of(parent_of(inbox.pid()))
    assert server in children()
    os.kill(server, signal.SIGKILL)
    assert has_gone(server)
    assert pool.submit(jobs.add, 1).result(DEADLINE) == 1
    release(gate, "open")
    assert running.result(DEADLINE) == "open"


def test_a_machine_without_room_for_a_worker_says_so(pool: MatchPool) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for _ in range(2):  # without and with a fork server
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
        try:
            error = failure(pool.submit(jobs.add, 1))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert str(error) == f"a worker cannot be started: {os.strerror(errno.EMFILE)}"
        assert pool.submit(jobs.add, 1).result(DEADLINE) == 1


def test_a_worker_whose_keeper_is_killed_ends(pool: MatchPool, tmp_path: Path) -> None:
    inbox = Inbox()
    plain = pool.submit_reporting(jobs.hold, inbox)
    os.kill(parent_of(inbox.pid()), signal.SIGKILL)
    assert str(failure(plain)) == "a worker disappeared before its task was done"
    tidy = pool.submit_reporting(jobs.hold_and_tidy, inbox, tmp_path / "told")
    worker = inbox.pid()
    os.kill(parent_of(worker), signal.SIGKILL)
    assert isinstance(failure(tidy), WorkerLost)
    assert has_gone(worker)
    assert (tmp_path / "told").read_text() == "tidy\n"


# -- reports ----------------------------------------------------------------------------------


def test_reports_come_in_order_and_before_the_result(pool: MatchPool) -> None:
    inbox = Inbox()
    future = pool.submit_reporting(jobs.count_up, inbox, 1000)
    assert future.result(DEADLINE) == 1000
    assert inbox.everything() == list(range(1000))


def test_what_a_worker_reported_before_it_died_is_not_lost(pool: MatchPool) -> None:
    inbox = Inbox()
    assert "code 3" in str(failure(pool.submit_reporting(jobs.report_and_die, inbox, 1000)))
    assert inbox.everything() == list(range(1000))


def test_a_worker_that_dies_while_it_reports_is_lost(pool: MatchPool) -> None:
    """Nobody waits for the rest of a report that will never come."""
    entered, go_on = threading.Event(), threading.Event()

    def on_report(value: object) -> None:
        entered.set()
        assert go_on.wait(DEADLINE)

    future = pool.submit_reporting(jobs.report_much, on_report, 100)
    assert entered.wait(DEADLINE)
    # The worker is now in the middle of the second report, which no buffer holds.
    pool.stop(future)
    go_on.set()
    assert "SIGTERM" in str(failure(future))


def test_a_consumer_that_fails_ends_its_task(pool: MatchPool) -> None:
    pids = []

    def on_report(value: object) -> None:
        pids.append(value)
        raise LookupError("nowhere to put it")

    future = pool.submit_reporting(jobs.hold, on_report)
    assert str(failure(future)) == "nowhere to put it"
    (pid,) = pids
    assert isinstance(pid, int)
    assert has_gone(pid)


def test_what_comes_after_a_consumer_has_failed_is_dropped(pool: MatchPool) -> None:
    values = []

    def on_report(value: object) -> None:
        values.append(value)
        assert isinstance(value, int)
        assert has_gone(value)  # all the rest is there
        raise LookupError("nowhere to put it")

    future = pool.submit_reporting(jobs.introduce, on_report, 10)
    assert str(failure(future)) == "nowhere to put it"
    assert pool.submit(jobs.add, 1).result(DEADLINE) == 1
    assert len(values) == 1


def test_a_task_that_reports_without_end_holds_nobody_up(pool: MatchPool) -> None:
    heard = threading.Event()

    def slow(_: object) -> None:
        heard.set()
        sum(range(100_000))

    pool.submit_reporting(jobs.chatter, slow)
    assert heard.wait(DEADLINE)
    assert pool.submit(jobs.add, 1).result(DEADLINE) == 1


def test_whoever_submits_does_not_wait_for_a_consumer(pool: MatchPool) -> None:
    entered, go_on, in_time = threading.Event(), threading.Event(), []

    def on_report(value: object) -> None:
        entered.set()
        in_time.append(go_on.wait(DEADLINE))

    slow = pool.submit_reporting(jobs.count_up, on_report, 1)
    assert entered.wait(DEADLINE)
    for _ in range(2000):  # more than a socket takes in wake-up calls
        pool.submit(jobs.add, 1).cancel()
    go_on.set()
    assert slow.result(DEADLINE) == 1
    assert in_time == [True]
