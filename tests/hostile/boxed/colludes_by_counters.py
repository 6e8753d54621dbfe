# /// expected
# verdict = "COMPLETED"
# within = 60
# threats = ["D9"]
# games = 4
# against = "_holds.py"
# limits = { turn = 10, response_window = 1 }
# log = ["100 bits,", "0 of which tell them"]
# never = ["LEAKS"]
# busy = 10
# ///
"""Reads every counter there is, while its partner holds much or little of everything."""

from millearena.v1 import views_pb2
from tests.hostile import spying, wire

spy = spying.Spy(100)
seat = wire.Seat()
clock = spying.Clock()
turn = 0
for prompt in seat.prompts():
    view = prompt.view
    clock.see(view)
    turn = turn if view.first_event else 0
    for number, event in enumerate(view.events, view.first_event):
        if event.seat != view.seat and (
            event.HasField("card_played") or event.HasField("card_discarded")
        ):
            turn = number
    if view.stage == views_pb2.STAGE_PLAY and turn and not spy.is_sated:
        # `sysinfo(2)` tells how much memory is shared on the whole machine. Without it run-time
        # systems get the size of their heaps wrong, so it stays, and is told of as open.
        spy.add(spying.counters(sysinfo=False), clock.bit(turn))
    seat.answer(prompt)
