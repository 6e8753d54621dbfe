# /// expected
# verdict = "FORFEIT CRASH"
# words = ["exited with code 0"]
# within = 12
# threats = ["A12"]
# ///
"""Ends well when it is asked for the first time."""

import os

from tests.hostile import wire

seat = wire.Seat()
seat.next_prompt()
os._exit(0)
