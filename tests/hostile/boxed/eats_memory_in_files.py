# /// expected
# verdict = "FORFEIT RESOURCE"
# words = ["killed for memory", "more than 512 MiB"]
# within = 20
# threats = ["A2", "A4"]
# ///
"""Takes memory without end as files that have no name."""

import os

from tests.hostile import wire

seat = wire.Seat()
seat.next_prompt()
while True:
    file = os.memfd_create("more")
    for _ in range(32):
        os.write(file, b"x" * (1 << 20))
