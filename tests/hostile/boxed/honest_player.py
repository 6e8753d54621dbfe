# /// expected
# verdict = "COMPLETED"
# within = 15
# threats = ["C2"]
# faults = {}
# games = 4
# ///
"""Plays as one should: the quiet baseline that the others are measured against."""

from tests.hostile import wire

wire.Seat().play_on()
