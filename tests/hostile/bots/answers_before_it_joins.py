# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["the first message must be a join"]
# within = 4
# threats = ["B25"]
# ///
"""Answers before it has joined."""

from tests.hostile import wire

seat = wire.Seat(joins=False)
seat.say(wire.answer("0", 0))
seat.play_on()
