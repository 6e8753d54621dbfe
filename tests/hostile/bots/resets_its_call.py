# /// expected
# verdict = "FORFEIT CRASH"
# words = ["broke its stream off"]
# within = 4
# threats = ["B17"]
# ///
"""Takes its call back when it is asked for the third time, and stays connected."""

import time

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open()
line.say(stream, wire.join())
for number, prompt in enumerate(line.prompts(stream), 1):
    if number == 3:
        break
    line.say(stream, wire.answer(prompt.prompt_id, 0))
line.socket.sendall(raw.frame(raw.RST_STREAM, 0, stream, b"\0\0\0\x08"))
time.sleep(60)
