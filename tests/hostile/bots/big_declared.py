# /// expected
# verdict = "FORFEIT CRASH"
# words = ["broke its stream off, or sent a message over 1,048,576 bytes"]
# within = 4
# threats = ["B7"]
# megabytes = 16
# ///
"""Declares a message of a gigabyte, and begins to send it."""

import contextlib
import time

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open()
line.say(stream, wire.join())
next(line.prompts(stream))
with contextlib.suppress(Exception):
    line.http.send_data(stream, raw.LENGTH.pack(0, 1 << 30) + bytes(16_000))
    line.flush()
time.sleep(60)
