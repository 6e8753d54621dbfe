"""`sdk/README.md`: its bots are those that `arena new-bot` writes, its links lead somewhere."""

from __future__ import annotations

import re

import pytest

from arena.cli.kits import KITS
from tests.sdkguide import BEGIN, END, LANGUAGES, README, Language, bot_in, section

TEXT = README.read_text(encoding="utf-8")


def test_it_is_what_is_made_now() -> None:
    """If this fails on purpose: `python -m tests.sdkguide` makes it again."""
    _, rest = TEXT.split(BEGIN)
    assert rest.split(END)[0].strip() == section().strip()


def test_every_language_of_new_bot_is_there() -> None:
    assert {one.key for one in LANGUAGES} == {"python", *KITS}


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.key)
def test_a_bot_is_short(language: Language) -> None:
    lines = bot_in(language).splitlines()
    assert 8 <= len(lines) <= 24


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (README.parent / target).exists(), target
