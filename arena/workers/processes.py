"""A process for each task, forked from a server that has already imported what tasks need.

    parent --control--> fork server           "one more", with the far ends of the two below
    parent <--keeper--> keeper                down: end it; up: how it ended
    parent <--results-> keeper's one worker   down: the task; up: reports, then the result

A keeper only waits for its worker. When it is told to, or when its connection closes, which is what
the death of the parent looks like even by SIGKILL, it sends the worker SIGTERM and, after a grace
period, SIGKILL. It needs nothing from a worker that hangs, and the fork server may die meanwhile.
Should the keeper itself be killed, its worker gets SIGTERM from the kernel, where that is Linux.

Ctrl-C reaches the terminal's whole process group, but only the parent decides. It starts the fork
server with the signals `HELD_BACK` blocked, so that server and keepers never see them. A worker
unblocks them with a handler for SIGINT that does nothing; SIGTERM is what the task makes of it.

Why not the fork server of multiprocessing: there is one for the whole program, which only private
functions can stop; when the parent is killed its socket stays behind in a folder; it lets Ctrl-C in
while it imports; and an exit code of 255 may mean that it died itself. Here nothing has a name.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import pickle
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from multiprocessing.connection import Connection, Pipe, wait
from typing import Final, NoReturn

from arena.errors import HostFault
from arena.sandbox.badness import WORKER, sooner

__all__ = ["HELD_BACK", "ForkServer", "Kind", "Report", "Worker", "WorkerLost"]

HELD_BACK: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What a thread that calls `ForkServer.start` has blocked."""

Report = Callable[[object], None]
"""Takes a value that can be pickled; a task calls it from one thread at a time."""

_PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h


class Kind(IntEnum):
    """What comes from a worker: pairs of a kind and a value."""

    REPORT = 1
    RESULT = 2
    ERROR = 3


class WorkerLost(HostFault):
    """A worker ended without a result; the message says how."""


# -- in the parent ----------------------------------------------------------------------------


