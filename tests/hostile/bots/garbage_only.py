# /// expected
# verdict = "FORFEIT STARTUP"
# words = ["did not join within 1,500 ms"]
# within = 5
# threats = ["B10"]
# limits = { start_up = 1.5 }
# ///
"""Sends nothing but chance, over and over."""

import contextlib
import os

from tests.hostile import raw

while True:
    with contextlib.suppress(OSError), raw.connect() as line:
        line.sendall(os.urandom(4096))
        line.recv(1)
