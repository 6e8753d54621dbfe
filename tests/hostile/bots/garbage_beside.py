# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B10"]
# log = ["closed 60 of 60"]
# ///
"""Plays well, and sends chance, HTTP/1.1 and the hello of TLS on other connections."""

import os

from tests.hostile import raw, wire

HELLO = bytes.fromhex("16030100320100002e0303") + bytes(40)
HTTP = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def is_closed(said: bytes) -> bool:
    """Whether the other side ends a connection on which that is said."""
    with raw.connect(timeout=5) as line:
        try:
            line.sendall(said)
            while line.recv(4096):
                pass
        except ConnectionError:
            return True
        except TimeoutError:
            return False
    return True


seat = wire.Seat()
prompts = seat.prompts()
first = next(prompts)
closed = [is_closed(said) for said in (os.urandom(200), HTTP, HELLO) for _ in range(20)]
wire.log(f"closed {sum(closed)} of {len(closed)}")
seat.answer(first)
seat.play_on()
