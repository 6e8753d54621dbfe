# /// expected
# verdict = "COMPLETED"
# within = 10
# threats = ["A11"]
# faults = {}
# legs = 2
# ///
"""Plays well, and puts a folder in the place of its socket, which the next leg needs."""

import os

from tests.hostile import wire

seat = wire.Seat()
first = seat.next_prompt()
os.unlink(wire.socket_path())
os.mkdir(wire.socket_path())
seat.answer(first)
seat.play_on()
