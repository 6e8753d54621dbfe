"""Writing an archive: all of it or nothing, and tables that spreadsheets open as they are."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import HostFault, InputError
from arena.storage.facts import MatchState
from arena.tournament.competition import events
from arena.tournament.competition.archive import write_archive
from arena.tournament.competition.archiveformat import MANIFEST, manifest_from
from arena.tournament.competition.archivetables import cell, csv_bytes, difference
from arena.tournament.competition.state import Competition
from tests.tournament.competition.archiveworld import SECRET, World


@pytest.fixture(scope="module")
def world() -> World:
    """A competition that is over."""
    made = World()
    made.freeze()
    made.say(events.Started())
    made.play_all()
    made.finish()
    return made


def left_in(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


# -- whole --------------------------------------------------------------------------------------


def test_everything_is_in_it(world: World, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    summary = write_archive(world, tmp_path / "a", tell=lambda *done: told.append(done))
    assert (tmp_path / "a" / "competition.toml").read_text() == world.here.regulations.text
    assert (tmp_path / "a" / "journal.jsonl").read_bytes().splitlines() == world.stored
    for (match, attempt), content in world.records.items():
        assert (tmp_path / "a" / "records" / f"{match}-{attempt}.jsonl").read_bytes() == content
    assert summary.records == len(world.records) == told[-1][0] == told[-1][1]
    assert (summary.matches, summary.lines) == (len(world.store), len(world.stored))
    assert summary.is_finished
    files = [path for path in (tmp_path / "a").rglob("*") if path.is_file()]
    assert summary.files == len(files)
    assert summary.size == sum(path.stat().st_size for path in files)


def test_the_manifest_names_every_other_file_and_the_head(world: World, tmp_path: Path) -> None:
    summary = write_archive(world, tmp_path / "a")
    manifest = manifest_from((tmp_path / "a" / MANIFEST).read_bytes())
    names = {
        str(path.relative_to(tmp_path / "a"))
        for path in (tmp_path / "a").rglob("*")
        if path.is_file()
    }
    assert set(manifest.files) == names - {MANIFEST}
    assert manifest.head == summary.head == json.loads(world.stored[-1])["chain"]


def test_pages_are_written_by_whoever_can_and_are_in_the_manifest(
    world: World, tmp_path: Path
) -> None:
    def pages(here: Competition, folder: Path) -> None:
        (folder / "stages").mkdir()
        (folder / "index.html").write_text(here.regulations.title)
        (folder / "stages" / "1.html").write_text("<p>")

    write_archive(world, tmp_path / "a", pages=pages)
    files = manifest_from((tmp_path / "a" / MANIFEST).read_bytes()).files
    assert {"index.html", "stages/1.html"} <= set(files)


def test_the_same_competition_makes_the_same_archive(world: World, tmp_path: Path) -> None:
    write_archive(world, tmp_path / "a")
    write_archive(world, tmp_path / "b")
    assert (tmp_path / "a" / MANIFEST).read_bytes() == (tmp_path / "b" / MANIFEST).read_bytes()


def test_of_a_competition_that_goes_on_no_secret_gets_out(tmp_path: Path) -> None:
    running = World()
    running.freeze()
    running.say(events.Started())
    running.go_on()
    running.go_on()
    running.play(2)
    name = next(name for name, one in running.store.items() if one.state is MatchState.QUEUED)
    summary = write_archive(running, tmp_path / "a")
    text = b"".join(path.read_bytes() for path in (tmp_path / "a").rglob("*") if path.is_file())
    assert not summary.is_finished
    assert running.seed_of(name, 1).hex().encode() not in text
    assert SECRET.hex().encode() not in text


# -- nothing ------------------------------------------------------------------------------------


def test_what_is_there_is_never_overwritten(world: World, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("a", "link"):
        with pytest.raises(InputError, match=f"archive .*/{name}: exists; name one that does not"):
            write_archive(world, tmp_path / name)
    assert left_in(tmp_path) == ["a", "link"]
    assert left_in(tmp_path / "a") == []


class _Broken(World):
    """A world whose records cannot be had."""

    def __init__(self, world: World, error: BaseException | None) -> None:
        self.__dict__.update(world.__dict__)
        self.error = error

    def record(self, match: int, attempt: int, /) -> Iterator[bytes]:
        if self.error is not None:
            raise self.error
        yield b"another record\n"


@pytest.mark.parametrize(
    ("error", "raised", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), HostFault, "No space left on device"),
        (HostFault("the store is gone"), HostFault, "the store is gone"),
        (KeyboardInterrupt("stopped"), KeyboardInterrupt, "stopped"),
        (None, HostFault, r"record of match 41, attempt 1: has the SHA-256 [0-9a-f]{64}; its"),
    ],
    ids=["a full disk", "a store that fails", "Ctrl-C", "a record that was changed"],
)
def test_whatever_ends_it_early_leaves_nothing(
    world: World,
    tmp_path: Path,
    error: BaseException | None,
    raised: type[BaseException],
    words: str,
) -> None:
    with pytest.raises(raised, match=words):
        write_archive(_Broken(world, error), tmp_path / "a")
    assert left_in(tmp_path) == []


def test_pages_that_cannot_be_written_leave_nothing(world: World, tmp_path: Path) -> None:
    def pages(here: Competition, folder: Path) -> None:
        raise OSError(errno.EDQUOT, "Disk quota exceeded")

    with pytest.raises(HostFault, match="Disk quota exceeded"):
        write_archive(world, tmp_path / "a", pages=pages)
    assert left_in(tmp_path) == []


def test_what_lies_beside_it_is_left_alone(world: World, tmp_path: Path) -> None:
    (tmp_path / "a.partial").mkdir()
    (tmp_path / "a.partial" / "journal.jsonl").write_text("somebody's own")
    write_archive(world, tmp_path / "a")
    assert left_in(tmp_path) == ["a", "a.partial"]
    assert (tmp_path / "a.partial" / "journal.jsonl").read_text() == "somebody's own"


# -- tables -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "right"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-sum", "'-sum"),
        ("@name", "'@name"),
        ("\tname", "'\tname"),
        ("\rname", "'\rname"),
        ("  =1", "'  =1"),
        ("\uff1d1", "'\uff1d1"),
        ("-2.5", "-2.5"),
        ("ann/keeper", "ann/keeper"),
        ("Årsklass 8", "Årsklass 8"),
        ("三年級", "三年級"),
        ("", ""),
        (None, ""),
        (2.0, "2"),
        (0.5, "0.5"),
        (1 / 3, "0.3333"),
        (0.0, "0"),
        (10, "10"),
    ],
)
def test_no_cell_is_a_formula(value: str | float | None, right: str) -> None:
    assert cell(value) == right


def test_a_table_is_utf8_with_a_mark_commas_and_crlf() -> None:
    made = csv_bytes([["bot", "note"], ["ann/ä", 'says "a, b"']])
    assert made == b'\xef\xbb\xbfbot,note\r\nann/\xc3\xa4,"says ""a, b"""\r\n'


