# /// expected
# verdict = "COMPLETED"
# within = 6
# threats = ["A6"]
# faults = {}
# log = ["no more than 256"]
# ///
"""Plays well, with all the files open that it can open."""

import contextlib
import os

from tests.hostile import wire

seat = wire.Seat()
first = seat.next_prompt()
last = 0
with contextlib.suppress(OSError):
    while last < 10_000:
        last = os.open("/dev/null", os.O_RDONLY)
wire.log(f"no more than {last + 1}")
seat.answer(first)
seat.play_on()
