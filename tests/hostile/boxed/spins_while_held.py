# /// expected
# verdict = "COMPLETED"
# within = 25
# threats = ["A14"]
# games = 2
# ponders = false
# limits = { response_window = 1 }
# ///
"""Plays well, and keeps four processes busy all the time; it is held still on another's turn."""

from tests.hostile import inside, wire


def spin() -> None:
    while True:
        pass


beside = [inside.Beside(spin) for _ in range(4)]
inside.hold_up(wire.Seat(), 1, *[one.go for one in beside])
