# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B22"]
# faults = {}
# ///
"""Plays well, and gives the referee windows of terabytes, which HTTP/2 forbids."""

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open()
line.say(stream, wire.join())
first = next(line.prompts(stream))
for number in (0, stream):
    line.socket.sendall(raw.frame(raw.WINDOW_UPDATE, 0, number, b"\x7f\xff\xff\xff") * 1000)
line.say(stream, wire.answer(first.prompt_id, 0))
line.play_on(stream)
