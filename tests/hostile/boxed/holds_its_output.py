# /// expected
# verdict = "FORFEIT CRASH"
# words = ["exited with code 3"]
# within = 12
# threats = ["A11", "A20"]
# ///
"""Exits, and leaves a child that holds its output open."""

import os
import time

from tests.hostile import inside, wire


def stay() -> None:
    os.setsid()
    time.sleep(600)


beside = inside.Beside(stay)
seat = wire.Seat()
seat.next_prompt()
beside.go()
os._exit(3)
