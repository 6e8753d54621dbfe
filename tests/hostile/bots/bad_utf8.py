# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["not a PlayRequest"]
# within = 4
# threats = ["B11"]
# ///
"""Joins with a name that is not UTF-8."""

from tests.hostile import wire

seat = wire.Seat(joins=False)
seat.say(wire.join(name="name").replace(b"name", b"\xff\xfe\xc0\x80"))
seat.play_on()
