# /// expected
# verdict = "FORFEIT CRASH"
# words = ["broke its stream off"]
# within = 4
# threats = ["B8"]
# megabytes = 16
# ///
"""Sends 60 megabytes packed into 58 kilobytes, without having said that it packs."""

import contextlib
import gzip
import time

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open()
line.say(stream, wire.join())
next(line.prompts(stream))
bomb = raw.framed(gzip.compress(bytes(60_000_000)), compressed=True)
with contextlib.suppress(Exception):
    for start in range(0, len(bomb), 16_000):
        line.http.send_data(stream, bomb[start : start + 16_000])
        line.flush()
time.sleep(60)
