# /// expected
# verdict = "FORFEIT STARTUP"
# words = ["broke its stream off", "before it joined"]
# within = 4
# threats = ["B8"]
# megabytes = 16
# ///
"""Says that it packs its messages, and sends 60 megabytes packed into 58 kilobytes."""

import contextlib
import gzip
import time

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open(raw.play_headers(more=[("grpc-encoding", "gzip")]))
bomb = raw.framed(gzip.compress(bytes(60_000_000)), compressed=True)
with contextlib.suppress(Exception):
    line.say(stream, wire.join())
    for start in range(0, len(bomb), 16_000):
        line.http.send_data(stream, bomb[start : start + 16_000])
        line.flush()
time.sleep(60)
