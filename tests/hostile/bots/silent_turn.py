# /// expected
# verdict = "FORFEIT TIMEOUT"
# words = ["no answer to prompt", "within 300 ms and 0 ms of bank", "strike 3 of 3"]
# within = 5
# threats = ["C11"]
# limits = { turn = 0.3, bank = 0.5 }
# ///
"""Takes its seat, and says nothing more."""

from tests.hostile import wire

for _ in wire.Seat().prompts():
    pass
