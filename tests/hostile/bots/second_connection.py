# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["opened a second stream"]
# within = 4
# threats = ["B16"]
# ///
"""Takes its seat a second time, on another connection."""

from tests.hostile import wire

seat = wire.Seat()
seat.next_prompt()
other = wire.Seat()
other.play_on()
