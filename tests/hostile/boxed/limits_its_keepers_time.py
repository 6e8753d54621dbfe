# /// expected
# verdict = "COMPLETED"
# within = 20
# threats = ["A20", "F10"]
# faults = {}
# never = ["has a limit now"]
# ///
"""Plays well, and would give the process that keeps it no processor time."""

import contextlib
import resource

from tests.hostile import wire

seat = wire.Seat()
first = seat.next_prompt()
with contextlib.suppress(OSError):
    resource.prlimit(1, resource.RLIMIT_CPU, (0, 0))
    wire.log("its keeper has a limit now")
seat.answer(first)
seat.play_on()
