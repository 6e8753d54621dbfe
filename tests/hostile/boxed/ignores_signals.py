# /// expected
# verdict = "COMPLETED"
# within = 15
# threats = ["A10"]
# faults = {}
# ///
"""Plays well, ignores every signal that it may, and does not end."""

import contextlib
import signal
import time

from tests.hostile import wire

for number in signal.valid_signals():
    with contextlib.suppress(OSError, ValueError):
        signal.signal(number, signal.SIG_IGN)
seat = wire.Seat()
seat.play_on()
while True:
    time.sleep(60)
