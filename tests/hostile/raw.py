"""HTTP/2 by hand, for what no gRPC client would do: windows, frames and headers as one likes."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterator, Sequence
from typing import Final

import h2.config
import h2.connection
import h2.events
import h2.settings

from millearena.v1 import match_service_pb2 as pb
from tests.hostile import wire

LENGTH: Final = struct.Struct(">BI")
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING = 0, 1, 2, 3, 4, 6
WINDOW_UPDATE, CONTINUATION = 8, 9
END_HEADERS: Final = 4
Headers = Sequence[tuple[str, str]]


def connect(timeout: float | None = 10) -> socket.socket:
    """A bare connection to the seat's socket."""
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(timeout)
    line.connect(wire.socket_path())
    return line


def framed(message: bytes, *, compressed: bool = False) -> bytes:
    """A message as gRPC puts it into DATA frames."""
    return LENGTH.pack(compressed, len(message)) + message


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """An HTTP/2 frame to the letter."""
    head = struct.pack(">I", len(payload))[1:] + bytes((kind, flags))
    return head + struct.pack(">I", stream) + payload


def play_headers(
    authority: str = "localhost", path: str = wire.PLAY, more: Headers = ()
) -> list[tuple[str, str]]:
    """The headers of a call."""
    return [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", authority),
        ("te", "trailers"),
        ("content-type", "application/grpc"),
        *more,
    ]


class Line:
    """One HTTP/2 connection to the seat's socket.

    `window` is what the referee may send before it is given more; with `acknowledge` what has come
    is given back at once, as every client does.
    """

    def __init__(self, *, window: int | None = None, acknowledge: bool = True) -> None:
        self.socket = connect()
        settings = h2.config.H2Configuration(
            validate_outbound_headers=False, normalize_outbound_headers=False
        )
        self.http = h2.connection.H2Connection(settings)
        self.http.initiate_connection()
        if window is not None:
            self.http.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: window})
        self.coder = self.http.encoder
        self._last_unknown = 1001
        self._acknowledge = acknowledge
        self._held: dict[int, bytes] = {}
        self.flush()

    def flush(self) -> None:
        self.socket.sendall(self.http.data_to_send())

    def open(self, headers: list[tuple[str, str]] | None = None) -> int:
        """Begin a call; the number of its stream."""
        stream = self.http.get_next_available_stream_id()
        self.http.send_headers(stream, headers or play_headers())
        self.flush()
        return stream

    def next_stream(self) -> int:
        """A number for a stream of which the library is not told."""
        self._last_unknown += 2
        return self._last_unknown

    def call(self, path: str | bytes = wire.PLAY, *, ends: bool = False) -> bytes:
        """The frame that begins one more call, as if there were no limit on calls."""
        headers = [(name.encode(), value.encode()) for name, value in play_headers()]
        headers[2] = (b":path", path if isinstance(path, bytes) else path.encode())
        return frame(HEADERS, END_HEADERS | ends, self.next_stream(), self.coder.encode(headers))

    def call_and_reset(self, path: str = wire.PLAY) -> bytes:
        """The frames that begin a call and take it back."""
        return self.call(path) + frame(RST_STREAM, 0, self._last_unknown, b"\0\0\0\x08")

    def say(self, stream: int, *requests: bytes) -> None:
        """Send requests in one DATA frame."""
        self.http.send_data(stream, b"".join(map(framed, requests)))
        self.flush()

    def receive(self) -> list[h2.events.Event]:
        """What has come; empty once the connection is closed."""
        try:
            data = self.socket.recv(65536)
        except ConnectionError:
            data = b""
        if not data:
            return []
        events = self.http.receive_data(data)
        for event in events:
            if isinstance(event, h2.events.DataReceived) and event.stream_id is not None:
                self._held[event.stream_id] = self._held.get(event.stream_id, b"") + (
                    event.data or b""
                )
                if self._acknowledge and event.flow_controlled_length:
                    self.http.acknowledge_received_data(
                        event.flow_controlled_length, event.stream_id
                    )
        self.flush()
        return events or [h2.events.Event()]

    def held(self, stream: int) -> bytes:
        """What has come on a stream and is no whole message yet."""
        return self._held.get(stream, b"")

    def messages(self, stream: int) -> Iterator[pb.PlayResponse]:
        """What the referee says, until the stream or the connection ends."""
        while True:
            while (message := self.next_message(stream)) is not None:
                yield message
            events = self.receive()
            if not events or any(_ends(event, stream) for event in events):
                while (message := self.next_message(stream)) is not None:
                    yield message
                return

    def next_message(self, stream: int) -> pb.PlayResponse | None:
        """The next whole message that has come."""
        held = self.held(stream)
        if len(held) < LENGTH.size:
            return None
        _, length = LENGTH.unpack_from(held)
        end = LENGTH.size + length
        if len(held) < end:
            return None
        self._held[stream] = held[end:]
        return pb.PlayResponse.FromString(held[LENGTH.size : end])

    def prompts(self, stream: int) -> Iterator[pb.Prompt]:
        return (one.prompt for one in self.messages(stream) if one.HasField("prompt"))

    def play_on(self, stream: int) -> None:
        """Play as one should, to the end."""
        for prompt in self.prompts(stream):
            self.say(stream, wire.answer(prompt.prompt_id, wire.sensible(prompt)))


def _ends(event: h2.events.Event, stream: int) -> bool:
    if isinstance(event, h2.events.ConnectionTerminated):
        return True
    ends = isinstance(event, h2.events.StreamEnded | h2.events.StreamReset)
    return ends and getattr(event, "stream_id", None) == stream


def seconds_until_closed(line: socket.socket, longest: float) -> float | None:
    """How long the other side keeps a connection; None: for longer than `longest` seconds."""
    line.settimeout(longest)
    begin = time.monotonic()
    try:
        while line.recv(65536):
            pass
    except TimeoutError:
        return None
    except ConnectionError:
        pass
    return time.monotonic() - begin


def split(data: bytes) -> tuple[list[tuple[int, int]], bytes]:
    """Kind and stream of the frames in `data`, and what is no whole frame yet."""
    frames = []
    while len(data) >= 9 and len(data) >= (end := 9 + int.from_bytes(data[:3], "big")):
        frames.append((data[3], int.from_bytes(data[5:9], "big")))
        data = data[end:]
    return frames, data
