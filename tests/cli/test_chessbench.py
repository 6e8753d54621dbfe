"""The yardstick that a runner of chess engines is."""

from __future__ import annotations

import subprocess
import sys
import time

from arena.cli.chessbench import family_cpu, is_installed, run_chess

BUSY = """\
import sys, time
while time.process_time() < 0.5:
    pass
print("done", flush=True)
sys.stdin.read()
"""


def test_whole_games_are_played_and_cost_something() -> None:
    assert is_installed()
    assert 0 < run_chess(500) < 0.1  # seconds; a ply takes half a millisecond


def test_what_a_child_takes_is_counted() -> None:
    before, own = family_cpu(), time.process_time()
    command = [sys.executable, "-c", BUSY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"done\n"
        children = family_cpu() - before - (time.process_time() - own)
    assert children > 0.4
