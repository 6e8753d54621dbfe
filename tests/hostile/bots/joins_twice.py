# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["a second join"]
# within = 4
# threats = ["B25"]
# ///
"""Joins twice."""

from tests.hostile import wire

seat = wire.Seat()
seat.next_prompt()
seat.say(wire.join())
seat.play_on()
