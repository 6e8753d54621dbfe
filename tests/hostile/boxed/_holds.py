"""The partner: from turn to turn holds much of everything, or not, by the bits that both know."""

import contextlib

from millearena.v1 import views_pb2
from tests.hostile import channels, spying, wire

seat = wire.Seat()
clock = spying.Clock()
with contextlib.ExitStack() as holding:
    for prompt in seat.prompts():
        clock.see(prompt.view)
        if prompt.view.stage == views_pb2.STAGE_PLAY:
            holding.close()
            if clock.bit(prompt.view.event_count):
                holding.enter_context(channels.hold())
        seat.answer(prompt)
