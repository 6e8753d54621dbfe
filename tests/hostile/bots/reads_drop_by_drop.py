# /// expected
# verdict = "FORFEIT TIMEOUT"
# words = ["no answer to prompt"]
# within = 5
# threats = ["B5"]
# limits = { turn = 0.3, bank = 0 }
# ///
"""Lets the referee send one byte at a time, one each 10 ms."""

import time

from tests.hostile import raw, wire

line = raw.Line(window=0)
stream = line.open()
line.say(stream, wire.join())
while True:
    line.http.increment_flow_control_window(1, stream)
    line.flush()
    time.sleep(0.01)
