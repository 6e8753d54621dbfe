# /// expected
# verdict = "FORFEIT CRASH"
# words = ["SIGSEGV"]
# within = 20
# threats = ["A17"]
# log = ["50 children have ended with {-11}, and left no core"]
# ///
"""Lets fifty children crash, which would leave core dumps, and crashes itself."""

import ctypes
import glob

from tests.hostile import inside, wire

ends = set()
for _ in range(50):
    child = inside.Beside(lambda: ctypes.string_at(0))
    child.go()
    ends.add(child.ended())
cores = [name for place in ("/bot", "/tmp", "/") for name in glob.glob(f"{place}/core*")]
wire.log(f"50 children have ended with {ends}, and left {cores or 'no core'}")
seat = wire.Seat()
seat.next_prompt()
ctypes.string_at(0)
