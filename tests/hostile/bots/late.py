# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B12"]
# faults = { timed_out = 1, late = 1 }
# limits = { turn = 0.4, bank = 0 }
# ///
"""Answers its third prompt after the default action has been played for it."""

import time

from tests.hostile import wire

seat = wire.Seat()
for number, prompt in enumerate(seat.prompts(), 1):
    if number == 3:
        time.sleep(0.5)
    seat.answer(prompt)
