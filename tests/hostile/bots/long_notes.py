# /// expected
# verdict = "COMPLETED"
# within = 10
# threats = ["B26"]
# faults = {}
# games = 4
# ///
"""Plays well, and sends three notes of 16 kilobytes with each answer, as many as it may."""

from tests.hostile import wire

NOTE = wire.note("x" * 16_000)

seat = wire.Seat()
for prompt in seat.prompts():
    for _ in range(3):
        seat.say(NOTE)
    seat.answer(prompt)
