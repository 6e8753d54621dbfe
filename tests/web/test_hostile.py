"""Names and reasons that somebody has chosen to do harm: they are text, wherever they stand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.tournament.competition import events
from arena.web.competition import write_pages
from tests.web.demo import NAMES, Play, regulations
from tests.web.reading import Reading, read, targets

HOSTILE = (
    "<script>alert(1)</script>",
    "\"onmouseover=\"alert(1)",
    "'><img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "</title></svg><script>alert(1)</script>",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt;&amp;",
    "]]><!--",
    "../../etc/passwd",
    "http://example.com/",
    "a\u202egnp.exe",
    "字" * 64,
    "x" * 130,
    "\u0301" * 40,
)  # fmt: skip
STAGES = {
    "duels": ('format = "elimination"', ""),
    "double": ('format = "double-elimination"', ""),
    "robin": ('format = "round-robin"', ""),
    "partners": ('format = "partners"\nrounds = 3', "players = 4\nteams = true"),
}


def folder_of(name: str, kind: str, tmp_path: Path) -> Path:
    stage, game = STAGES[kind]
    titles = [f"{name}{number}" for number in range(2)] + list(NAMES[:4])
    play = Play(regulations(stage, game=game), titles, dict.fromkeys(titles, name)).go(3)
    waiting = play.here.stages[0].to_play()
    if waiting:
        rank = (1, 2)
        key = waiting[0].key
        play.tell(events.Decided(stage=1, key=key, ranks=rank, why=name))
    play.tell(events.Withdrawn(1, name))
    play.tell(events.Paused(name))
    # Nobody is called so in a journal that was read, but pages do not rely on that.
    play.lines[-3:] = [replace(line, who=name) for line in play.lines[-3:]]
    write_pages(play.pages(), tmp_path)
    return tmp_path


def seen(name: str) -> str:
    return name.replace("\u202e", "\\u202e")


@pytest.mark.parametrize("kind", STAGES)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_shown_as_it_is_and_does_nothing(name: str, kind: str, tmp_path: Path) -> None:
    folder = folder_of(name, kind, tmp_path)
    for path in folder.rglob("*.html"):
        page = read(path)
        tags = {one.tag for one in page.elements}
        assert not tags & {"script", "img", "iframe", "b"}
        names = {attribute for one in page.elements for attribute in one.attributes}
        assert not {one for one in names if one.startswith("on")}
        assert "\u202e" not in path.read_text(encoding="utf-8")
        assert all(target.is_relative_to(folder.resolve()) for target in targets(path))
    for file in ("index.html", "stage-1.html", "log.html"):
        assert seen(name) in read(folder / file).one("main").text


@pytest.mark.parametrize("name", HOSTILE)
def test_no_file_is_named_after_it(name: str, tmp_path: Path) -> None:
    folder = folder_of(name, "robin", tmp_path / "pages")
    names = {path.relative_to(folder).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert all(set(one) <= set("abcdefghijklmnopqrstuvwxyz0123456789-./") for one in names)
    assert all(path.is_relative_to(folder) for path in tmp_path.rglob("*.html"))


def test_the_reader_of_these_tests_refuses_what_is_not_well_formed() -> None:
    for text in ("<p><b></p></b>", "<p>", "</p>", '<p class="a" class="b"></p>'):
        with pytest.raises(AssertionError):
            Reading(text)
