# /// expected
# verdict = "COMPLETED"
# within = 30
# threats = ["B2"]
# faults = {}
# log = ["closed 5 of 5"]
# slow = true
# ///
"""Plays well, and keeps connections on which it says nothing."""

from tests.hostile import raw, wire

seat = wire.Seat()
first = seat.next_prompt()
lines = [raw.connect() for _ in range(5)]
closed = [raw.seconds_until_closed(line, 15) is not None for line in lines]
wire.log(f"closed {sum(closed)} of {len(closed)}")
seat.answer(first)
seat.play_on()
