# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["calls of other methods than Play: 17 made, 16 allowed", "'/x.Y/Z'"]
# within = 6
# threats = ["B20", "B23"]
# ///
"""Calls a service that is not there again and again, instead of answering."""

from tests.hostile import wire

seat = wire.Seat()
seat.next_prompt()
other = wire.channel()
while True:
    wire.status("/x.Y/Z", on=other)
