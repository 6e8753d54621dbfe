# /// expected
# verdict = "FORFEIT CRASH"
# words = ["its stream"]
# within = 4
# threats = ["B22"]
# ///
"""Pads its frames, which HTTP/2 allows and gRPC's own library does not take."""

import time

from tests.hostile import raw, wire

PADDED = 8

line = raw.Line()
stream = line.open()
line.say(stream, wire.join())
prompt = next(line.prompts(stream))
said = raw.framed(wire.answer(prompt.prompt_id, 0))
line.socket.sendall(raw.frame(raw.DATA, PADDED, stream, bytes((20,)) + said + bytes(20)))
time.sleep(60)
