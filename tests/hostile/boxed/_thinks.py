"""The other seat: thinks for a fifth of a second on each of its turns."""

import time

from millearena.v1 import views_pb2
from tests.hostile import wire

seat = wire.Seat()
for prompt in seat.prompts():
    if prompt.view.stage == views_pb2.STAGE_PLAY:
        time.sleep(0.2)
    seat.answer(prompt)
