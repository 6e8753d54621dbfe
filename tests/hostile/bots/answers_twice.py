# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B15"]
# faults = { doubled = 20 }
# log = ["the first one counted 20 times of 20"]
# ///
"""Sends two different answers, one after the other: the first one counts."""

from tests.hostile import wire

seat = wire.Seat()
sent = counted = meant = 0
for prompt in seat.prompts():
    counted += bool(meant) and wire.discarded(prompt) == meant
    meant = 0
    places = wire.discards(prompt)
    if len(places) > 1 and sent < 20:
        sent += 1
        meant = prompt.legal_actions[places[0]].discard.card
        for place in places[:2]:
            seat.answer(prompt, place)
    else:
        seat.answer(prompt, 0)
wire.log(f"the first one counted {counted} times of {sent}")
