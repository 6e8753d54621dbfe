# /// expected
# verdict = "FORFEIT PROTOCOL"
# words = ["sent 65 surplus messages", "unsolicited"]
# within = 8
# threats = ["B14"]
# games = 8
# ///
"""Plays well, and answers prompts that it was not sent, by names that it makes up."""

import secrets

from tests.hostile import wire

seat = wire.Seat()
for number, prompt in enumerate(seat.prompts()):
    seat.answer(prompt)
    name = (str(number), secrets.token_hex(16), f"{int(prompt.prompt_id, 16) + 1:032x}")[number % 3]
    seat.say(wire.answer(name, 0))
