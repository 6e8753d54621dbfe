# /// expected
# verdict = "COMPLETED"
# within = 150
# threats = ["D7", "D8"]
# games = 40
# against = "_thinks_in_windows.py"
# limits = { window = "sealed", response_window = 0.08, turn = 10 }
# log = ["200 bits,", "0 of which tell them"]
# never = ["LEAKS"]
# busy = 30
# slow = true
# ///
"""Reads every counter before and after each window in which another seat may have thought."""

from millearena.v1 import cards_pb2, match_service_pb2
from tests.hostile import spying, wire

HAZARDS = range(cards_pb2.CARD_RED_LIGHT, cards_pb2.CARD_ACCIDENT + 1)


def chosen(prompt: match_service_pb2.Prompt) -> tuple[int, bool]:
    """Attack if that can be, else throw away what cannot attack; and whether it attacks."""
    actions = prompt.legal_actions
    for place, action in enumerate(actions):
        if action.WhichOneof("kind") == "play" and action.play.HasField("target_team"):
            return place, True
    for place, action in enumerate(actions):
        if action.WhichOneof("kind") == "discard" and action.discard.card not in HAZARDS:
            return place, False
    return 0, False


spy = spying.Spy(200)
seat = wire.Seat()
before: dict[str, int] = {}
window = 0
for prompt in seat.prompts():
    if before:
        now = spying.counters()
        change = {name: now[name] - before[name] for name in now if name in before}
        spy.add(change, spying.BITS[window])
        before, window = {}, window + 1
    place, is_attack = chosen(prompt)
    if is_attack and not spy.is_sated:
        before = spying.counters()
    seat.answer(prompt, place)
