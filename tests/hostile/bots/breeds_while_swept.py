# /// expected
# verdict = "COMPLETED"
# within = 10
# threats = ["A1", "A11"]
# faults = {}
# slow = true
# ///
"""Plays well, and leaves children that breed for 3 s, each in a session of its own."""

import os
import signal
import time

from tests.hostile import wire

END = time.monotonic() + 3


def breed() -> None:
    """Be a line of processes, each of which only lives to start the next one."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while time.monotonic() < END:
        if os.fork() > 0:
            time.sleep(0.02)
            os._exit(0)
        os.setsid()
    os._exit(0)


for _ in range(8):
    if os.fork() == 0:
        os.setsid()
        breed()
wire.Seat().play_on()
