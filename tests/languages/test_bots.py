"""The example bots in other languages as plain processes: they answer all that may be asked."""

from __future__ import annotations

import asyncio

import pytest

from arena.submissions.manifest import example_bots, read_manifest
from tests.equality import compare, report
from tests.languages.conftest import arena, foreign, ready

KEEPERS = [name for name in foreign() if name.endswith("_keeper")]
ONE_EACH = [name for name in foreign() if not name.endswith("_keeper")]

pytestmark = pytest.mark.slow


def test_every_language_has_its_bots() -> None:
    languages = {read_manifest(folder).language for folder in example_bots().values()}
    assert languages == {"python", "typescript", "javascript", "go", "rust", "java", "cpp", "other"}
    assert {name.split("_")[0] for name in KEEPERS} == {"typescript", "go", "rust", "java", "cpp"}
    assert {name.split("_")[0] for name in ONE_EACH} >= {"typescript", "go", "rust", "java", "cpp"}


@pytest.mark.parametrize("name", ONE_EACH)
def test_everything_that_may_be_asked_is_answered(name: str) -> None:
    ready(name)
    found = arena("check-bot", name, "--pause", "1")
    assert found["passed"], [one for one in found["scenarios"] if one["problems"]]
    assert len(found["scenarios"]) > 10


@pytest.mark.parametrize("name", KEEPERS)
def test_a_keeper_decides_as_every_other(name: str) -> None:
    found = asyncio.run(compare(ready(name)))
    assert found.is_equal, report(name, found)
    assert sum(found.asked.values()) >= 10_000


@pytest.mark.parametrize("name", foreign())
def test_a_port_is_as_good_as_a_socket(name: str) -> None:
    bot = ready(name)
    found = arena("match", name, "random", "--boards=2", "--hands=1", "--port=0", "--seed=7")
    assert found["boards"] == 2
    assert found["void_boards"] == 0
    (own,) = [one for one in found["bots"] if one["name"] == bot.name]
    assert own["games"] == 4
    assert not any(own["faults"].values()), own["faults"]
