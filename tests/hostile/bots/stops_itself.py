# /// expected
# verdict = "FORFEIT TIMEOUT"
# words = ["no answer to prompt", "strike 3 of 3"]
# within = 5
# threats = ["A13"]
# limits = { turn = 0.3, bank = 0 }
# ///
"""Stops itself, and would go on some other day."""

import os
import signal

from tests.hostile import wire

seat = wire.Seat()
seat.next_prompt()
os.kill(os.getpid(), signal.SIGSTOP)
