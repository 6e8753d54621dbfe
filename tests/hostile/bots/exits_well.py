# /// expected
# verdict = "FORFEIT CRASH"
# words = ["exited with code 0"]
# within = 3
# threats = ["A12"]
# ///
"""Exits at its third prompt, as if all were well."""

import os

from tests.hostile import wire

seat = wire.Seat()
for number, prompt in enumerate(seat.prompts(), 1):
    if number == 3:
        os._exit(0)
    seat.answer(prompt)
