# /// expected
# verdict = "COMPLETED"
# within = 30
# threats = ["A4"]
# slow = true
# faults = {}
# ///
"""Plays well, and leaves folders deeper than a recursion goes in both folders that it is given."""

import os
import tempfile

from tests.hostile import wire

seat = wire.Seat()
first = seat.next_prompt()
for place in (tempfile.gettempdir(), os.path.dirname(wire.socket_path())):
    os.chdir(place)
    for _ in range(1_100):
        os.mkdir("d")
        os.chdir("d")
seat.answer(first)
seat.play_on()
