# /// expected
# verdict = "FORFEIT CRASH"
# words = ["exited with code 0"]
# within = 12
# threats = ["A12"]
# ponders = true
# against = "_thinks.py"
# ///
"""Ends well while another seat thinks."""

import os
import time

from tests.hostile import wire

seat = wire.Seat()
prompts = seat.prompts()
for _ in range(3):
    seat.answer(next(prompts), 0)
time.sleep(0.1)
os._exit(0)
