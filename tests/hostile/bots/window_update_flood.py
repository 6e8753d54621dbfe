# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B22"]
# faults = {}
# limits = { response_window = 1 }
# slow = true
# megabytes = 48
# ///
"""Plays well, and sends window updates of a byte as fast as it can on another connection.

How far the memory of the referee rises meanwhile depends on the scheduler: 8 to 24 MB were seen.
"""

from tests.hostile import flooding, raw

flooding.beside_play(lambda line: raw.frame(raw.WINDOW_UPDATE, 0, 0, bytes((0, 0, 0, 1))) * 100)
