# /// expected
# verdict = "FORFEIT CRASH"
# words = ["broke its stream off"]
# within = 5
# threats = ["B24"]
# ///
"""Gives its call a second, and sleeps over it."""

import time

from tests.hostile import wire

seat = wire.Seat(deadline=1)
seat.next_prompt()
time.sleep(60)
