# /// expected
# verdict = "FORFEIT CRASH"
# words = ["was killed by SIGKILL"]
# within = 30
# threats = ["A20", "F10"]
# ///
"""Gives the process that keeps it a second of processor time, and has it work for longer."""

import contextlib
import os
import resource

from tests.hostile import wire

seat = wire.Seat()
seat.next_prompt()
with contextlib.suppress(OSError):
    resource.prlimit(1, resource.RLIMIT_CPU, (0, 0))
    wire.log("its keeper has a limit now")
while True:
    os.write(1, b"x" * 65536)
