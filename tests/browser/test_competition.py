"""Competitions in a real browser: on a phone, on a screen, on a projector, and on paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.looking import Scheme, contrast, looked

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

SIZES = ((320, 640), (1280, 720), (1920, 1080))
PAGES = (
    "school/index.html",
    "school/stage-1.html",
    "school/stage-2.html",
    "school/log.html",
    "school/matches/2-w1.1-1.html",
    "double/stage-1.html",
    "double/stage-2.html",
    "double-over/stage-1.html",
    "robin/stage-1.html",
    "partners/stage-1.html",
    "partners/matches/1-1.1.html",
    "tables/stage-1.html",
    "hidden/stage-1.html",
    "not-begun/index.html",
)

COLOURED = (
    "school/index.html",
    "school/stage-1.html",
    "double/stage-2.html",
    "boards/stage-1.html",
    "partners/stage-1.html",
    "school/matches/2-w1.1-1.html",
    "school/log.html",
)
PRINTED = ("school/index.html", "double-over/stage-1.html", "boards/stage-1.html")

BACKGROUND = "getComputedStyle(document.body).backgroundColor"
COLOURS = """() => {
  const clear = "rgba(0, 0, 0, 0)";
  const behind = node => {
    for (; node; node = node.parentElement) {
      const found = getComputedStyle(node).backgroundColor;
      if (found !== clear) return found;
    }
    return "rgb(255, 255, 255)";
  };
  const pairs = new Map();
  for (const node of document.body.querySelectorAll("*")) {
    const own = [...node.childNodes].some(one => one.nodeType === 3 && one.data.trim());
    if (!own || ["title", "desc"].includes(node.localName)) continue;
    const style = getComputedStyle(node);
    const drawn = node.localName === "text";
    const backs = drawn ? [behind(document.body), getComputedStyle(
      node.closest(".bracket").querySelector(".frame")).fill] : [behind(node)];
    for (const back of backs) {
      const pair = [drawn ? style.fill : style.color, back];
      pairs.set(pair.join(), [...pair, node.outerHTML.slice(0, 80)]);
    }
  }
  return [...pairs.values()];
}"""


def path_of(folders: dict[str, Path], page: str) -> Path:
    name, _, rest = page.partition("/")
    path = folders[name] / rest
    assert path.is_file(), f"{page} was not written"
    return path


@pytest.mark.parametrize("page", PAGES)
def test_no_page_scrolls_sideways_asks_for_anything_or_complains(
    browser: Browser, folders: dict[str, Path], page: str
) -> None:
    path = path_of(folders, page)
    with looked(browser, path) as look:
        for width, height in SIZES:
            look.page.set_viewport_size({"width": width, "height": height})
            wide = look.page.evaluate(
                "[innerWidth, document.documentElement.scrollWidth, document.body.scrollWidth]"
            )
            assert wide[0] == width
            assert max(wide) <= width
        assert look.asked == [path.as_uri()]
        assert look.said == []


@pytest.mark.parametrize("page", ["school/index.html", "school/stage-1.html", "robin/stage-1.html"])
def test_the_standings_can_be_read(browser: Browser, folders: dict[str, Path], page: str) -> None:
    with looked(browser, path_of(folders, page)) as look:
        for width, height in SIZES:
            look.page.set_viewport_size({"width": width, "height": height})
            first = look.page.locator("table").first
            assert first.locator("tbody th").first.is_visible()
            assert first.locator("tbody td").first.inner_text() == "1"
            names = first.locator("tbody th bdi").evaluate_all(
                """all => all.map(one => {
                  const {left, right, height} = one.getBoundingClientRect();
                  return [left, right, height, parseFloat(getComputedStyle(one).fontSize)];
                })"""
            )
            assert len(names) == 24
            for left, right, tall, letters in names:
                assert 0 <= left < right <= width
                assert tall >= letters >= (21 if width == 1920 else 16)


def test_a_name_is_never_drawn_out_of_its_box(browser: Browser, folders: dict[str, Path]) -> None:
    with looked(browser, path_of(folders, "double-over/stage-1.html")) as look:
        reach = look.page.evaluate(
            """() => [...document.querySelectorAll(".bracket svg")].map(one => {
              const text = one.querySelector("text").getBBox();
              return [text.width, one.width.baseVal.value];
            })"""
        )
    assert len(reach) > 50
    assert [(text, room) for text, room in reach if text > room] == []


@pytest.mark.parametrize("page", COLOURED)
def test_colours_stand_out(browser: Browser, folders: dict[str, Path], page: str) -> None:
    schemes: tuple[tuple[Scheme, str], ...] = (
        ("light", "rgb(255, 255, 255)"),
        ("dark", "rgb(0, 0, 0)"),
    )
    with looked(browser, path_of(folders, page)) as look:
        for scheme, like in schemes:
            look.page.emulate_media(color_scheme=scheme)
            pairs = look.page.evaluate(COLOURS)
            assert len(pairs) >= 3
            assert contrast(look.page.evaluate(BACKGROUND), like) < 1.3
            weak = [one for one in pairs if contrast(one[0], one[1]) < 4.5]
            assert weak == []


@pytest.mark.parametrize("page", PRINTED)
def test_it_can_be_printed(browser: Browser, folders: dict[str, Path], page: str) -> None:
    with looked(browser, path_of(folders, page)) as look:
        assert look.page.pdf(format="A4").startswith(b"%PDF-")
        look.page.emulate_media(media="print", color_scheme="dark")
        assert look.page.evaluate(BACKGROUND) == "rgb(255, 255, 255)"
        assert look.page.locator("body").evaluate("one => getComputedStyle(one).color") == (
            "rgb(0, 0, 0)"
        )
        assert not look.page.locator("nav").is_visible()
        breaks = look.page.locator(".sheet").evaluate_all(
            "all => all.map(one => getComputedStyle(one).breakBefore)"
        )
        assert breaks
        assert set(breaks) == {"page"}


def test_links_can_be_followed_from_page_to_page(
    browser: Browser, folders: dict[str, Path]
) -> None:
    with looked(browser, folders["school"] / "index.html", 320, 640) as look:
        look.page.get_by_role("link", name="Finals").first.click()
        assert look.page.title().startswith("Finals")
        look.page.locator(".bracket a").first.click()
        assert look.page.get_by_role("heading", level=1).inner_text() == "quarter-final 1, match 2"
        look.page.get_by_role("link", name="Finals").last.click()
        assert look.page.url == (folders["school"] / "stage-2.html").as_uri()
        assert look.said == []


def test_names_from_right_to_left_turn_nothing_around_them(
    browser: Browser, folders: dict[str, Path]
) -> None:
    """The places stand left of the names, and the points right of them, in every row."""
    with looked(browser, folders["school"] / "stage-1.html") as look:
        rows = look.page.locator("table").first.locator("tbody tr")
        lefts = rows.evaluate_all(
            "all => all.map(row => [...row.children].map(one => one.getBoundingClientRect().x))"
        )
    assert len(lefts) == 24
    assert all(one == sorted(one) for one in lefts)
    assert all(one[:4] == lefts[0][:4] for one in lefts)
