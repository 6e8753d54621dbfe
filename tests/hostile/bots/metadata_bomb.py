# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B21"]
# faults = {}
# log = ["RESOURCE_EXHAUSTED 5 of 5"]
# megabytes = 16
# slow = true
# ///
"""Plays well, and makes calls with 17 kilobytes of metadata."""

import grpc

from tests.hostile import wire

BOMB = [("x-bomb", "x" * 17_000)]

seat = wire.Seat()
first = seat.next_prompt()
other = wire.channel()
ends = [wire.status("/x.Y/Z", metadata=BOMB, on=other) for _ in range(5)]
wire.log(f"RESOURCE_EXHAUSTED {ends.count(grpc.StatusCode.RESOURCE_EXHAUSTED)} of 5")
seat.answer(first)
seat.play_on()
