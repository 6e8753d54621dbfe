# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B28"]
# descriptors = 30
# faults = {}
# ///
"""Plays well, and passes ten file descriptors with each of its frames."""

import array
import os
import socket

from tests.hostile import raw, wire

FILES = array.array("i", [os.open("/dev/null", os.O_RDONLY) for _ in range(10)])


class Generous(raw.Line):
    def flush(self) -> None:
        data = self.http.data_to_send()
        if data:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, FILES.tobytes())]
            sent = self.socket.sendmsg([data], rights)
            self.socket.sendall(data[sent:])


line = Generous()
stream = line.open()
line.say(stream, wire.join())
line.play_on(stream)
