# /// expected
# verdict = "COMPLETED"
# within = 20
# threats = ["A1"]
# log = ["then can't start new thread"]
# faults = {}
# ponders = true
# ///
"""Plays well, while a process beside it starts threads until it may not."""

import threading
import time

from tests.hostile import inside, wire


def start(_: int) -> None:
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()


def bomb() -> None:
    wire.log(inside.until_refused(start))
    time.sleep(60)


beside = inside.Beside(bomb)
inside.hold_up(wire.Seat(), 1, beside.go)
