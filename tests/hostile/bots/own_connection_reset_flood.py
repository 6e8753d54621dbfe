# /// expected
# verdict = "COMPLETED"
# within = 10
# threats = ["B23", "B30"]
# slow = true
# ///
"""Plays well, and opens and resets calls for a second on the connection of its own call."""

import threading
import time

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open()
line.say(stream, wire.join())
first = next(line.prompts(stream))
until = time.monotonic() + 1


def drain() -> None:
    """Take the refusals, and forget them."""
    line.socket.settimeout(0.5)
    try:
        while line.socket.recv(65536):
            pass
    except TimeoutError:
        line.socket.settimeout(10)


taking = threading.Thread(target=drain)
taking.start()
calls = 0
while time.monotonic() < until:
    line.socket.sendall(b"".join(line.call_and_reset() for _ in range(50)))
    calls += 50
taking.join()
wire.log(f"made {calls} calls")
line.say(stream, wire.answer(first.prompt_id, 0))
line.play_on(stream)
