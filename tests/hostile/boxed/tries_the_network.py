# /// expected
# verdict = "COMPLETED"
# within = 30
# threats = ["A23", "B19"]
# faults = {}
# limits = { start_up = 60 }
# log = ["tried, 0 worked", "one socket: /run/arena/seat.sock"]
# never = ["WORKED"]
# ///
"""Plays well, after it has tried to reach anybody but its referee."""

import os
import socket
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.hostile import inside, wire

NAMES = ("example.com", "host.docker.internal", "metadata.google.internal")
HOSTS = ("127.0.0.1", "169.254.169.254", "8.8.8.8", "172.17.0.1", "::1")
SOCKETS = (
    "/run/docker.sock",
    "/var/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/dev/log",
)


def sockets() -> Iterator[str]:
    """Every socket that has a path here."""
    for place, _, names in os.walk("/"):
        if place.startswith(("/proc", "/sys")):
            continue
        for name in names:
            path = os.path.join(place, name)
            if stat.S_ISSOCK(os.lstat(path).st_mode):
                yield path


def tries() -> Iterator[tuple[str, Callable[[], object]]]:
    for name in NAMES:
        yield f"the address of {name}", partial(socket.getaddrinfo, name, 80)
    for host in HOSTS:
        for port in (53, 80, 443, 2375):
            yield f"{host} {port}", partial(socket.create_connection, (host, port), 0.2)
    for path in SOCKETS:
        yield path, partial(connected, path)
    for name in ("@/containerd-shim", "@/tmp/.X11-unix/X0", "@/org/freedesktop/systemd1"):
        yield name, partial(connected, name.replace("@", "\0"))
    for kind in ("tcp", "udp", "route", "arp", "dev"):
        yield f"lines of /proc/net/{kind}", partial(lines, Path(f"/proc/net/{kind}"))


def connected(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)


def lines(path: Path) -> list[str]:
    """What a table says but for its heads and the loopback that is down."""
    found = [line for line in path.read_text().splitlines() if "|" not in line]
    found = [line for line in found if ":" in line and not line.strip().startswith(("lo:", "sl"))]
    if not found:
        raise OSError("nothing but its head")
    return found


inside.attempts(tries())
found = sorted(sockets())
wire.log(f"one socket: {found[0]}" if len(found) == 1 else f"WORKED: sockets {found}")
wire.Seat().play_on()
