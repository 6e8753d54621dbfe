"""Make all checks and print what they say, as one line of JSON."""

from __future__ import annotations

import sys

from .report import written

if __name__ == "__main__":
    sys.stdout.write(written())
