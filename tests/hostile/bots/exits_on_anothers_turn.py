# /// expected
# verdict = "FORFEIT CRASH"
# words = ["exited with code 7"]
# within = 3
# threats = ["A12"]
# ///
"""Exits while the other seat thinks."""

import os

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open()
line.say(stream, wire.join())
for number, prompt in enumerate(line.prompts(stream), 1):
    line.say(stream, wire.answer(prompt.prompt_id, 0))
    if number == 3:
        os._exit(7)
