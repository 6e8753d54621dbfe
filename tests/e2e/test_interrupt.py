"""What comes in the middle of a run: nothing is left running, what was won is kept, and it goes on.

A run that is taken up comes to the table of a run that nobody disturbed.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.house import PATIENT, House, only_results, until

SERIES = ("-r", "express", "--seed", "x", "--match-boards", "1", *PATIENT)
ALLOWED = 2
"""Matches that are played before a bot waits at the gate."""

BOTS = """\
import sys
sys.path.insert(0, {root!r})
from tests.e2e.odd_bot import Gatekeeper, Random
"""


def gated(house: House, *, in_process: bool = False) -> tuple[str, ...]:
    """Two bots, one of which waits in the third match for as long as there is a gate."""
    if in_process:
        (house.bots / "both.py").write_text(BOTS.format(root=str(Path(__file__).parents[2])))
        names: tuple[str, ...] = ("both:Gatekeeper", "both:Random", "--in-process")
    else:
        names = (house.bot("gatekeeper"), house.bot("random"))
    # Two rotations, in each of which it starts anew.
    (place(house) / "gate").write_text(str(2 * ALLOWED))
    return names


def place(house: House) -> Path:
    """Where the gate is."""
    folder = house.bots / "gatekeeper"
    return folder if folder.is_dir() else house.bots


def open_gate(house: House) -> None:
    (place(house) / "gate").unlink()


def lines(state: Path) -> int:
    """How many whole lines a state has."""
    return state.read_bytes().count(b"\n") if state.exists() else 0


def broken_off(
    house: House, number: signal.Signals, *args: str, group: bool = False
) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Signal a run when something is finished, and everything that is played waits."""
    state = house.bots / "state"
    running = house.start("match", *args, *SERIES, "--resume", str(state))
    jobs = int(args[args.index("--jobs") + 1]) if "--jobs" in args else 1
    until(lambda: len(list(place(house).glob("waiting-*"))) == jobs)
    if group:
        os.killpg(running.pid, number)
    else:
        running.send_signal(number)
    out, err = running.communicate(timeout=120)
    open_gate(house)
    return subprocess.CompletedProcess(args, running.returncode, out, err), state


def undisturbed(house: House, *args: str) -> dict[str, Any]:
    return only_results(house.facts(*args, *SERIES, limits=()))


@pytest.mark.slow
@pytest.mark.parametrize("in_process", [False, True], ids=["processes", "in process"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_and_then_the_rest_is_the_same_as_without(
    jobs: str, in_process: bool, house: House
) -> None:
    args = (*gated(house, in_process=in_process), "-n", "4", "--jobs", jobs)
    done, state = broken_off(house, signal.SIGINT, *args, group=True)
    assert done.returncode == 130
    finished = lines(state) - 1
    assert 1 <= finished <= ALLOWED
    *_, told, last = done.stderr.splitlines()
    assert last == "arena: interrupted"
    assert told == (
        f"{finished} of 4 matches are finished and kept; "
        f"go on with the same command and --resume {state}"
    )
    # What was counted until then is on standard output.
    assert "95 % intervals from " in done.stdout
    assert house.processes() == []
    again = house.facts(*args, *SERIES, "--resume", str(state), limits=())
    assert only_results(again) == undisturbed(house, *args)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_to_end_do_the_same(number: signal.Signals, house: House) -> None:
    args = (*gated(house), "-n", "4")
    done, state = broken_off(house, number, *args)
    assert done.returncode == 130
    assert done.stderr.splitlines()[-1] == "arena: interrupted"
    again = house.facts(*args, *SERIES, "--resume", str(state), limits=())
    assert only_results(again) == undisturbed(house, *args)


@pytest.mark.slow
@pytest.mark.parametrize("in_process", [False, True], ids=["processes", "in process"])
def test_kill_9_and_then_the_rest_is_the_same_as_without(in_process: bool, house: House) -> None:
    args = (*gated(house, in_process=in_process), "-n", "4")
    done, state = broken_off(house, signal.SIGKILL, *args)
    assert done.returncode == -signal.SIGKILL
    until(lambda: house.processes() == [])  # nobody told them, they see it
    until(lambda: not list(house.temporary.iterdir()))
    with state.open("ab") as file:
        file.write(b'{"match":9,"resu')  # as if it had been killed while it wrote
    again = house.facts(*args, *SERIES, "--resume", str(state), limits=())
    assert only_results(again) == undisturbed(house, *args)


@pytest.mark.slow
def test_without_a_file_one_is_made_and_named_and_the_seed_is_in_it(house: House) -> None:
    bots = gated(house)
    logs, waiting = house.bots / "logs", place(house) / "waiting"
    args = [*bots, "-r", "express", "-n", "4", "--match-boards", "1", *PATIENT]
    running = house.start("match", *args, "--logs", str(logs))
    until(lambda: (logs / "1-gatekeeper-match1.log").exists() and waiting.exists())
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=120)
    open_gate(house)
    assert running.returncode == 130
    (name,) = re.findall(r"go on with the same command and --resume (\S+)$", err, re.MULTILINE)
    (seed,) = set(re.findall(r"seed (\w+)", err + out))
    again = house.facts(*args, "--resume", name, limits=())
    assert again["seed"] == seed
    whole = house.facts(*args, "--seed", seed, limits=())
    assert only_results(again) == only_results(whole)


def test_before_anything_is_finished_an_interrupt_leaves_nothing(house: House) -> None:
    running = house.start("match", house.bot("mute"), house.bot("plain"), "--json")
    # The run, the server of workers, a keeper, its worker and two bots.
    until(lambda: len(house.processes()) >= 6)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=120)
    assert running.returncode == 130
    assert err.splitlines()[1:] == ["arena: interrupted"]
    assert json.loads(out) == {"error": {"kind": "interrupted", "message": "interrupted"}}
    assert list(house.bots.glob("*.resume")) == []


