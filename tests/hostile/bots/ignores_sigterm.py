# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["A10", "C11"]
# faults = {}
# slow = true
# ///
"""Plays well, and stays after the end, deaf to every request to leave."""

import signal
import time

from tests.hostile import wire

for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
wire.Seat().play_on()
time.sleep(60)
