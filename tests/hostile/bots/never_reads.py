# /// expected
# verdict = "FORFEIT TIMEOUT"
# words = ["no answer to prompt"]
# within = 5
# threats = ["B5"]
# limits = { turn = 0.3, bank = 0 }
# ///
"""Joins with a window as clients have it, and reads nothing."""

import time

from tests.hostile import raw, wire

line = raw.Line(acknowledge=False)
line.say(line.open(), wire.join())
time.sleep(60)
