"""An archive to be changed, and what verifies it; a plugin of the tests that need it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.storage.facts import NewMatch
from arena.tournament.competition import events
from arena.tournament.competition.archive import write_archive
from arena.tournament.competition.archiveverify import PRELOAD, verify_with
from arena.workers.pool import MatchPool
from tests.tournament.competition.archiveforging import Check, Report
from tests.tournament.competition.archiveworld import World


def _fails(new: NewMatch, attempt: int) -> bool:
    return new.pairing == "1/1.1/1" and attempt == 1


@pytest.fixture(scope="session")
def world() -> World:
    """A competition with a void attempt, strikes, a rerun, a pause and a withdrawal."""
    made = World()
    made.freeze()
    made.say(events.Started())
    made.go_on()
    made.go_on()
    made.play(3, fails=_fails)
    made.say(events.Rerun(stage=1, key="1.2", why="a plug was pulled"))
    made.say(events.Paused("lunch"))
    made.say(events.Resumed())
    made.score(made.here.stages[0], "1.2")
    made.say(events.Withdrawn(made.here.entry("cem/sum"), "its owner is ill"))
    made.play_all()
    made.finish()
    made.say(events.Released(events.Level.PUBLIC))
    return made


@pytest.fixture(scope="session")
def whole(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive") / "whole"
    write_archive(world, folder)
    return folder


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return Path(shutil.copytree(whole, tmp_path / "copy"))


@pytest.fixture(scope="session")
def report() -> Iterator[Report]:
    """Verifies an archive."""
    with MatchPool(2, preload=PRELOAD) as pool:
        yield lambda folder, **how: verify_with(pool, folder, **how)


@pytest.fixture
def check(report: Report) -> Check:
    """Verifies an archive, and gives its findings as lines."""
    return lambda folder: list(map(str, report(folder).findings))
