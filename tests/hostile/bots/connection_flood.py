# /// expected
# verdict = "COMPLETED"
# within = 12
# threats = ["A7", "B30"]
# faults = {}
# descriptors = 60
# log = ["more than 1000 connections"]
# ///
"""Plays well, while children of it hold as many connections as they can, over a thousand."""

import contextlib
import os
import socket
import time

from tests.hostile import raw, wire


def hoard() -> None:
    """Open connections until no more can be, and keep them."""
    lines: list[socket.socket] = []
    with contextlib.suppress(OSError):
        while len(lines) < 240:
            lines.append(raw.connect())
    os.write(out, b"%d " % len(lines))
    time.sleep(60)


seat = wire.Seat()
first = seat.next_prompt()
into, out = os.pipe()
for _ in range(6):
    if os.fork() == 0:
        hoard()
        os._exit(0)
counts: list[int] = []
while len(counts) < 6:
    counts += map(int, os.read(into, 100).split())
wire.log(f"{'more' if sum(counts) > 1000 else 'not more'} than 1000 connections")
seat.answer(first)
seat.play_on()
