# /// expected
# verdict = "COMPLETED"
# within = 12
# threats = ["A20"]
# faults = {}
# ///
"""Plays well, without its input and outputs."""

import os

from tests.hostile import wire

for number in range(3):
    os.close(number)
wire.Seat().play_on()
