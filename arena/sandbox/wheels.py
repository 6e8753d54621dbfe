"""gRPC and protobuf for the Python image: fetched on the host, unpacked into the build's files.

The host's own pip fetches them, with whatever its owner has set: mirror, proxy, certificates. So a
build needs no network for them. They are of the versions that are installed here, which the
referee was tested with, but for the Python and the processor of the image.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final

from arena.errors import HostFault

__all__ = ["fetch_wheels", "unpack"]

WANTED: Final = ("grpcio", "protobuf")
"""What the SDK imports; pip adds what these need."""

_OLDEST, _NEWEST = 17, 36  # glibc 2.x: what wheels begin with, and what Debian bookworm has
_MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}  # the engine's words, pip's words


def fetch_wheels(python: str, architecture: str) -> Mapping[str, bytes]:
    """The wheels' files by their paths below `site-packages`.

    `python` is a version such as ``3.13``, `architecture` a word of the engine such as ``amd64``.

    Raises:
        HostFault: pip is missing or cannot fetch one; the message has its last line.
    """
    wanted = [f"{name}=={version(name)}" for name in WANTED]
    machine = _MACHINES.get(architecture, architecture)
    with tempfile.TemporaryDirectory(prefix="arena-wheels-") as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:"]
        command += ["--dest", folder, "--implementation", "cp", "--python-version", python]
        for abi in (f"cp{python.replace('.', '')}", "abi3", "none"):
            command += ["--abi", abi]
        for minor in range(_NEWEST, _OLDEST - 1, -1):
            command += ["--platform", f"manylinux_2_{minor}_{machine}"]
        command += ["--platform", f"manylinux2014_{machine}", *wanted]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode:
            last = (done.stderr.strip() or "it said nothing").splitlines()[-1].strip()
            raise HostFault(f"pip cannot fetch {' and '.join(wanted)} for Python {python}: {last}")
        return unpack(path.read_bytes() for path in sorted(Path(folder).glob("*.whl")))


def unpack(wheels: Iterable[bytes]) -> Mapping[str, bytes]:
    """The files of wheels, by their paths below `site-packages`."""
    files: dict[str, bytes] = {}
    for wheel in wheels:
        with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
            names = [one for one in archive.namelist() if not one.endswith("/")]
            files |= {name: archive.read(name) for name in names}
    return files
