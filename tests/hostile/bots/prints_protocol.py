# /// expected
# verdict = "FORFEIT STARTUP"
# words = ["did not join within 1,500 ms"]
# within = 5
# threats = ["B1", "B10"]
# limits = { start_up = 1.5 }
# slow = true
# ///
"""Writes what it has to say on standard output, where nobody listens."""

import os
import time

from tests.hostile import raw, wire

os.write(1, raw.framed(wire.join()) + raw.framed(wire.answer("0" * 32, 0)))
time.sleep(60)
