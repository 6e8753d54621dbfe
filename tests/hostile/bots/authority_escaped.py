# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B29"]
# faults = {}
# ///
"""Plays well, with an authority as some gRPC libraries make it: escaped."""

from urllib.parse import quote

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open(raw.play_headers(authority=quote(wire.socket_path(), safe="")))
line.say(stream, wire.join())
line.play_on(stream)
