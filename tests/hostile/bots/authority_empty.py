# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B29"]
# faults = {}
# ///
"""Plays well, with an authority as some gRPC libraries make it: empty."""

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open(raw.play_headers(authority=""))
line.say(stream, wire.join())
line.play_on(stream)
