# /// expected
# verdict = "FORFEIT CRASH"
# words = ["closed its stream"]
# within = 4
# threats = ["B18"]
# ///
"""Closes its side of the stream when it is asked for the third time, and stays."""

import time

from tests.hostile import wire

seat = wire.Seat()
for number, prompt in enumerate(seat.prompts(), 1):
    if number == 3:
        seat.half_close()
        time.sleep(60)
    seat.answer(prompt)
