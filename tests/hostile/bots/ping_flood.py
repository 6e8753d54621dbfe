# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B22"]
# faults = {}
# limits = { response_window = 1 }
# ///
"""Plays well, and sends pings as fast as it can on another connection."""

from tests.hostile import flooding, raw

flooding.beside_play(lambda line: raw.frame(raw.PING, 0, 0, bytes(8)) * 100)
