# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B19"]
# faults = {}
# port = true
# log = ["UNAUTHENTICATED 3 of 3"]
# ///
"""Plays well, and tries to take the other seat: with its own token, with none, with a long one."""

import os

import grpc

from tests.hostile import wire

host, port = wire.address().rsplit(":", 1)
other = f"{host}:{int(port) + 1}"
own = os.environ["ARENA_TOKEN"]

seat = wire.Seat()
first = seat.next_prompt()
refused = 0
for shown in ([(wire.TOKEN, own)], [], [(wire.TOKEN, own * 20)]):
    taker = wire.Seat(other, metadata=shown)
    taker.play_on()
    refused += taker.failed is grpc.StatusCode.UNAUTHENTICATED
wire.log(f"UNAUTHENTICATED {refused} of 3")
seat.answer(first)
seat.play_on()
