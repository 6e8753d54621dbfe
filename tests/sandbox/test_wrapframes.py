from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import HostFault
from arena.sandbox.wrapframes import Frame, FrameReader, command_frame


def inner(kind: bytes, content: bytes) -> bytes:
    return struct.pack("<cI", kind, len(content)) + content


def outer(content: bytes, stream: int = 1) -> bytes:
    return struct.pack(">BxxxI", stream, len(content)) + content


@given(
    contents=st.lists(st.binary(max_size=40), max_size=6),
    cuts=st.lists(st.integers(1, 17), min_size=1),
    packet=st.integers(1, 23),
)
def test_frames_come_whole_however_they_are_cut(
    contents: list[bytes], cuts: list[int], packet: int
) -> None:
    stream = b"".join(inner(b"L", content) for content in contents)
    pieces = [stream[at : at + packet] for at in range(0, len(stream), packet)]
    wire = b"".join(outer(piece) + outer(b"other", stream=2) for piece in pieces)
    reader, found, at = FrameReader(), [], 0
    while at < len(wire):
        step = cuts[at % len(cuts)]
        found += list(reader.feed(wire[at : at + step]))
        at += step
    assert found == [Frame("L", content) for content in contents]


@pytest.mark.parametrize(
    "said", [b"\0\0\0\0\0", b"garbage, no frame", struct.pack("<cI", b"L", 1 << 30)]
)
def test_what_is_no_frame_is_told(said: bytes) -> None:
    with pytest.raises(HostFault, match="no frame"):
        list(FrameReader().feed(outer(said)))


def test_a_command_as_bytes() -> None:
    frame = command_frame("run", ("a", "b c"), {"X": "1"})
    assert frame == b"C" + struct.pack("<I", 16) + b"run\x002\x00a\x00b c\x00X=1\x00"


@pytest.mark.parametrize(
    ("command", "environment"),
    [(("a\0b",), {}), (("a",), {"X": "\0"}), (("a" * 70_000,), {})],
)
def test_a_command_that_cannot_be_told(
    command: tuple[str, ...], environment: dict[str, str]
) -> None:
    with pytest.raises(ValueError, match=r"zero byte|longer than 64 KiB"):
        command_frame("run", command, environment)
