# /// expected
# verdict = "FORFEIT STARTUP"
# words = ["did not join within 1,500 ms"]
# within = 5
# threats = ["B2"]
# limits = { start_up = 1.5 }
# slow = true
# ///
"""Connects and says nothing."""

import time

from tests.hostile import raw

line = raw.connect()
time.sleep(60)
