# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["A20"]
# faults = {}
# log = ["killed"]
# ///
"""Plays well, leaves a child, and kills whoever is there to clean up should the referee die."""

import contextlib
import os
import signal
import time
from pathlib import Path

from tests.hostile import wire

if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)
    os._exit(0)
seat = wire.Seat()
first = seat.next_prompt()
for folder in Path("/proc").glob("[0-9]*"):
    with contextlib.suppress(OSError):
        parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        is_guard = b"sandbox/guard.py" in (folder / "cmdline").read_bytes()
        if int(parent) == os.getppid() and is_guard:
            os.kill(int(folder.name), signal.SIGKILL)
            wire.log("killed")
seat.answer(first)
seat.play_on()
