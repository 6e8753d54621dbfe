# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B20"]
# faults = {}
# log = ["UNIMPLEMENTED 5 of 5"]
# ///
"""Plays well, and asks for services that a seat does not have."""

import grpc

from tests.hostile import wire

OTHERS = (
    "/grpc.health.v1.Health/Check",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/millearena.v1.TournamentService/CancelTournament",
    "/millearena.v1.MatchService/Stop",
    "/",
)

seat = wire.Seat()
first = seat.next_prompt()
other = wire.channel()
ends = [wire.status(name, on=other) for name in OTHERS]
wire.log(f"UNIMPLEMENTED {ends.count(grpc.StatusCode.UNIMPLEMENTED)} of {len(OTHERS)}")
seat.answer(first)
seat.play_on()
