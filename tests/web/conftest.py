"""Competitions that are shown in several tests, each made once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.web.competition import CompetitionPages, write_pages
from tests.web.demo import every_kind

Write = Callable[[CompetitionPages], Path]


@pytest.fixture(scope="session")
def kinds() -> dict[str, CompetitionPages]:
    """By a name: every format, before, while and after it is played."""
    return every_kind()


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Writes pages, once for the same values, and the records that they lead to; the folder."""
    folders: dict[int, tuple[CompetitionPages, Path]] = {}

    def write(pages: CompetitionPages) -> Path:
        if id(pages) not in folders:
            folder = tmp_path_factory.mktemp("pages")
            write_pages(pages, folder)
            (folder / "records").mkdir()
            for match, record in pages.records.items():
                (folder / "records" / f"{match}-{record.attempt}.jsonl").write_text("{}\n")
            folders[id(pages)] = pages, folder
        return folders[id(pages)][1]

    return write
