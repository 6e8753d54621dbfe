# /// expected
# verdict = "FORFEIT CRASH"
# words = ["was killed by SIGABRT"]
# within = 3
# threats = ["A17"]
# log = ["core 0 0"]
# ///
"""Aborts, which would leave a core dump."""

import os
import resource

from tests.hostile import wire

seat = wire.Seat()
seat.next_prompt()
wire.log("core {} {}".format(*resource.getrlimit(resource.RLIMIT_CORE)))
os.abort()
