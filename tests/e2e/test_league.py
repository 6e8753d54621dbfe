"""`arena league` as it is: several groups at once, over the protocol."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

from tests.e2e.house import House, until

ARGS = ("-r", "express", "--seed", "7", "-n", "4", "--match-boards", "2")


@pytest.mark.slow
def test_groups_are_played_at_once_and_come_to_the_same_table(house: House) -> None:
    bots = [house.bot(kind) for kind in ("random", "patient", "attacker")]
    one, two = (
        json.loads(house.run("league", *bots, *ARGS, "--jobs", jobs, "--json").stdout)
        for jobs in ("1", "2")
    )
    assert one == two
    assert [bot["games"] for bot in one["bots"]] == [16, 16, 16]


@pytest.mark.slow
def test_a_league_that_is_broken_off_goes_on_where_it_was(house: House) -> None:
    bots = [house.bot(kind) for kind in ("gatekeeper", "random", "plain")]
    folder = Path(bots[0])
    (folder / "gate").write_text("4")  # two matches: its group with the random one
    states = house.bots / "states"
    args = (*bots, *ARGS, "--resume", str(states), "--jobs", "2")
    running = house.start("league", *args)
    until((folder / "waiting").exists)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=120)
    assert running.returncode == 130
    assert err.splitlines()[-1] == "arena: interrupted"
    assert f"go on with the same command and --resume {states}" in err
    assert re.search(r" gatekeeper ", out)
    (folder / "gate").unlink()
    again = house.run("league", *args, "--json")
    whole = house.run("league", *bots, *ARGS, "--json")
    assert again.returncode == whole.returncode == 0
    assert json.loads(again.stdout) == json.loads(whole.stdout)


@pytest.mark.slow
def test_each_group_has_its_records_in_a_folder_of_its_own(house: House) -> None:
    bots = [house.bot(kind) for kind in ("plain", "patient", "other")]
    records = house.bots / "records"
    done = house.run("league", *bots, *ARGS, "--jobs", "2", "--record", str(records))
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in records.iterdir()) == [
        "0001-plain-patient",
        "0002-plain-other",
        "0003-patient-other",
    ]
    for folder in records.iterdir():
        assert sorted(path.name for path in folder.iterdir()) == [
            "00000-0-1.jsonl",
            "00001-0-1.jsonl",
        ]
    again = house.run("league", *bots, *ARGS, "--record", str(records))
    assert again.returncode == 2
    assert "has records already; name an empty folder" in again.stderr
