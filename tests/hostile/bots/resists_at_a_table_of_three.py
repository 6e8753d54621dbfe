# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["surplus messages"]
# within = 12
# threats = ["A1", "A10", "A11"]
# honest = 2
# games = 2
# slow = true
# ///
"""Forfeits at a table of three and does all it can not to leave, while the others play on."""

import os
import signal
import time

from tests.hostile import wire

for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
for _ in range(40):
    if os.fork() == 0:
        os.setsid()
        if os.fork() > 0:
            os._exit(0)
        time.sleep(60)
        os._exit(0)
seat = wire.Seat()
for prompt in seat.prompts():
    for _ in range(100):
        seat.answer(prompt)
time.sleep(60)
