"""The other seat: thinks about an attack, or not, by bits that both know, and lets it pass."""

from millearena.v1 import views_pb2
from tests.hostile import channels, spying, wire

seat = wire.Seat()
window = 0
for prompt in seat.prompts():
    actions = prompt.legal_actions
    if prompt.view.stage == views_pb2.STAGE_RESPOND:
        if spying.BITS[window]:
            channels.burn(0.03)
        window += 1
        seat.answer(prompt, [one.WhichOneof("kind") for one in actions].index("pass"))
        continue
    # It never attacks: its turns are short, and all alike.
    peaceful = [place for place, one in enumerate(actions) if not one.play.HasField("target_team")]
    seat.answer(prompt, peaceful[0] if peaceful else 0)
