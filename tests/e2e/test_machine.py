"""What this machine has run out of, or lost, is said in one line; what others use is let alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.house import PATIENT, House, until

ARENA = Path(sys.executable).with_name("arena")
SERIES = ("-r", "express", "--seed", "x", "-n", "4", "--match-boards", "1", *PATIENT)


def test_a_folder_for_records_is_one_run_s_alone(house: House) -> None:
    names = (house.bot("gatekeeper"), house.bot("random"))
    (house.bots / "gatekeeper" / "gate").write_text("0")
    first = house.start("match", *names, *SERIES, "--record", "records", "--logs", "logs")
    until((house.bots / "gatekeeper" / "waiting").exists)
    for option in ("--record", "--logs"):
        folder = f"{option.strip('-').removesuffix('s')}s"
        state = ("--resume", "state")  # which may go with records that are there already
        (house.bots / "state").write_text("")
        again = house.run("match", "random", "random", *SERIES, *state, option, folder)
        assert again.returncode == 2
        assert again.stderr.splitlines()[-1] == (
            f"arena: {option} {folder}: another run writes there; name another one"
        )
    (house.bots / "gatekeeper" / "gate").unlink()
    first.communicate(timeout=120)
    assert first.returncode == 0


def test_a_process_that_had_to_be_killed_leaves_no_folder(house: House) -> None:
    names = (house.bot("gatekeeper"), house.bot("random"))
    (house.bots / "gatekeeper" / "gate").write_text("0")
    running = house.start("match", *names, *SERIES)
    until((house.bots / "gatekeeper" / "waiting").exists)
    keepers = [
        one for server in house.children_of(running.pid) for one in house.children_of(server)
    ]
    (worker,) = [one for keeper in keepers for one in house.children_of(keeper)]
    os.kill(worker, signal.SIGSTOP)  # it hears no SIGTERM until it is killed
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=120)
    assert running.returncode == 130
    assert list(house.temporary.iterdir()) == []


GONE = "arena: the folder that this was started in is gone; start it in another one"


@pytest.mark.parametrize(
    ("command", "told", "code"),
    [
        ("match random cautious -n 1 --hands 1 --in-process", [GONE], 1),
        ("league random cautious -n 1", [GONE], 1),
        ("rules", [], 0),
    ],
)
def test_a_folder_that_is_gone_is_no_bug_of_ours(
    tmp_path: Path, command: str, told: list[str], code: int
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = f"rmdir {gone}; exec {ARENA} {command}"
    done = subprocess.run(
        ["sh", "-c", line], cwd=gone, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr.splitlines()[-1:]) == (code, told)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_request_to_end_while_it_is_loaded_ends_it_in_words(number: signal.Signals) -> None:
    program = (
        "import os, sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == 'typer': os.kill(os.getpid(), {int(number)})\n"
        "sys.meta_path.insert(0, Stop())\n"
        "from arena.cli import main\n"
        "sys.argv = ['arena', 'rules']\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (130, "arena: interrupted\n")
