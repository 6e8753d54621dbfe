# /// expected
# verdict = "FORFEIT STARTUP"
# words = ["did not join within 1,500 ms"]
# within = 5
# threats = ["B1", "C11"]
# limits = { start_up = 1.5 }
# ///
"""Never connects."""

import time

time.sleep(60)
