# /// expected
# verdict = "COMPLETED"
# within = 15
# threats = ["A5"]
# ///
"""Plays well, and fills the folder that its image says is a volume."""

from pathlib import Path

from tests.hostile import inside, wire


def fill(number: int) -> None:
    Path(f"/data/{number}").write_bytes(b"x" * (256 << 10))


wire.log(inside.until_refused(fill, 1000))
wire.Seat().play_on()
