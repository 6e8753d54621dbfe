# /// expected
# verdict = "FORFEIT TIMEOUT"
# within = 12
# threats = ["A13"]
# limits = { turn = 0.5, bank = 0.5, max_strikes = 1 }
# ///
"""Stops itself when it is asked."""

import os
import signal

from tests.hostile import wire

seat = wire.Seat()
seat.next_prompt()
os.kill(os.getpid(), signal.SIGSTOP)
