# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B22"]
# faults = {}
# limits = { response_window = 1 }
# slow = true
# ///
"""Plays well, and sends priorities as fast as it can on another connection."""

from tests.hostile import flooding, raw

flooding.beside_play(lambda line: raw.frame(raw.PRIORITY, 0, 1, bytes(5)) * 100)
