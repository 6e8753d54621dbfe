# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B15"]
# faults = { doubled = 20 }
# log = ["the first one counted 20 times of 20"]
# ///
"""Sends two different answers in one frame: the first one counts."""

from tests.hostile import raw, wire

line = raw.Line()
stream = line.open()
line.say(stream, wire.join())
sent = counted = meant = 0
for prompt in line.prompts(stream):
    counted += bool(meant) and wire.discarded(prompt) == meant
    meant = 0
    places = wire.discards(prompt)
    if len(places) > 1 and sent < 20:
        sent += 1
        meant = prompt.legal_actions[places[0]].discard.card
        line.say(stream, *[wire.answer(prompt.prompt_id, place) for place in places[:2]])
    else:
        line.say(stream, wire.answer(prompt.prompt_id, 0))
wire.log(f"the first one counted {counted} times of {sent}")
