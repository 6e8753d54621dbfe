# /// expected
# verdict = "COMPLETED"
# within = 8
# threats = ["B11"]
# ///
"""Has a name, and writes notes, that would paint a terminal red, or a web page, or a table."""

from tests.hostile import wire

ODD = "\x1b[31m\x1b[2J\x00\u202egnp.exe <script>alert(1)</script> =cmd|' /C calc'!A0 \r\n\x07\x9b"

seat = wire.Seat(joins=False)
seat.say(wire.join(name=ODD))
for prompt in seat.prompts():
    seat.say(wire.note(ODD))
    seat.answer(prompt)
