"""The command `arena`: one file a command, put together in `app.py`.

To add a command, write `arena/cli/<name>.py` with one function of that name, whose docstring is
its help and whose parameters are its options, then register it in `app.py` with one line.
`exits.py` says how a command ends, `output.py` how it speaks.
"""

from __future__ import annotations

from arena.cli.app import main

__all__ = ["main"]
