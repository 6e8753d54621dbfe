# /// expected
# verdict = "FORFEIT STARTUP"
# within = 4
# words = ["before it joined"]
# threats = ["B24"]
# ///
"""Gives its call a millisecond, and does not join in it."""

from tests.hostile import wire

wire.Seat(deadline=0.001, joins=False).play_on()
