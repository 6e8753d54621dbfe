# /// expected
# verdict = "COMPLETED"
# within = 10
# threats = ["A11"]
# faults = {}
# legs = 2
# ///
"""Plays well, and removes the folder of all the sockets, once everybody has taken a seat."""

import os
import shutil

from tests.hostile import wire

seat = wire.Seat()
first = seat.next_prompt()
shutil.rmtree(os.path.dirname(wire.socket_path()))
seat.answer(first)
seat.play_on()
