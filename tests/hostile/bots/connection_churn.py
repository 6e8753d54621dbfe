# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["A7", "B2"]
# faults = {}
# slow = true
# ///
"""Plays well, and opens and closes connections for a second as fast as it can."""

import contextlib
import threading
import time

from tests.hostile import raw, wire


def churn() -> None:
    until = time.monotonic() + 0.6
    count = 0
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            raw.connect().close()
            count += 1
    wire.log(f"made {count} connections")


seat = wire.Seat()
first = seat.next_prompt()
busy = threading.Thread(target=churn)
busy.start()
seat.answer(first)
for prompt in seat.prompts():
    if busy.is_alive():
        time.sleep(0.02)
    seat.answer(prompt)
