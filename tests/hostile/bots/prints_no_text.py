# /// expected
# verdict = "COMPLETED"
# within = 6
# threats = ["B11"]
# faults = {}
# log = ["\ufffd"]
# ///
"""Plays well, and prints bytes that are no text."""

import os

from tests.hostile import wire

os.write(1, bytes(range(256)))
os.write(2, b"\xff\xfe\xc3(\xed\xa0\x80")
wire.Seat().play_on()
