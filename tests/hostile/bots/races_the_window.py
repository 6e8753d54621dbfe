# /// expected
# verdict = "COMPLETED"
# within = 15
# threats = ["C8"]
# games = 3
# slow = true
# ///
"""Plays well, and answers response windows when they close, a bit before or a bit after."""

import time

from millearena.v1 import views_pb2
from tests.hostile import wire

seat = wire.Seat()
windows = 0
for prompt in seat.prompts():
    if prompt.kind == views_pb2.STAGE_RESPOND:
        windows += 1
        time.sleep(0.1 + (windows % 5 - 3) * 0.001)
    seat.answer(prompt)
