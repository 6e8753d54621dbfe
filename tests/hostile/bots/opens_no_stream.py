# /// expected
# verdict = "COMPLETED"
# within = 40
# threats = ["B3"]
# faults = {}
# log = ["closed 5 of 5"]
# slow = true
# ///
"""Plays well, and keeps HTTP/2 connections on which it makes no call."""

from tests.hostile import raw, wire

seat = wire.Seat()
first = seat.next_prompt()
lines = [raw.Line() for _ in range(5)]
closed = [raw.seconds_until_closed(line.socket, 20) is not None for line in lines]
wire.log(f"closed {sum(closed)} of {len(closed)}")
seat.answer(first)
seat.play_on()
