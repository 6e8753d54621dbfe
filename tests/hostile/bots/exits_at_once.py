# /// expected
# verdict = "FORFEIT STARTUP"
# words = ["exited with code 0 before it joined"]
# within = 3
# threats = ["A12", "B1"]
# ///
"""Exits before it has done anything."""
