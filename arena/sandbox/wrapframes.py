"""What the keeper inside a container says: frames in frames.

The engine sends what a container writes in frames of its own (the "Stream format" of the Docker
Engine API, `ContainerAttach`): a byte for the stream, three zero bytes, the length in four bytes,
big endian. In those of standard output lie the keeper's frames, as `wrap.c` describes them: a byte
for the type, the length in four bytes, little endian.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from arena.errors import HostFault

__all__ = ["Frame", "FrameReader", "command_frame"]

LONGEST: Final = 128 * 1024
"""Bytes in a frame. The keeper sends pieces of 64 KiB."""

_OUTER: Final = struct.Struct(">BxxxI")
_INNER: Final = struct.Struct("<cI")
_STDOUT: Final = 1


class Frame(NamedTuple):
    """One frame of the keeper: its type, a letter, and what it holds."""

    kind: str
    content: bytes


class FrameReader:
    """Takes bytes as they come from the engine, and gives whole frames."""

    def __init__(self) -> None:
        self._outer = bytearray()
        self._inner = bytearray()

    def feed(self, piece: bytes) -> Iterator[Frame]:
        """The frames that are whole with this piece.

        Raises:
            HostFault: it is no frame, or one that is too long.
        """
        self._outer += piece
        while len(self._outer) >= _OUTER.size:
            stream, length = _OUTER.unpack_from(self._outer)
            if len(self._outer) < _OUTER.size + length:
                break
            if stream == _STDOUT:
                self._inner += self._outer[_OUTER.size : _OUTER.size + length]
            del self._outer[: _OUTER.size + length]
        yield from self._whole()

    def _whole(self) -> Iterator[Frame]:
        while len(self._inner) >= _INNER.size:
            kind, length = _INNER.unpack_from(self._inner)
            if length > LONGEST or not kind.isalpha():
                raise HostFault("the keeper of a sandbox says what is no frame; is its image ours?")
            if len(self._inner) < _INNER.size + length:
                return
            content = bytes(self._inner[_INNER.size : _INNER.size + length])
            del self._inner[: _INNER.size + length]
            yield Frame(kind.decode("latin-1"), content)


def command_frame(mode: str, command: Sequence[str], environment: dict[str, str]) -> bytes:
    """The frame that tells a keeper what to run; `mode` is "run" or "build".

    Raises:
        ValueError: a text holds a zero byte, or all together are too long.
    """
    texts = [mode, str(len(command)), *command]
    texts += [f"{name}={value}" for name, value in environment.items()]
    if any("\0" in text for text in texts):
        raise ValueError("a zero byte in a command or in the environment")
    content = b"".join(text.encode("utf-8", "surrogateescape") + b"\0" for text in texts)
    if len(content) > 64 * 1024:
        raise ValueError("a command longer than 64 KiB")
    return _INNER.pack(b"C", len(content)) + content


END: Final = _INNER.pack(b"K", 0)
"""The frame that tells a keeper to end everything."""
