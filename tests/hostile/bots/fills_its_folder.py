# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["A4"]
# faults = {}
# log = ["a folder of its own"]
# ///
"""Plays well, and leaves files of all kinds in its folder for temporary files."""

import os
import socket
import tempfile
from pathlib import Path

from tests.hostile import wire

folder = Path(tempfile.gettempdir())
wire.log("a folder of its own" if not list(folder.iterdir()) else "somebody else's folder")
for number in range(500):
    (folder / f"{number}").write_bytes(b"x" * number)
(folder / "locked").mkdir()
(folder / "locked" / "inside").touch()
(folder / "locked").chmod(0)
(folder / "link").symlink_to("/")
(folder / "-rf * \n").touch()
os.mkfifo(folder / "pipe")
socket.socket(socket.AF_UNIX).bind(str(folder / "socket"))
wire.Seat().play_on()
