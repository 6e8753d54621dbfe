# /// expected
# verdict = "COMPLETED"
# within = 60
# threats = ["A22", "D10", "D16"]
# limits = { start_up = 60 }
# log = ["0 of them with words"]
# never = ["FOUND"]
# ///
"""Searches everything that it can read for names, folders, arguments and files of others."""

import os
import re
import stat
from collections.abc import Iterator

from tests.hostile import wire

# In two parts, or it would find itself; what ends in 0 is its own.
WORDS = re.compile(b"can" + b"ary-(?:[a-z]+-[1-9]|(?:name|folder|version|environment)-.)")
MOST = 8 << 20
NOT_READ = ("mem", "pagemap", "kmsg", "kcore", "trace_pipe")


def files() -> Iterator[str]:
    for place, folders, names in os.walk("/"):
        folders[:] = [one for one in folders if not (place == "/proc" and one == "thread-self")]
        for name in names:
            if name not in NOT_READ:
                yield os.path.join(place, name)


def content(path: str) -> bytes:
    try:
        if stat.S_ISCHR(os.stat(path).st_mode):
            return b""
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return b""
    try:
        return os.read(file, MOST)
    except OSError:
        return b""
    finally:
        os.close(file)


def search(where: str, text: bytes) -> bool:
    found = set(WORDS.findall(text + where.encode(errors="surrogateescape")))
    if found:
        wire.log(f"FOUND {found} in {where}"[:300])
    return bool(found)


read = found = 0
for path in files():
    text = content(path)
    read += bool(text)
    found += search(path, text)
seat = wire.Seat()
for message in seat.messages():
    found += search("a message", message.SerializeToString())
    if message.HasField("prompt"):
        if read:
            wire.log(f"{read} files read, {found} of them with words")
            read = 0
        seat.answer(message.prompt)
