# /// expected
# verdict = "COMPLETED"
# within = 9
# threats = ["B27", "A10"]
# ///
"""Plays well, and keeps sending after the end, and does not leave."""

import contextlib
import time

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open()
line.say(stream, wire.join())
for message in line.messages(stream):
    if message.HasField("prompt"):
        line.say(stream, wire.answer(message.prompt.prompt_id, wire.sensible(message.prompt)))
    elif message.HasField("match_over"):
        break
while True:
    with contextlib.suppress(Exception):
        line.say(stream, wire.answer("0" * 32, 0))
    with contextlib.suppress(Exception):
        wire.Seat()
    time.sleep(0.001)
