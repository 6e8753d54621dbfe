# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B20"]
# faults = {}
# errors = 4096
# ///
"""Plays well, and calls methods whose names are no text.

The last one ends the loop in which gRPC's Python server accepts calls, with a traceback: the bot
has shut its own door from inside, and sits in its seat all the same.
"""

from tests.hostile import raw, wire

PATHS = (b"", b"*", b"//////", b"/" + bytes(100), b"/\xff\xfe/\xc0")

seat = wire.Seat()
first = seat.next_prompt()
for path in PATHS:
    other = raw.Line()
    other.socket.sendall(other.call(path, ends=True))
    other.socket.recv(65536)
    other.socket.close()
seat.answer(first)
seat.play_on()
