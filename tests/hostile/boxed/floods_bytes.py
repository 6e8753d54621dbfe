# /// expected
# verdict = "COMPLETED"
# within = 20
# threats = ["A8", "A9"]
# ponders = true
# limits = { response_window = 1 }
# ///
"""Plays well, while a process beside it prints single bytes of a line that never ends."""

import os

from tests.hostile import inside, wire


def flood() -> None:
    piece = b"x"
    while True:
        os.write(1, piece)
        os.write(2, piece)


beside = inside.Beside(flood)
inside.hold_up(wire.Seat(), 2, beside.go)
