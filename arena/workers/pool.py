"""A pool that runs each task in a fresh process: a process that dies costs one task.

Theory of operation. Whoever submits puts a task into a queue. One thread, the supervisor, starts
tasks while there is room and hears their workers out, asleep in `wait` until one of them or a
caller has something for it. It lives while there is something to do, so that the interpreter, which
waits for it at its exit, exits when all tasks are done: that is what an executor promises.

A future is settled by the result that the worker sent or, if it ended without one, by `WorkerLost`.
Its place is free when the process has gone.
"""

from __future__ import annotations

import contextlib
import pickle
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from arena.workers.processes import HELD_BACK, ForkServer, Kind, Report, Worker, WorkerLost

__all__ = ["MatchPool", "Report", "WorkerLost"]

P = ParamSpec("P")
T = TypeVar("T")

_GRACE: Final = 5.0  # seconds: a match in turn gives its bots one to end by themselves


@dataclass(slots=True, eq=False)
class _Task:
    pickled: bytes
    future: Future[Any]
    on_report: Report | None
    is_ending: bool = False


class MatchPool(Executor):
    """An executor that runs at most `workers` tasks at once, each in a process of its own.

    Args:
        workers: How many.
        preload: Modules to import once, so that no task waits for them; they open no channel.
        grace: The seconds from SIGTERM to SIGKILL, in which a task cleans up.

    Function, arguments and result are pickled, and the function is found by its module, which must
    not be `__main__`. It runs in the main thread; Ctrl-C does not reach it, SIGTERM ends it. Its
    process ends with it and so do the threads it left. Output goes where the parent's does.

    A pool that is left by an exception, such as Ctrl-C, ends its tasks, and waits until they have
    gone. When this very process is killed, they are ended as well.
    """

    def __init__(self, workers: int, *, preload: Sequence[str] = (), grace: float = _GRACE) -> None:
        if workers < 1:
            raise ValueError(f"workers must be at least 1, not {workers}")
        self._places = workers
        self._server = ForkServer(preload, grace)
        self._wake, self._waker = socket.socketpair()
        self._waker.setblocking(False)
        self._lock = threading.Lock()  # for what is below, and for every task's last field
        self._tasks: dict[Future[Any], _Task] = {}
        self._pending: deque[_Task] = deque()
        self._running: dict[_Task, Worker] = {}  # only the supervisor changes it
        self._supervisor: threading.Thread | None = None
        self._is_shut = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See `Executor.submit`; what cannot be pickled is refused here."""
        return self._submit((fn, False, args, kwargs), None)

    def submit_reporting(
        self,
        fn: Callable[Concatenate[Report, P], T],
        on_report: Report,
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Future[T]:
        """Submit `fn(report, *args, **kwargs)`; what it reports is handed to `on_report`.

        In order, all of it before the future is settled, and in the supervisor's thread, which
        serves nobody else meanwhile. An exception that it raises ends the task and is its result.
        """
        return self._submit((fn, True, args, kwargs), on_report)

    def stop(self, future: Future[Any] | None = None) -> None:
        """Cancel a task or, if it runs, end it; without `future`, all tasks. Waits for nothing."""
        with self._lock:
            tasks = [task for own, task in self._tasks.items() if future in (None, own)]
        for task in tasks:
            if not task.future.cancel():
                with self._lock:
                    self._end(task)
        self._wake_up()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """See `Executor.shutdown`; if it waits, no process of the pool is left afterwards."""
        with self._lock:
            self._is_shut = True
            pending = list(self._pending)
            supervisor = self._supervisor
            if supervisor is None:
                self._close()
        for task in pending if cancel_futures else ():
            task.future.cancel()
        self._wake_up()
        if wait and supervisor is not None:
            supervisor.join()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        try:
            if error is None:
                self.shutdown()
        finally:
            self.stop()
            self.shutdown()

    def _submit(self, call: tuple[object, ...], on_report: Report | None) -> Future[Any]:
        task = _Task(pickle.dumps(call), Future(), on_report)
        with self._lock:
            if self._is_shut:
                raise RuntimeError("a pool that is shut down takes no task")
            self._tasks[task.future] = task
            self._pending.append(task)
            if self._supervisor is None:
                self._supervisor = threading.Thread(target=self._supervise, name="match pool")
                self._supervisor.start()
        self._wake_up()
        return task.future

    def _wake_up(self) -> None:
        with contextlib.suppress(OSError):  # full: it will wake up anyway; closed: nobody sleeps
            self._waker.send(b"!")

    def _end(self, task: _Task) -> None:
        task.is_ending = True
        if task in self._running:
            self._running[task].end()

    # -- the supervisor -----------------------------------------------------------------------

    def _supervise(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, HELD_BACK)
        while self._fill_places():
            sources = [one for worker in self._running.values() for one in worker.sources]
            if self._wake in wait([self._wake, *sources]):
                self._wake.recv(4096)
            for task, worker in list(self._running.items()):
                self._attend(task, worker)

    def _fill_places(self) -> bool:
        """Start tasks while there is room; whether there is still something to do."""
        while True:
            with self._lock:
                if not self._running and not self._pending:
                    self._supervisor = None
                    if self._is_shut:
                        self._close()
                    return False
                if len(self._running) == self._places or not self._pending:
                    return True
                task = self._pending.popleft()
            self._start(task)

    def _start(self, task: _Task) -> None:
        if not task.future.set_running_or_notify_cancel():
            self._forget(task)
            return
        try:
            worker = self._server.start(task.pickled)
        except OSError as error:
            self._forget(task)
            task.future.set_exception(WorkerLost(f"a worker cannot be started: {error.strerror}"))
            return
        with self._lock:
            self._running[task] = worker
            if task.is_ending:
                worker.end()

    def _attend(self, task: _Task, worker: Worker) -> None:
        fate = worker.fate()
        for frame in worker.frames(has_ended=fate is not None):
            if not task.future.done():
                self._take(task, frame)
        if fate is not None:
            self._forget(task)
            if not task.future.done():
                task.future.set_exception(WorkerLost(f"a worker {fate} before its task was done"))

    def _take(self, task: _Task, frame: bytes) -> None:
        try:
            kind, value = pickle.loads(frame)  # noqa: S301 - from our own worker
            if kind is Kind.RESULT:
                task.future.set_result(value)
            elif kind is Kind.ERROR:
                task.future.set_exception(value)
            elif task.on_report is not None:
                task.on_report(value)
        except Exception as error:
            with self._lock:
                self._end(task)
            task.future.set_exception(error)

    def _forget(self, task: _Task) -> None:
        with self._lock:
            del self._tasks[task.future]
            if task in self._running:
                self._running.pop(task).close()

    def _close(self) -> None:
        self._server.close()
        self._wake.close()
        self._waker.close()
