# /// expected
# verdict = "FORFEIT TIMEOUT"
# words = ["no answer"]
# within = 20
# threats = ["A1"]
# log = ["then EAGAIN"]
# limits = { turn = 0.5, bank = 0.5, max_strikes = 1 }
# ponders = true
# ///
"""Forks without end when it is first asked; all its children do the same."""

import os

from tests.hostile import inside, wire


def fork(_: int) -> None:
    os.fork()


def bomb() -> None:
    wire.log(inside.until_refused(fork))
    while True:
        inside.until_refused(fork)


beside = inside.Beside(bomb)
seat = wire.Seat()
seat.next_prompt()
beside.go()
beside.ended()
