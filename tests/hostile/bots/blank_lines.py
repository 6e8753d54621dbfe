# /// expected
# verdict = "COMPLETED"
# within = 9
# threats = ["A8"]
# faults = {}
# megabytes = 24
# slow = true
# ///
"""Plays well, and prints blank lines, one at a time, on both outputs."""

import os
import threading
import time

from tests.hostile import wire


def flood() -> None:
    while True:
        os.write(1, b"\n")
        os.write(2, b"\n")


seat = wire.Seat()
prompts = seat.prompts()
threading.Thread(target=flood, daemon=True).start()
until = time.monotonic() + 0.6
for prompt in prompts:
    if time.monotonic() < until:
        time.sleep(0.02)
    seat.answer(prompt)
os._exit(0)
