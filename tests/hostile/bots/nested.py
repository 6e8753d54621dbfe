# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["not a PlayRequest"]
# within = 4
# threats = ["B9"]
# ///
"""Sends 16 kilobytes of groups in groups in groups."""

from tests.hostile import wire

seat = wire.Seat()
seat.next_prompt()
seat.say(b"\x1b" * 16_000)
seat.play_on()
