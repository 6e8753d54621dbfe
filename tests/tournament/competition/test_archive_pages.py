"""What people look at in an archive says what the journal says, or verifying tells."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from arena.cli.competitionverify import pages_again
from arena.tournament.competition.archive import WritePages, write_archive
from arena.tournament.competition.archivefit import fit_of
from arena.tournament.competition.archiveformat import MANIFEST
from arena.tournament.competition.archivejournal import Told
from arena.tournament.competition.archiveverify import ArchiveReport
from arena.tournament.competition.journal import Journal
from arena.tournament.competition.state import Competition
from tests.tournament.competition.archiveforging import Report, has, resealed
from tests.tournament.competition.archiveworld import World

pytest_plugins = ["tests.tournament.competition.archivefixtures"]


def pages_with(world: World, fitted: bytes | None) -> WritePages:
    """Writes pages that show these strengths."""
    lines = tuple(Journal().read_all(world.stored))
    matches = {one.pairing: one for one in world.matches()}

    def pages(here: Competition, folder: Path) -> None:
        told = Told(here, lines)
        for name, content in pages_again(told, matches, fitted).items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)

    return pages


@pytest.fixture(scope="module")
def printed(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with pages."""
    folder = tmp_path_factory.mktemp("printed") / "whole"
    write_archive(world, folder, pages=pages_with(world, fit_of(world.here)))
    return folder


@pytest.fixture
def copy(printed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(printed, tmp_path / "copy"))


def found_in(report: Report, folder: Path) -> ArchiveReport:
    return report(folder, make_pages=pages_again)


def test_pages_that_were_not_changed_hold(printed: Path, report: Report) -> None:
    found = found_in(report, printed)
    assert found.findings == ()
    assert not any("believe the tables" in note for note in found.notes)


def test_another_winner_on_the_first_page(copy: Path, report: Report) -> None:
    path = copy / "index.html"
    text = path.read_text()
    path.write_text(text.replace("ann/keeper", "dot/slow"))
    assert path.read_text() != text
    resealed(copy)
    (finding,) = map(str, found_in(report, copy).findings)
    assert finding.startswith("index.html: line ")
    assert "; the journal makes it " in finding


def test_a_page_that_is_missing_and_one_too_many(copy: Path, report: Report) -> None:
    (copy / "stage-1.html").unlink()
    (copy / "winner.html").write_text("<p>dot/slow has won")
    resealed(copy)
    has(
        list(map(str, found_in(report, copy).findings)),
        "stage-1.html: is missing; by the journal",
        "winner.html: belongs to nothing in the competition",
    )


def test_pages_of_another_version_are_not_compared_and_that_is_said(
    copy: Path, report: Report
) -> None:
    facts = json.loads((copy / MANIFEST).read_bytes())
    (copy / MANIFEST).write_text(json.dumps(facts | {"made_by": "0.0.1"}))
    found = found_in(report, copy)
    assert found.findings == ()
    has(list(found.notes), "made by version '0.0.1' of the arena", "believe the tables")


def test_pages_that_nobody_can_make_again_are_not_compared_and_that_is_said(
    copy: Path, report: Report
) -> None:
    found = report(copy)
    assert found.findings == ()
    has(list(found.notes), "the pages were not compared, so believe the tables")


def test_strengths_of_another_machine_are_those_of_its_pages(
    world: World, tmp_path: Path, report: Report
) -> None:
    fitted = fit_of(world.here)
    assert fitted is not None
    facts = json.loads(fitted)
    facts["rows"][0]["elo"] += 0.1
    other = json.dumps(facts, indent=1).encode()
    write_archive(world, tmp_path / "a", pages=pages_with(world, other))
    has(list(map(str, found_in(report, tmp_path / "a").findings)), "stage-2.html: line ")
    (tmp_path / "a" / "tables" / "fit.json").write_bytes(other)
    resealed(tmp_path / "a")
    assert found_in(report, tmp_path / "a").findings == ()
