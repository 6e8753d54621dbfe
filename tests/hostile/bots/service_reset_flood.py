# /// expected
# verdict = "COMPLETED"
# within = 8
# faults = {}
# limits = { response_window = 1 }
# threats = ["B20", "B23"]
# slow = true
# ///
"""Plays well, and begins and takes back calls of a service that is not there, all the time."""

from tests.hostile import flooding

flooding.beside_play(
    lambda line: b"".join(line.call_and_reset("/x.Y/Z") for _ in range(100)), seconds=2
)
