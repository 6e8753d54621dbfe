# /// expected
# verdict = "COMPLETED"
# within = 25
# threats = ["A15"]
# ponders = true
# limits = { response_window = 1 }
# log = ["16 MiB read"]
# never = ["thrown away"]
# ///
"""Plays well, while a process beside it reads all files there are, if it can past every cache."""

import contextlib
import os

from tests.hostile import inside, wire


def read_all() -> None:
    total = 0
    while True:
        for folder in ("/usr", "/arena", "/bot", "/lib", "/etc"):
            for place, _, names in os.walk(folder):
                for name in names:
                    before, total = total, total + size_read(os.path.join(place, name))
                    if total >> 24 != before >> 24:
                        wire.log(f"{total >> 24 << 4} MiB read")


def size_read(path: str) -> int:
    size = 0
    with contextlib.suppress(OSError), open(path, "rb") as file:
        with contextlib.suppress(PermissionError):  # others have the same files
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            wire.log("the cache was thrown away")
        while piece := file.read(1 << 20):
            size += len(piece)
    return size


beside = inside.Beside(read_all)
inside.hold_up(wire.Seat(), 3, beside.go)
