# /// expected
# verdict = "COMPLETED"
# within = 30
# threats = ["B2"]
# faults = {}
# log = ["closed 5 of 5"]
# slow = true
# ///
"""Plays well, and says hello on other connections, one byte a second."""

import socket
import time

from tests.hostile import raw, wire

HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

seat = wire.Seat()
first = seat.next_prompt()
lines = [raw.connect() for _ in range(5)]
closed: set[socket.socket] = set()
for place in range(15):
    for line in set(lines) - closed:
        try:
            line.send(HELLO[place : place + 1])
        except OSError:
            closed.add(line)
    if len(closed) == len(lines):
        break
    time.sleep(1)
wire.log(f"closed {len(closed)} of {len(lines)}")
seat.answer(first)
seat.play_on()
