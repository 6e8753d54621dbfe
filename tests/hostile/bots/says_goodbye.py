# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B22"]
# faults = {}
# ///
"""Says that it will take no more streams, which none would be opened to it anyway, and plays on."""

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open()
line.say(stream, wire.join())
first = next(line.prompts(stream))
line.socket.sendall(raw.frame(7, 0, 0, bytes(8)))
line.say(stream, wire.answer(first.prompt_id, 0))
line.play_on(stream)
