"""An engine that fails: a socket before the engine's own that refuses, delays, cuts and lies.

It carries bytes between two sockets, so also what is no HTTP any more once a container is attached
to. A rule says which requests are meant, by words in their first line, and what becomes of them.
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Final

__all__ = ["ENGINE", "Proxy", "Rule", "Trouble", "proxy"]

ENGINE: Final = Path("/var/run/docker.sock")
_PIECE: Final = 65536
_HEAD: Final = b"\r\n\r\n"


class Trouble(Enum):
    """What becomes of a request."""

    REFUSED = auto()
    """The connection ends without an answer."""
    FAILED = auto()
    """The answer is an error of the server."""
    HELD_BACK = auto()
    """The answer comes only when the proxy ends."""
    CUT = auto()
    """The connection ends in the middle of the answer."""
    LIED = auto()
    """The answer says that the container has ended with the code 255, for want of memory."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Requests whose first line matches get into trouble; `after` of them have been spared."""

    line: str
    trouble: Trouble
    after: int = 0


class Proxy:
    """Where it listens, and what it has done."""

    def __init__(self, path: Path, rules: tuple[Rule, ...]) -> None:
        self.path = path
        self.troubled: list[str] = []
        self._left = {rule: rule.after for rule in rules}
        self._over = threading.Event()
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen(64)
        self._start(self._accept)

    def cut_attached(self) -> None:
        """Cut the connections on which something is spoken that is no HTTP."""
        with self._lock:
            for one in self._open:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._over.set()
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.cut_attached()
        for thread in self._threads:
            thread.join()

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            self._start(self._serve, client)

    def _serve(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as engine:
            engine.connect(str(ENGINE))
            with self._lock:
                self._open += [client, engine]
            with contextlib.suppress(OSError):
                while self._carry(client, engine):
                    pass
            with self._lock:
                self._open = [one for one in self._open if one not in (client, engine)]

    def _carry(self, client: socket.socket, engine: socket.socket) -> bool:
        """One request and its answer; False: there are no more."""
        head, rest = _head_of(client)
        if not head:
            return False
        line = head.partition(b"\r\n")[0].decode(errors="replace")
        trouble = self._trouble_of(line)
        if trouble is Trouble.REFUSED:
            return False
        if trouble is Trouble.FAILED:
            client.sendall(_answer(500, b'{"message":"the engine is out of order"}'))
            return False
        if trouble is Trouble.LIED:
            head = re.sub(rb"(?i)\r\nconnection: [^\r]*", b"", head)  # the answer has to end
            head = head.replace(_HEAD, b"\r\nConnection: close\r\n\r\n")
        if b"/attach" in head:
            self._attach(client, engine, head + rest, trouble)
            return False
        engine.sendall(head + rest + _rest_of(client, head, rest))
        answer = _whole_answer(engine)
        if trouble is Trouble.HELD_BACK:
            self._over.wait()
            return False
        if trouble is Trouble.CUT:
            client.sendall(answer[: len(answer) // 2])
            return False
        client.sendall(_lie(answer) if trouble is Trouble.LIED else answer)
        return trouble is not Trouble.LIED

    def _attach(
        self, client: socket.socket, engine: socket.socket, request: bytes, trouble: Trouble | None
    ) -> None:
        """What is no HTTP any more once the engine has answered."""
        if trouble is Trouble.HELD_BACK:
            self._over.wait()
            return
        engine.sendall(request)
        if trouble is not Trouble.CUT:
            _both_ways(client, engine)

    def _trouble_of(self, line: str) -> Trouble | None:
        with self._lock:
            for rule in self._left:
                if re.search(rule.line, line):
                    self._left[rule] -= 1
                    if self._left[rule] < 0:
                        self.troubled.append(line)
                        return rule.trouble
        return None


@contextlib.contextmanager
def proxy(path: Path, *rules: Rule) -> Iterator[Proxy]:
    """A proxy, as long as this lasts."""
    one = Proxy(path, rules)
    try:
        yield one
    finally:
        one.close()


def _lie(answer: bytes) -> bytes:
    head, _, body = answer.partition(_HEAD)
    body = _unchunked(body) if b"chunked" in head.lower() else body
    body = re.sub(rb'"ExitCode":\d+', b'"ExitCode":255', body)
    body = re.sub(rb'"OOMKilled":false', b'"OOMKilled":true', body)
    body = re.sub(rb'"Running":true', b'"Running":false', body)
    body = re.sub(rb'"StatusCode":\d+', b'"StatusCode":255', body)
    return _answer(200, body)


def _answer(status: int, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status} So\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return f"{head}\r\nConnection: close\r\n\r\n".encode() + body


def _unchunked(body: bytes) -> bytes:
    whole = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        count = int(size or b"0", 16)
        whole, body = whole + body[:count], body[count + 2 :]
    return whole


def _head_of(line: socket.socket) -> tuple[bytes, bytes]:
    """The head of a message, and what has come after it; nothing if there is none any more."""
    text = b""
    while _HEAD not in text:
        piece = line.recv(_PIECE)
        if not piece:
            return b"", b""
        text += piece
    head, _, rest = text.partition(_HEAD)
    return head + _HEAD, rest


def _length_of(head: bytes) -> int:
    found = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    return int(found[1]) if found else 0


def _rest_of(line: socket.socket, head: bytes, rest: bytes) -> bytes:
    """What is missing of a message whose length is told."""
    more = b""
    while len(rest) + len(more) < _length_of(head):
        piece = line.recv(_PIECE)
        if not piece:
            break
        more += piece
    return more


def _whole_answer(engine: socket.socket) -> bytes:
    """An answer whose length is told, or which comes in chunks."""
    head, rest = _head_of(engine)
    if b"chunked" in head.lower():
        while not rest.endswith(b"0\r\n\r\n"):
            piece = engine.recv(_PIECE)
            if not piece:
                break
            rest += piece
        return head + rest
    return head + rest + _rest_of(engine, head, rest)


def _both_ways(one: socket.socket, other: socket.socket) -> None:
    """Carry bytes in both directions until both have ended."""

    def carry(source: socket.socket, into: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(_PIECE):
                into.sendall(piece)
        with contextlib.suppress(OSError):
            into.shutdown(socket.SHUT_WR)

    thread = threading.Thread(target=carry, args=(other, one))
    thread.start()
    carry(one, other)
    thread.join()
