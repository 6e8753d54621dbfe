# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["C9", "C12"]
# faults = {}
# limits = { start_up = 10, turn = 0.5, bank = 0 }
# ///
"""Takes a second to start: the other seat's clock does not run meanwhile."""

import time

time.sleep(1)

from tests.hostile import wire  # noqa: E402 - that is the point

wire.Seat().play_on()
