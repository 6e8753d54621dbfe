# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B24"]
# faults = {}
# ///
"""Plays well, in a call that may take three thousand years."""

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open(raw.play_headers(more=[("grpc-timeout", "99999999H")]))
line.say(stream, wire.join())
line.play_on(stream)
