# /// expected
# verdict = "COMPLETED"
# within = 9
# threats = ["A8", "A9"]
# faults = {}
# log = ["bytes ...]"]
# megabytes = 24
# ///
"""Plays well, and prints as fast as it can."""

import os
import threading
import time

from tests.hostile import wire


def flood() -> None:
    piece = b"x" * 65_536
    while True:
        os.write(1, piece)


seat = wire.Seat()
prompts = seat.prompts()
threading.Thread(target=flood, daemon=True).start()
until = time.monotonic() + 0.6
for prompt in prompts:
    if time.monotonic() < until:
        time.sleep(0.02)
    seat.answer(prompt)
os._exit(0)
