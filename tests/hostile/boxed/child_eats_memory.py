# /// expected
# verdict = "COMPLETED"
# within = 20
# threats = ["A3"]
# faults = {}
# log = ["the child has ended with -9"]
# ///
"""Plays well, while its child takes memory without end."""

from tests.hostile import inside, wire


def eat() -> None:
    taken = []
    while True:
        taken.append(bytearray(b"x" * (8 << 20)))


child = inside.Beside(eat)
seat = wire.Seat()
first = seat.next_prompt()
child.go()
wire.log(f"the child has ended with {child.ended()}")
seat.answer(first)
seat.play_on()
