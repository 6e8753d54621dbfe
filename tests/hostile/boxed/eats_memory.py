# /// expected
# verdict = "FORFEIT RESOURCE"
# words = ["killed for memory", "more than 512 MiB"]
# within = 20
# threats = ["A2", "A16"]
# ///
"""Takes memory without end."""

from tests.hostile import wire

seat = wire.Seat()
seat.next_prompt()
taken = []
while True:
    taken.append(bytearray(b"x" * (8 << 20)))
