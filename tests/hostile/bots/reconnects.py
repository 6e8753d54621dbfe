# /// expected
# verdict = "FORFEIT CRASH"
# words = ["broke its stream off"]
# within = 4
# threats = ["B17"]
# ///
"""Leaves when it is asked for the third time, and comes back."""

import time

from tests.hostile import wire

seat = wire.Seat()
for number, prompt in enumerate(seat.prompts(), 1):
    if number == 3:
        break
    seat.answer(prompt)
seat.channel.close()
wire.Seat().play_on()
time.sleep(60)
