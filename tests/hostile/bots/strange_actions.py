# /// expected
# verdict = "FORFEIT ILLEGAL"
# words = ["holds no action that can be read", "strike 5 of 5"]
# within = 5
# threats = ["B25"]
# faults = { malformed = 5, forfeited = 1 }
# limits = { max_strikes = 5 }
# ///
"""Answers with a card that does not exist, attacks nobody and itself, chooses nothing."""

from millearena.v1 import actions_pb2, cards_pb2
from millearena.v1 import match_service_pb2 as pb
from tests.hostile import wire

HAZARD = cards_pb2.CARD_ACCIDENT
ACTIONS = (
    actions_pb2.Action(discard=actions_pb2.Discard(card=99)),  # type: ignore[arg-type]
    actions_pb2.Action(play=actions_pb2.Play(card=HAZARD, target_team=-(2**31))),
    actions_pb2.Action(play=actions_pb2.Play(card=HAZARD)),
    actions_pb2.Action(),
    None,
)

seat = wire.Seat()
for prompt, action in zip(seat.prompts(), ACTIONS, strict=False):
    seat.say(
        pb.PlayRequest(
            answer=pb.Answer(prompt_id=prompt.prompt_id, action=action)
        ).SerializeToString()
    )
seat.play_on()
