# /// expected
# verdict = "COMPLETED"
# within = 20
# threats = ["A20"]
# faults = {}
# log = ["tried, 0 worked"]
# never = ["WORKED"]
# ///
"""Plays well, after it has tried everything on the process that keeps it."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.hostile import inside, wire

LIBC = ctypes.CDLL(None, use_errno=True)
ATTACH = 16


def called(name: str, *arguments: object) -> int:
    outcome = int(getattr(LIBC, name)(*arguments))
    if outcome < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return outcome


def tries() -> Iterator[tuple[str, Callable[[], object]]]:
    yield "its descriptors", partial(os.listdir, "/proc/1/fd")
    for number in range(8):
        yield f"its descriptor {number}", partial(os.open, f"/proc/1/fd/{number}", os.O_RDWR)
    for name in ("mem", "environ", "maps", "stack", "syscall", "auxv", "io"):
        yield f"its {name}", Path(f"/proc/1/{name}").read_bytes
    for name in ("mem", "oom_score_adj", "timerslack_ns", "comm", "clear_refs", "coredump_filter"):
        yield f"writing its {name}", partial(Path(f"/proc/1/{name}").write_text, "1")
    for name in ("exe", "cwd", "root"):
        yield f"its {name}", partial(os.readlink, f"/proc/1/{name}")
    yield "tracing it", partial(called, "ptrace", ATTACH, 1, None, None)
    yield "its priority", partial(os.setpriority, os.PRIO_PROCESS, 1, -5)
    yield "another keeper", partial(os.open, "/arena/wrap", os.O_WRONLY)


# None of these is answered or felt: it is the first process of its namespace.
for number in signal.valid_signals():
    os.kill(1, number)
inside.attempts(tries())
# What would be a report, an end and a frame that is too long, were it not only text.
sys.stdout.buffer.write(b"R\x02\0\0\0{}K\0\0\0\0F\xff\xff\xff\xff")
sys.stdout.buffer.flush()
os.set_blocking(1, False)
inside.until_refused(lambda _: os.write(1, b"x" * 65536), 1000)
os.set_blocking(1, True)
wire.Seat().play_on()
