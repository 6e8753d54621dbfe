"""A match runner that bot authors know, as a yardstick: python-chess with two trivial engines.

Here a decision is a ply: the runner sends the position, an engine answers with a move, and the
runner checks it. The engines speak UCI (the Universal Chess Interface, 2006) as processes of their
own and do nothing but move their knights out and back, which is legal for ever.
"""

from __future__ import annotations

import os
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

__all__ = ["family_cpu", "is_installed", "run_chess"]

_GAME: Final = 100  # plies: about as many as a hand has decisions
_CLOCK: Final = os.sysconf("SC_CLK_TCK")

ENGINE: Final = """\
import sys
MOVES = ("g1f3", "g8f6", "f3g1", "f6g8")
plies = 0
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name least\\nuciok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        plies = len(words) - 3 if "moves" in words else 0
    elif words[:1] == ["go"]:
        print("bestmove", MOVES[plies % 4], flush=True)
    elif words[:1] == ["quit"]:
        break
"""


def is_installed() -> bool:
    """Whether python-chess is there; `pip install chess` brings it."""
    return find_spec("chess") is not None


def run_chess(plies: int) -> float:
    """CPU seconds a ply of `chess.engine.SimpleEngine` and both engines, over whole games."""
    chess: Any = import_module("chess")
    engine: Any = import_module("chess.engine")
    command = [sys.executable, "-c", ENGINE]
    players = [engine.SimpleEngine.popen_uci(command) for _ in range(2)]
    try:
        limit = engine.Limit(time=1.0)
        games = -(-plies // _GAME)
        began = family_cpu()
        for _ in range(games):
            board = chess.Board()
            for ply in range(_GAME):
                board.push(players[ply % 2].play(board, limit).move)
        return (family_cpu() - began) / (games * _GAME)
    finally:
        for player in players:
            player.quit()


def family_cpu() -> float:
    """CPU seconds so far of this process and of all that it has started and that are there."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        parents[int(folder.name)] = int(fields[1])
        ticks[int(folder.name)] = int(fields[11]) + int(fields[12])
    own = os.getpid()
    others = [pid for pid in parents if pid != own and _descends(pid, own, parents)]
    return time.process_time() + sum(ticks[pid] for pid in others) / _CLOCK


def _descends(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    while pid in parents and pid != ancestor:
        pid = parents[pid]
    return pid == ancestor
