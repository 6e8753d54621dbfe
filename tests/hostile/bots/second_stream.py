# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B16", "B30"]
# faults = {}
# log = ["refused 50 of 50"]
# ///
"""Plays well, and opens 50 more streams on the same connection, though it may have one."""

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open()
line.say(stream, wire.join())
first = next(line.prompts(stream))
line.socket.sendall(b"".join(line.call() for _ in range(50)))
answers = b""
resets: set[int] = set()
while len(resets) < 50:
    more = line.socket.recv(65536)
    assert more, "the referee closed the connection"
    answers += more
    frames, answers = raw.split(answers)
    resets |= {number for kind, number in frames if kind == raw.RST_STREAM}
wire.log(f"refused {len(resets)} of 50")
line.say(stream, wire.answer(first.prompt_id, 0))
line.play_on(stream)
