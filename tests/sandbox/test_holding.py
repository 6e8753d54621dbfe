"""Interruptions wait until what has been started is known."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from arena.sandbox.holding import interruptions_wait

PRINTS_HANDLERS = """
import signal
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    print(signal.getsignal(number) is signal.SIG_IGN, signal.pthread_sigmask(signal.SIG_BLOCK, ()))
"""


def _interrupt_myself(reached: list[int], *, times: int = 1) -> None:
    with interruptions_wait():
        for time in range(times):
            os.kill(os.getpid(), signal.SIGINT)
            reached.append(time + 1)


def test_interruption_is_felt_at_the_end() -> None:
    reached: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        _interrupt_myself(reached)
    assert reached == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_two_interruptions_raise_once() -> None:
    reached: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        _interrupt_myself(reached, times=2)
    assert reached == [1, 2]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_own_exception_passes_and_handlers_are_put_back() -> None:
    with pytest.raises(OSError, match="no such program"), interruptions_wait():
        raise OSError("no such program")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ignored_signals_stay_ignored_and_a_child_inherits_nothing_else() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptions_wait():
            told = subprocess.run(
                [sys.executable, "-c", PRINTS_HANDLERS],
                stdout=subprocess.PIPE,
                check=True,
                text=True,
            )
    finally:
        signal.signal(signal.SIGHUP, before)
    assert told.stdout.splitlines() == ["False set()", "False set()", "True set()"]


def test_other_threads_are_left_alone() -> None:
    passed = threading.Event()

    def enter() -> None:
        with interruptions_wait():
            passed.set()

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert passed.is_set()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
