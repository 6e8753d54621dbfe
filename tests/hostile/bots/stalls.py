# /// expected
# verdict = "COMPLETED"
# within = 12
# threats = ["C1", "C2"]
# faults = {}
# limits = { turn = 1, bank = 0, response_window = 1 }
# slow = true
# ///
"""Takes almost all the time it has, for five prompts: that is its right."""

import time

from tests.hostile import wire

seat = wire.Seat()
for number, prompt in enumerate(seat.prompts()):
    if number < 5:
        time.sleep(0.8)
    seat.answer(prompt)
