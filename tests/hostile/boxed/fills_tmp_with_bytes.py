# /// expected
# verdict = "COMPLETED"
# within = 20
# threats = ["A4"]
# faults = {}
# log = ["64 MiB, then ENOSPC"]
# ///
"""Plays well, and fills its folder for temporary files with bytes."""

from pathlib import Path

from tests.hostile import inside, wire


def fill(number: int) -> None:
    Path(f"/tmp/{number}").write_bytes(b"x" * (1 << 20))


seat = wire.Seat()
first = seat.next_prompt()
wire.log(inside.until_refused(fill).replace(",", " MiB,"))
seat.answer(first)
seat.play_on()
