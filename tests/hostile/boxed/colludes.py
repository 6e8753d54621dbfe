# /// expected
# verdict = "COMPLETED"
# within = 20
# threats = ["D9", "A22", "A23"]
# faults = {}
# against = "_sends.py"
# limits = { turn = 10 }
# log = ["heard on none of them"]
# never = ["HEARD"]
# ///
"""Listens on every channel on which its partner in the other seat sends."""

from millearena.v1 import views_pb2
from tests.hostile import channels, wire

TURNS = 8

listener = channels.Listener()
seat = wire.Seat()
heard: set[str] = set()
turn = 0
for prompt in seat.prompts():
    if prompt.view.stage == views_pb2.STAGE_PLAY:
        turn += 1
        # On the first one the partner may not have begun, and what is noticed is oneself.
        heard.update(listener.heard() if 1 < turn <= TURNS else ())
        listener.forget()
    if turn == TURNS:
        turn += 1
        wire.log("\n".join(f"HEARD {channel}" for channel in sorted(heard)))
        wire.log(f"heard on {len(heard) or 'none'} of them")
    seat.answer(prompt)
