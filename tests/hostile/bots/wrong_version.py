# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["protocol version 2 asked for, version 1 is spoken here"]
# within = 4
# threats = ["B25"]
# ///
"""Joins in version 2 of the protocol."""

from tests.hostile import wire

seat = wire.Seat(joins=False)
seat.say(wire.join(2))
seat.play_on()
