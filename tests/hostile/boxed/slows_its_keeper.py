# /// expected
# verdict = "FORFEIT CRASH"
# words = ["exited with code 5"]
# within = 20
# threats = ["A20", "F10"]
# ponders = true
# ///
"""Makes its keeper the last to be served by the processor, keeps that busy, and exits."""

import contextlib
import os

from tests.hostile import inside, wire


def spin() -> None:
    while True:
        pass


beside = [inside.Beside(spin) for _ in range(32)]
seat = wire.Seat()
seat.next_prompt()
with contextlib.suppress(OSError):
    os.setpriority(os.PRIO_PROCESS, 1, 19)
with contextlib.suppress(OSError):
    os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0))
for one in beside:
    one.go()
os._exit(5)
