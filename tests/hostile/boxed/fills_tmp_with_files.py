# /// expected
# verdict = "COMPLETED"
# within = 20
# threats = ["A4"]
# faults = {}
# log = ["4095, then ENOSPC"]
# ///
"""Plays well, and fills its folder for temporary files with empty ones."""

from pathlib import Path

from tests.hostile import inside, wire


def fill(number: int) -> None:
    Path(f"/tmp/{number}").touch()


seat = wire.Seat()
first = seat.next_prompt()
wire.log(inside.until_refused(fill))
seat.answer(first)
seat.play_on()
