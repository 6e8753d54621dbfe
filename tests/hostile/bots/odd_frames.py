# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B22"]
# faults = {}
# ///
"""Plays well, with frames of a kind that nobody knows between its own."""

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open()
line.say(stream, wire.join())
for prompt in line.prompts(stream):
    line.socket.sendall(raw.frame(0xFA, 0xFF, stream, b"what is this?"))
    line.say(stream, wire.answer(prompt.prompt_id, wire.sensible(prompt)))
