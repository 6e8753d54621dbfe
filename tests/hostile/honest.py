"""The other seat: answers at once, and as one should."""

from tests.hostile import wire

wire.Seat().play_on()
