# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["sent 65 surplus messages", "64 are allowed"]
# within = 4
# threats = ["B6", "B15"]
# ///
"""Answers each prompt ten times."""

from tests.hostile import wire

seat = wire.Seat()
for prompt in seat.prompts():
    for _ in range(10):
        seat.answer(prompt)
