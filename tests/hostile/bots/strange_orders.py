# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B25"]
# faults = {}
# limits = { window = "standing" }
# ///
"""Plays well, with standing orders for cards that do not exist, four thousand at a time."""

from millearena.v1 import match_service_pb2 as pb
from tests.hostile import wire

ORDERS = [*range(-20, 100), 2**31 - 1, -(2**31)] * 20

seat = wire.Seat()
for prompt in seat.prompts():
    answer = pb.Answer(
        prompt_id=prompt.prompt_id,
        legal_index=wire.sensible(prompt),
        coup_fourre_on=ORDERS,
    )
    seat.say(pb.PlayRequest(answer=answer).SerializeToString())
