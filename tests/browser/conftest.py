"""A real browser, and folders of pages for it to show."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.web.competition import write_pages
from tests.browser.looking import FLAGS
from tests.web.demo import every_kind

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")


# Not for the session: as long as it is open an event loop runs in this thread, and whatever else is
# tested in the same process could start none of its own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium with a new profile; skips where it, or what drives it, is not installed."""
    driver = pytest.importorskip(
        "playwright.sync_api", reason="the pages were shown to no browser: no playwright here"
    )
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("the pages were shown to no browser: there is no chromium here")
    with driver.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By the name of a competition, the folder of its pages."""
    made = {}
    for name, pages in every_kind().items():
        made[name] = tmp_path_factory.mktemp("pages") / name
        write_pages(pages, made[name])
    return made
