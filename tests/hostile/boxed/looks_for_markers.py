# /// expected
# verdict = "COMPLETED"
# within = 60
# threats = ["D17"]
# descriptors = 80
# games = 2
# legs = 2
# log = ["leg begins with no marker", "left 2 markers"]
# never = ["FOUND"]
# ///
"""Leaves markers wherever it can write, and looks for those of the game before."""

import os
from pathlib import Path

from tests.hostile import wire

MARK = "mark-of-mine"


def folders() -> list[Path]:
    skipped = ("/proc", "/sys", "/usr")
    return [Path(place) for place, _, _ in os.walk("/") if not place.startswith(skipped)]


def left(folder: Path) -> bool:
    try:
        (folder / MARK).write_text(MARK)
    except OSError:
        return False
    return True


found = [str(folder) for folder in folders() if (folder / MARK).exists()]
wire.log(f"FOUND {found}" if found else "leg begins with no marker")
wire.log(f"left {sum(map(left, folders()))} markers")
wire.Seat().play_on()
