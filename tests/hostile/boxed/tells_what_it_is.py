# /// expected
# verdict = "COMPLETED"
# within = 20
# threats = ["D11"]
# against = "tells_what_it_is.py"
# alike = true
# log = ["hostname bot"]
# ///
"""Tells all that could say who it is, where, and against whom: the same in every seat."""

import os
import re
import socket
from pathlib import Path

from tests.hostile import wire

# What is chance: ids in hexadecimal digits, names of layers, numbers of users and of mounts.
CHANCE = re.compile(
    r"[0-9a-f]{12,}|\b[A-Z0-9]{26}\b|\b20[0-9]{3}\b|(?<=ARENA_BOT_SEED=)\d+|\b\d+:\d+\b"
    r"|(?<=master:)\d+"
)


def tell(text: str) -> None:
    wire.log(CHANCE.sub("*", text))


def tell_file(path: str) -> None:
    for line in Path(path).read_text(errors="replace").splitlines():
        tell(line)


def tell_mounts() -> None:
    # In which order it mounts what is as deep is the engine's chance.
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    for told in sorted(CHANCE.sub("*", " ".join(line.split()[2:])) for line in lines):
        tell(told)


def tell_folder(path: str) -> None:
    for one in sorted(os.scandir(path), key=lambda entry: entry.name):
        facts = one.stat(follow_symlinks=False)
        tell(f"{path}: {one.name} {facts.st_mode:o} {facts.st_uid} {facts.st_gid}")


tell(f"hostname {socket.gethostname()} {os.uname().nodename}")
for name, value in sorted(os.environ.items()):
    tell(f"{name}={value}")
tell(Path("/proc/self/cmdline").read_bytes().split(b"\0")[0].decode())
tell(f"{os.getppid()} {os.getuid()} {os.getgid()} {os.getgroups()}")
for name in ("cgroup", "limits", "oom_score_adj", "loginuid", "sessionid"):
    tell_file(f"/proc/self/{name}")
for name in ("hostname", "hosts", "resolv.conf", "passwd", "machine-id"):
    if Path("/etc", name).exists():
        tell_file(f"/etc/{name}")
tell_mounts()
for folder in ("/", "/bot", "/run", "/run/arena", "/tmp", "/dev"):
    tell_folder(folder)
wire.Seat().play_on()
