# /// expected
# verdict = "COMPLETED"
# within = 20
# threats = ["A1", "A11"]
# ponders = true
# limits = { response_window = 1 }
# ///
"""Plays well, while lines of processes breed beside it, each in a session of its own."""

import os
import signal
import time

from tests.hostile import inside, wire


def breed() -> None:
    """Be a line of processes, each of which only lives to start the next one."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        if os.fork() > 0:
            time.sleep(0.01)
            os._exit(0)
        os.setsid()


beside = [inside.Beside(breed) for _ in range(8)]
inside.hold_up(wire.Seat(), 1.5, *[one.go for one in beside])
