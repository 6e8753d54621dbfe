# /// expected
# verdict = "FORFEIT TIMEOUT"
# words = ["no answer to prompt", "300 ms"]
# within = 5
# threats = ["B4"]
# limits = { turn = 0.3, bank = 0 }
# ///
"""Joins, and lets the referee send nothing at all."""

import time

from tests.hostile import raw, wire

line = raw.Line(window=0)
stream = line.open()
line.say(stream, wire.join())
time.sleep(60)
