# /// expected
# verdict = "COMPLETED"
# within = 15
# threats = ["A11"]
# faults = {}
# ///
"""Plays well, and leaves processes: in its session, in their own, orphans, with its output."""

import os
import signal
import time

from tests.hostile import wire


def stay() -> None:
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(600)
    os._exit(0)


def leave(*, session: bool, orphan: bool) -> None:
    if os.fork() == 0:
        if session:
            os.setsid()
        if orphan and os.fork() > 0:
            os._exit(0)
        stay()


for session in (False, True):
    for orphan in (False, True):
        leave(session=session, orphan=orphan)
wire.Seat().play_on()
