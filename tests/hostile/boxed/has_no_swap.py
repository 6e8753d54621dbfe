# /// expected
# verdict = "COMPLETED"
# within = 15
# threats = ["A16"]
# faults = {}
# log = ["no swap"]
# never = ["swap beyond"]
# ///
"""Plays well, and looks how much swap it may use."""

from pathlib import Path

from tests.hostile import wire

GROUP = Path("/sys/fs/cgroup")


def figure(name: str) -> int:
    return int((GROUP / name).read_text())


if (GROUP / "memory.swap.max").exists():
    swap = figure("memory.swap.max")
else:
    memory = figure("memory/memory.limit_in_bytes")
    swap = figure("memory/memory.memsw.limit_in_bytes") - memory
wire.log("no swap" if swap == 0 else f"{swap} bytes of swap beyond its memory")
wire.Seat().play_on()