class ForkServer:
    """Starts workers, and before the first one the server that they are forked from.

    They have the folder, the environment and the `sys.path` of that moment. `grace` is in seconds.
    """

    def __init__(self, preload: Sequence[str], grace: float) -> None:
        self._call = (list(preload), grace)
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def start(self, task: bytes) -> Worker:
        """Start a worker for a pickled tuple of function, whether it reports, args and kwargs.

        Raises:
            OSError: this machine has no process, memory or descriptor left for it.
        """
        control = self._open()
        (keeper, far_keeper), (results, far_results) = Pipe(), Pipe()
        worker = Worker(keeper, results)
        with far_keeper, far_results:
            try:
                far_ends = [far_keeper.fileno(), far_results.fileno()]
                socket.send_fds(control, [b"+"], far_ends)
                results.send_bytes(task)
            except BaseException:
                worker.close()
                raise
        return worker

    def _open(self) -> socket.socket:
        if self._control is not None and self._process is not None and self._process.poll() is None:
            return self._control
        self.close()
        self._control, far_control = socket.socketpair()
        with far_control:
            number = far_control.fileno()
            path = [str(folder) for folder in sys.path]
            code = f"import sys; sys.path[:] = {path!r}; from {__name__} import serve; "
            code += f"serve({number}, *{self._call!r})"
            command = [sys.executable, "-c", code]
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[number])
        return self._control

    def close(self) -> None:
        """End the server and wait until it has gone."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.wait()


class Worker:
    """A worker as the parent sees it."""

    def __init__(self, keeper: Connection, results: Connection) -> None:
        self._keeper = keeper
        self._results = results

    @property
    def sources(self) -> list[Connection]:
        """What becomes readable when there is something to learn."""
        return [one for one in (self._keeper, self._results) if not one.closed]

    def fate(self) -> str | None:
        """How it ended, in a few words; None as long as it runs."""
        if not self._keeper.poll():
            return None
        try:
            code = self._keeper.recv()
        except (EOFError, OSError):
            return "disappeared"
        if code >= 0:
            return f"exited with code {code}"
        try:
            return f"was killed by {signal.Signals(-code).name}"
        except ValueError:  # a real-time signal has no name
            return f"was killed by signal {-code}"

    def frames(self, *, has_ended: bool) -> Iterator[bytes]:
        """What it has sent: the next piece or, once it has ended, all that is left."""
        while not self._results.closed and self._results.poll():
            try:
                frame = self._results.recv_bytes()
            except (EOFError, OSError):
                self._results.close()
                return
            yield frame
            if not has_ended:
                return

    def end(self) -> None:
        """Ask for its end, and do not wait."""
        with contextlib.suppress(OSError):  # it has just ended by itself
            self._keeper.send_bytes(b"")

    def close(self) -> None:
        """Let go of the connections; a worker that still runs is ended."""
        self._keeper.close()
        self._results.close()


# -- in the fork server -----------------------------------------------------------------------


def serve(control_fd: int, preload: Sequence[str], grace: float) -> None:
    """Be the fork server, until the parent closes the control."""
    for name in preload:
        # Only for speed: a task that needs what cannot be imported will say so itself.
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how keepers end
    control = socket.socket(fileno=control_fd)
    while True:
        request, far_ends, _, _ = socket.recv_fds(control, 1, 2)
        if not request:
            break
        # If it fails, the parent learns it from the connections that close.
        with contextlib.suppress(OSError):
            if os.fork() == 0:
                control.close()
                _never_return(_keep, *map(Connection, far_ends), grace)
        for descriptor in far_ends:
            os.close(descriptor)
    # As nobody asks how they end, this waits for all keepers, and then finds no child to tell of.
    with contextlib.suppress(ChildProcessError):
        os.wait()


def _never_return(body: Callable[..., None], *args: object) -> NoReturn:
    """Be a forked process: what is above in the stack belongs to the one it was forked from."""
    code = 1
    try:
        body(*args)
        code = 0
    finally:
        os._exit(code)


# -- in a keeper ------------------------------------------------------------------------------


def _keep(keeper: Connection, results: Connection, grace: float) -> None:
    wake, woken = socket.socketpair()
    woken.setblocking(False)
    signal.set_wakeup_fd(woken.fileno())
    signal.signal(signal.SIGCHLD, _do_nothing)
    own_pid = os.getpid()
    worker = os.fork()
    if worker == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for one in (wake, woken, keeper):
            one.close()
        _never_return(_work, results, own_pid)
    results.close()
    code = _watch(worker, keeper, wake, grace)
    with contextlib.suppress(OSError):  # there is no parent any more
        keeper.send(code)


def _watch(worker: int, keeper: Connection, wake: socket.socket, grace: float) -> int:
    """Wait for a worker's end, and bring it about when the parent says so; its exit code."""
    means = [signal.SIGKILL, signal.SIGTERM]
    sources: list[Connection | socket.socket] = [wake, keeper]
    patience = None
    while True:
        ended, status = os.waitpid(worker, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if wake in wait(sources, patience):
            wake.recv(64)
        elif means:
            os.kill(worker, means.pop())
            sources = [wake]
            patience = grace if means else None


# -- in a worker ------------------------------------------------------------------------------


def _work(results: Connection, keeper: int) -> None:
    os.set_inheritable(results.fileno(), False)
    signal.signal(signal.SIGINT, _do_nothing)  # "ignore" would be passed on to programs it starts
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != keeper:
            return
    sooner(WORKER)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD_BACK)
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # there is no parent any more
        _do(results)
    sys.stdout.flush()
    sys.stderr.flush()


def _do_nothing(number: int, frame: object) -> None:
    pass


def _do(results: Connection) -> None:
    def report(value: object) -> None:
        results.send((Kind.REPORT, value))

    try:
        function, reports, args, kwargs = pickle.loads(results.recv_bytes())  # noqa: S301 - ours
        before = (report,) if reports else ()
        results.send((Kind.RESULT, function(*before, *args, **kwargs)))
    except Exception as error:
        results.send((Kind.ERROR, _portable(error)))
    except BaseException as error:
        # Raised where the parent asks for the result, it would pass for the parent's own.
        results.send((Kind.ERROR, WorkerLost(f"a task was ended by {type(error).__name__}")))


def _portable(error: Exception) -> Exception:
    """`error`, or its nearest base class that arrives as it was sent, with the same text."""
    trace = "".join(traceback.format_exception(error))
    for kind in type(error).__mro__:
        with contextlib.suppress(Exception):
            stand_in = error if kind is type(error) else kind(str(error))
            stand_in.add_note(f"In a worker:\n{trace}")
            if str(pickle.loads(pickle.dumps(stand_in))) == str(error):  # noqa: S301 - ours
                return stand_in
    return HostFault(f"a task failed with {type(error).__name__}, which has no text")
