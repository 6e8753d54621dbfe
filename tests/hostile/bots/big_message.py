# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["20,008 bytes sent, 16,384 allowed"]
# within = 4
# threats = ["B7"]
# ///
"""Sends a message of 20 kilobytes."""

from tests.hostile import wire

seat = wire.Seat()
seat.next_prompt()
seat.say(wire.note("x" * 20_000))
seat.play_on()
