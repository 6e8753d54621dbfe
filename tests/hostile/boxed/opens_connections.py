# /// expected
# verdict = "COMPLETED"
# within = 30
# threats = ["A7"]
# faults = {}
# log = ["then EMFILE"]
# descriptors = 80
# ///
"""Plays well, and opens all the connections to its referee that it can."""

import socket

from tests.hostile import inside, wire

kept: list[socket.socket] = []


def connected(_: int) -> None:
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(0.2)
    kept.append(line)
    line.connect(wire.socket_path())


seat = wire.Seat()
first = seat.next_prompt()
wire.log(inside.until_refused(connected))
for line in kept[-16:]:
    line.close()
seat.answer(first)
seat.play_on()
