# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["sent 65 surplus messages", "64 are allowed"]
# within = 4
# threats = ["B6", "B26"]
# ///
"""Sends notes without end."""

import contextlib

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open()
line.say(stream, wire.join())
NOTES = b"".join(raw.framed(wire.note("hm")) for _ in range(100))
with contextlib.suppress(Exception):
    while True:
        while line.http.local_flow_control_window(stream) < len(NOTES):
            line.receive()
        line.http.send_data(stream, NOTES)
        line.flush()
