# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B21"]
# faults = {}
# limits = { response_window = 1 }
# megabytes = 250
# slow = true
# ///
"""Plays well, and sends headers that never end on another connection.

gRPC does not end that, but it keeps no more of them than it has just read.
"""

from tests.hostile import flooding, raw

FIELD = b"\x40\x04x-ab\x7f\x7f" + b"v" * 254  # a literal field of 254 bytes, to be remembered
BEGIN = raw.frame(raw.HEADERS, 0, 1, FIELD)
MORE = raw.frame(raw.CONTINUATION, 0, 1, FIELD * 60) * 16

begun: list[raw.Line] = []


def frames(line: raw.Line) -> bytes:
    if begun:
        return MORE
    begun.append(line)
    return BEGIN


flooding.beside_play(frames)
