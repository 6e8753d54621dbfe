# /// expected
# verdict = "FORFEIT CRASH"
# words = ["exited with code 3"]
# within = 8
# threats = ["A12"]
# honest = 2
# ///
"""Leaves a table of three at its third prompt: the others play on to the end."""

import os

from tests.hostile import wire

seat = wire.Seat()
for number, prompt in enumerate(seat.prompts(), 1):
    if number == 3:
        os._exit(3)
    seat.answer(prompt)
