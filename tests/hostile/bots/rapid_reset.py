# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["opened a second stream"]
# within = 5
# threats = ["B23"]
# ///
"""Plays well, and opens and resets calls of `Play` as fast as it can on another connection."""

from tests.hostile import flooding

flooding.beside_play(lambda line: b"".join(line.call_and_reset() for _ in range(100)), seconds=2)
