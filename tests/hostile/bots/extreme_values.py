# /// expected
# verdict = "FORFEIT ILLEGAL"
# words = ["legal_index -2147483648", "strike 3 of 3"]
# within = 5
# threats = ["B25"]
# faults = { illegal = 3, forfeited = 1 }
# ///
"""Answers with places that are far out of the list."""

from tests.hostile import wire

seat = wire.Seat()
for prompt, index in zip(seat.prompts(), (2**31 - 1, -1, -(2**31)), strict=False):
    seat.answer(prompt, index)
seat.play_on()