def test_tables_of_a_competition(world: World, tmp_path: Path) -> None:
    write_archive(world, tmp_path / "a")
    tables = tmp_path / "a" / "tables"
    assert left_in(tables) == [
        "1-crosstable.csv",
        "1-groups.csv",
        "1-pairings.csv",
        "1-pairings.json",
        "1-standings.csv",
        "1-standings.json",
        "2-groups.csv",
        "2-pairings.csv",
        "2-pairings.json",
        "2-standings.csv",
        "2-standings.json",
        "entries.csv",
        "fit.json",
    ]
    rows = json.loads((tables / "1-standings.json").read_text())["rows"]
    lines = (tables / "1-standings.csv").read_text("utf-8-sig").splitlines()
    assert [line.split(",")[1] for line in lines[1:]] == [row["title"] for row in rows]
    assert [row["place"] for row in rows] == [1, 2, 3, 4]
    crosstable = (tables / "1-crosstable.csv").read_text("utf-8-sig").splitlines()
    for row, line in zip(rows, crosstable[1:], strict=True):
        *cells, points = line.split(",")[2:]
        assert sum(float(one) for one in cells if one) == float(points) == row["points"]


def test_a_difference_names_the_first_line_that_is_another() -> None:
    assert difference(b"a\nb\n", b"a\nb\n") is None
    assert difference(b"a\nc\n", b"a\nb\n") == (2, "says 'c'; the journal makes it 'b'")
    assert difference(b"a\n", b"a\nb\n") == (2, "says nothing; the journal makes it 'b'")
    assert difference(b"a\r\n", b"a\n") == (
        0,
        "has other line ends than the journal makes it have",
    )
