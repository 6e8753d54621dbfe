"""The partner: opens every channel, and does again on each turn what might be noticed."""

from tests.hostile import channels, wire

wire.log(f"sends on {channels.open_all()} channels")
seat = wire.Seat()
for prompt in seat.prompts():
    channels.touch_all()
    seat.answer(prompt)
