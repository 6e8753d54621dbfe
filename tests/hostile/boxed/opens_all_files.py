# /// expected
# verdict = "COMPLETED"
# within = 20
# threats = ["A6"]
# faults = {}
# log = ["then EMFILE"]
# ///
"""Plays well, with as many files open as it may."""

import os

from tests.hostile import inside, wire


def opened(_: int) -> None:
    os.open("/dev/null", os.O_RDONLY)


seat = wire.Seat()
first = seat.next_prompt()
wire.log(inside.until_refused(opened))
seat.answer(first)
seat.play_on()
