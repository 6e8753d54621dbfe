"""Fail points: the process dies where the environment says, and nowhere else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from arena.errors import InputError
from arena.storage import failpoints

_COME_BY = """
from arena.storage.failpoints import BEFORE_ACK, BEFORE_COMMIT, reached
for number in range(1, 5):
    reached(BEFORE_ACK)
    print(number, flush=True)
    reached(BEFORE_COMMIT)
"""


@pytest.mark.parametrize(
    ("wanted", "printed", "code"),
    [
        (None, "1234", 0),
        ("after_commit", "1234", 0),
        ("before_ack", "", -signal.SIGKILL),
        ("before_commit", "1", -signal.SIGKILL),
        ("before_commit:3", "123", -signal.SIGKILL),
        ("before_commit:5", "1234", 0),
    ],
)
def test_the_process_dies_where_it_is_told(wanted: str | None, printed: str, code: int) -> None:
    environment = {name: text for name, text in os.environ.items() if name != failpoints.VARIABLE}
    if wanted is not None:
        environment[failpoints.VARIABLE] = wanted
    done = subprocess.run(
        [sys.executable, "-c", _COME_BY],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.stdout.replace("\n", "") == printed
    assert done.returncode == code


@pytest.mark.parametrize("wanted", ["nowhere", "before_ack:0", "before_ack:", "before_ack:x", ""])
def test_a_place_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch, wanted: str) -> None:
    monkeypatch.setenv(failpoints.VARIABLE, wanted)
    with pytest.raises(InputError, match=failpoints.VARIABLE):
        failpoints.check_fail_point()


@pytest.mark.parametrize("wanted", ["before_ack", "in_migration:12"])
def test_a_place_that_is_there_is_fine(monkeypatch: pytest.MonkeyPatch, wanted: str) -> None:
    monkeypatch.setenv(failpoints.VARIABLE, wanted)
    failpoints.check_fail_point()
