# /// expected
# verdict = "COMPLETED"
# within = 12
# threats = ["C1", "C2"]
# faults = {}
# limits = { turn = 0.5, bank = 0, response_window = 0.5 }
# slow = true
# ///
"""Takes almost all the time it has, for ten prompts: that is its right."""

import time

from tests.hostile import wire

seat = wire.Seat()
for number, prompt in enumerate(seat.prompts()):
    if number < 10:
        time.sleep(0.4)
    seat.answer(prompt)
