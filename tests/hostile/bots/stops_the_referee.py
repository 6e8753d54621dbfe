# /// expected
# verdict = "VOID"
# words = ["the referee stood still for", "more than 250 ms"]
# within = 8
# threats = ["C4"]
# ///
"""Stops the referee for half a second: the other seat does not pay for that."""

import os
import signal
import time

from tests.hostile import wire

REFEREE = os.getppid()

seat = wire.Seat()
first = seat.next_prompt()
if os.fork() == 0:
    os.setsid()
    time.sleep(0.6)
    os.kill(REFEREE, signal.SIGCONT)
    os._exit(0)
os.kill(REFEREE, signal.SIGSTOP)
seat.answer(first)
seat.play_on()
