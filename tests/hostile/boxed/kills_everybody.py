# /// expected
# verdict = "COMPLETED"
# within = 15
# threats = ["A20"]
# faults = {}
# ///
"""Plays well, and kills everybody whom it can reach but itself, again and again."""

import contextlib
import os
import signal

from tests.hostile import wire

seat = wire.Seat()
for prompt in seat.prompts():
    for number in (signal.SIGSTOP, signal.SIGKILL):
        with contextlib.suppress(OSError):
            os.kill(-1, number)
        with contextlib.suppress(OSError):
            os.kill(1, number)
    seat.answer(prompt)