@pytest.mark.slow
def test_who_will_not_end_is_ended_also_when_the_user_has_no_patience(house: House) -> None:
    running = house.start("match", house.bot("stubborn"), house.bot("plain"), "-n", "100000")
    until(lambda: len(house.processes()) >= 7)  # the stubborn one has a child
    running.send_signal(signal.SIGINT)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=120)
    assert running.returncode == 130
    assert "Traceback" not in err


@pytest.mark.slow
def test_records_of_a_run_that_goes_on_are_whole_and_nothing_is_lost(house: House) -> None:
    records = house.bots / "records"
    args = (*gated(house), "-n", "4", "--record", str(records))
    done, state = broken_off(house, signal.SIGKILL, *args)
    assert done.returncode == -signal.SIGKILL
    until(lambda: house.processes() == [])
    before = {path.name: path.read_bytes() for path in records.iterdir()}
    house.facts(*args, *SERIES, "--resume", str(state), limits=())
    whole = sorted(records.glob("*.jsonl"))
    assert [path.name for path in whole] == [f"0000{number}-0-1.jsonl" for number in range(4)]
    for path in whole:
        assert json.loads(path.read_bytes().splitlines()[-1])["t"] == "verdict"
    # What was broken off is there under another name.
    aside = [path.read_bytes() for path in records.glob("*.broken-off-1")]
    finished = {path.read_bytes() for path in whole}
    assert all(content in aside or content in finished for content in before.values())
    assert len(aside) == 1


@pytest.mark.slow
def test_a_full_disk_ends_the_run_in_one_line_and_keeps_what_was_won(house: House) -> None:
    bots = (house.bot("plain"), house.bot("patient"))
    state = house.bots / "state"
    # Boards that end at different sizes: the first record that is larger than that ends the run.
    args: tuple[str, ...] = (*bots, *SERIES, "-n", "4", "--seed", "s4")
    house.facts(*args, "--record", str(house.bots / "all"), limits=())
    sizes = [path.stat().st_size for path in sorted((house.bots / "all").iterdir())]
    largest = sizes.index(max(sizes))
    # Far from both, since times in a record have as many digits as they take.
    *_, second, most = sorted(sizes)
    assert most - second > 3000
    house.file_size = (second + most) // 2
    args += ("--resume", str(state))
    done = house.match(*args, "--record", str(house.bots / "some"))
    assert done.returncode == 1
    assert re.fullmatch(
        rf"arena: record {house.bots}/some/\d{{5}}-0-1.jsonl: cannot be written: File too large",
        done.stderr.splitlines()[-1],
    )
    assert lines(state) - 1 == largest
    house.file_size = 0
    again = house.facts(*args, limits=())
    assert again["boards"] == 4
