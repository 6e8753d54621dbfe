# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B22"]
# faults = {}
# limits = { response_window = 1 }
# slow = true
# ///
"""Plays well, and sends settings as fast as it can on another connection."""

from tests.hostile import flooding, raw

flooding.beside_play(lambda line: raw.frame(raw.SETTINGS, 0, 0, bytes((0, 4, 0, 1, 0, 0))) * 100)
