# /// expected
# verdict = "FORFEIT TIMEOUT"
# words = ["no answer to prompt", "strike 3 of 3"]
# within = 8
# threats = ["B5", "C1"]
# limits = { turn = 0.2, bank = 0.8 }
# slow = true
# ///
"""Holds back the last byte of each prompt, so that the next cannot be written: that is its time.

What it has of a prompt is enough to answer it. It lets the byte go just before the next prompt
would time out, and answers that one at once, and so on: if the clock of a prompt began when its
bytes go out, this bot could stand still for as long as it likes without paying.
"""

import time

from tests.hostile import raw, wire

STALL = 0.5

line = raw.Line(window=0, acknowledge=False)
stream = line.open()
line.say(stream, wire.join())
line.socket.settimeout(0.05)


def allow(count: int) -> None:
    line.http.increment_flow_control_window(count, stream)
    line.flush()


def receive() -> bool:
    try:
        return bool(line.receive())
    except TimeoutError:
        return True


while True:
    # The head of a message, then all of it but one byte.
    allow(5)
    while len(line.held(stream)) < 5:
        if not receive():
            raise SystemExit
    _, length = raw.LENGTH.unpack(line.held(stream)[:5])
    allow(length - 1)
    while len(line.held(stream)) < 5 + length - 1:
        if not receive():
            raise SystemExit
    body = line.held(stream)[5:]
    # A prompt comes as field 2, in which its id comes first, with 32 digits.
    if body[0] == 0x12:
        name = body[body.index(b"\x0a\x20") + 2 :][:32].decode()
        line.say(stream, wire.answer(name, 0))
        time.sleep(STALL)
    allow(1)
    while len(line.held(stream)) < 5 + length:
        if not receive():
            raise SystemExit
    message = line.next_message(stream)
    if message is not None and message.HasField("match_over"):
        break
