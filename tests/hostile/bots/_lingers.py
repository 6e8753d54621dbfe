"""No case: leaves children behind, in its session and out of it, and does not come to the table."""

import os
import signal
import time

for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
for apart in (False, True):
    if os.fork() == 0:
        if apart:
            os.setsid()
        if os.fork() > 0:
            os._exit(0)
        break
time.sleep(60)
