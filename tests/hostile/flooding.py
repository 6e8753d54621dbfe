"""Floods on a second connection while the bot plays as one should on its first.

Whoever floods is busy itself. That it is slow to answer attacks is its own affair, so these cases
have a response window that it does not miss; what it does to others is judged by their think times.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable

from tests.hostile import raw, wire

Frames = Callable[[raw.Line], bytes]


def beside_play(frames: Frames, *, seconds: float = 0.6) -> None:
    """Send what `frames` makes again and again while a game is played; then play it to its end."""
    seat = wire.Seat()
    first = seat.next_prompt()
    flood = threading.Thread(target=_send, args=(frames, seconds))
    flood.start()
    seat.answer(first)
    for prompt in seat.prompts():
        if flood.is_alive():
            time.sleep(0.02)  # the game lasts as long as the flood
        seat.answer(prompt)


def _send(frames: Frames, seconds: float) -> None:
    line = raw.Line()
    threading.Thread(target=_drain, args=(line,), daemon=True).start()
    sent = 0
    begin = time.monotonic()
    how = "to the end"
    try:
        while time.monotonic() < begin + seconds:
            data = frames(line)
            line.socket.sendall(data)
            sent += len(data)
    except OSError as error:
        how = f"until {error.strerror}"
    wire.log(f"sent {sent} bytes in {time.monotonic() - begin:.2f} s {how}")
    line.socket.close()


def _drain(line: raw.Line) -> None:
    with contextlib.suppress(OSError):
        while line.socket.recv(65536):
            pass
