# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["sent 65 surplus messages", "doubled"]
# within = 8
# threats = ["B13"]
# games = 8
# ///
"""Answers every prompt, and the one before it once more."""

from tests.hostile import wire

seat = wire.Seat()
before = None
for prompt in seat.prompts():
    if before is not None:
        seat.answer(before)
    seat.answer(prompt)
    before = prompt
