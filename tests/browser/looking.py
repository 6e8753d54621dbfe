"""Looking at a page in a browser: what it shows, and what it asks for or complains of meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["FLAGS", "Look", "Scheme", "contrast", "looked"]

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Scheme = Literal["light", "dark"]


@dataclass
class Look:
    """A page as it is shown; `asked` is what it has loaded, `said` what stood in the console."""

    page: Page
    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)


@contextmanager
def looked(
    browser: Browser, path: Path, width: int = 1280, height: int = 720, scheme: Scheme = "light"
) -> Iterator[Look]:
    """A page in a window of that size."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, offline=True
    )
    look = Look(context.new_page())
    look.page.on("request", lambda request: look.asked.append(request.url))
    look.page.on("console", lambda message: look.said.append(message.text))
    look.page.on("pageerror", lambda error: look.said.append(str(error)))
    look.page.goto(path.as_uri())
    yield look
    context.close()


def contrast(one: str, other: str) -> float:
    """The contrast of two colours `rgb(1, 2, 3)`, from 1 to 21, as the WCAG defines it."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [float(part) / 255 for part in colour.partition("(")[2].rstrip(")").split(",")[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
