# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B9"]
# faults = {}
# ///
"""Plays well, with 16 kilobytes of fields in each answer that nobody knows yet."""

from tests.hostile import wire

UNKNOWN = b"\xf8\x07\x01" * 5_000  # field 127, a number

seat = wire.Seat()
for prompt in seat.prompts():
    seat.say(wire.answer(prompt.prompt_id, wire.sensible(prompt)) + UNKNOWN)
