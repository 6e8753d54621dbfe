# /// expected
# verdict = "FORFEIT STARTUP"
# words = ["before it joined"]
# within = 4
# threats = ["B19"]
# port = true
# ///
"""Comes to its own seat without its token."""

from tests.hostile import wire

wire.Seat(metadata=[]).play_on()
