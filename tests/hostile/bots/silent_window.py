# /// expected
# verdict = "COMPLETED"
# within = 12
# threats = ["C11"]
# log = ["the windows went by"]
# ///
"""Plays well, and says nothing in response windows: that is a pass, and no strike."""

from millearena.v1 import views_pb2
from tests.hostile import wire

seat = wire.Seat()
silent = 0
for prompt in seat.prompts():
    if prompt.kind == views_pb2.STAGE_RESPOND:
        silent += 1
    else:
        seat.answer(prompt)
wire.log("the windows went by" if silent else "no window came")
