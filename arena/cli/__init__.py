"""The command `arena`: one file a command, put together in `app.py`.

To add a command, write `arena/cli/<name>.py` with one function of that name, whose docstring is
its help and whose parameters are its options, then register it in `app.py` with one line.
`exits.py` says how a command ends, `output.py` how it speaks.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line of this process and exit."""
    # At once: a request to end that comes while this is loaded shall end it as Ctrl-C does, too.
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)
    try:
        # Loading takes a third of a second, in which somebody may think better of it.
        from arena.cli.app import main as run
    except KeyboardInterrupt:
        sys.stderr.write("arena: interrupted\n")
        if "--json" in sys.argv:
            error = {"kind": "interrupted", "message": "interrupted"}
            sys.stdout.write(json.dumps({"error": error}) + "\n")
        sys.exit(130)
    run()


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
