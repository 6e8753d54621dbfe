"""A series in a file: what was won survives, and a file is never taken for another one's."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import resource
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.engine.rulesets import make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import Seating
from arena.errors import HostFault, InputError
from arena.referee.limits import FaultBudget, WindowMode
from arena.tournament.matches import Sandbox, Venue
from arena.tournament.series import SeriesPlan
from arena.tournament.statefile import StateFile, plan_facts, seed_in
from tests.tournament.scripted import facts, manifest, played, series_plan

PLAN = series_plan("crasher", "random", boards=8)
MATCHES = [played(PLAN).finished[number] for number in (1, 0, 3)]


SEED = "a seed \udcff"


def content(path: Path, plan: SeriesPlan = PLAN) -> list[tuple[object, ...]]:
    with StateFile(path, plan, SEED) as state:
        return [facts(match) for match in state.finished]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with three of four matches."""
    path = tmp_path / "state"
    with StateFile(path, PLAN, SEED) as state:
        state.write(MATCHES)
    return path


def test_matches_come_back_equal_and_in_their_order(path: Path) -> None:
    assert content(path) == [facts(match) for match in MATCHES]
    assert content(path) == [facts(match) for match in MATCHES]  # reading changes nothing


def test_a_new_file_is_there_before_anything_is_played(tmp_path: Path) -> None:
    with StateFile(tmp_path / "new", PLAN):
        assert len((tmp_path / "new").read_text().splitlines()) == 1


def test_each_match_is_in_the_file_as_soon_as_it_is_written(tmp_path: Path) -> None:
    with StateFile(tmp_path / "new", PLAN) as state:
        for count, match in enumerate(MATCHES, 1):
            state.write([match])
            assert len((tmp_path / "new").read_bytes().splitlines()) == 1 + count


def test_every_line_is_one_json_object(path: Path) -> None:
    head, *lines = map(json.loads, path.read_text().splitlines())
    assert head["format"] == "mille-arena-series/1"
    assert [line["match"] for line in lines] == [1, 0, 3]


def test_the_text_of_the_seed_can_be_read_back(path: Path, tmp_path: Path) -> None:
    assert seed_in(path) == SEED
    (tmp_path / "other").write_bytes(b"\xff{}")
    for other in (tmp_path / "other", tmp_path / "none", tmp_path, Path("/dev/zero")):
        assert seed_in(other) is None


def test_a_file_cut_off_anywhere_loses_no_whole_line(path: Path) -> None:
    whole = path.read_bytes()
    ends = [at + 1 for at, byte in enumerate(whole) if byte == 0x0A]
    for end in {
        *range(0, len(whole), 97),
        *ends,
        *(at - 1 for at in ends),
        *(at + 1 for at in ends),
    }:
        path.write_bytes(whole[:end])
        lines = sum(at <= end for at in ends)
        assert content(path) == [facts(match) for match in MATCHES[: max(0, lines - 1)]]
        # What is written next begins where the last whole line ended.
        assert path.read_bytes() == whole[: max([at for at in ends if at <= end] or [ends[0]])]


def test_writing_goes_on_after_the_last_whole_line(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    with StateFile(path, PLAN) as state:
        state.write([MATCHES[2]])
    assert path.read_bytes() == whole


CHANGES: dict[str, Callable[[SeriesPlan], SeriesPlan]] = {
    "bots": lambda plan: replace(plan, bots=(manifest("crasher"), manifest("random", "2"))),
    "preset": lambda plan: replace(plan, rules=make_ruleset("plateau", players=2)),
    "rules": lambda plan: replace(
        plan, rules=make_ruleset("express", {"top_choice": True}, players=2)
    ),
    "seed": lambda plan: replace(plan, seed=bytes(32)),
    "rotate": lambda plan: replace(plan, rotate=False),
    "match_boards": lambda plan: replace(plan, match_boards=4),
    "hands": lambda plan: replace(plan, length=Length(2)),
    "striped": lambda plan: replace(plan, striped=False),
    "limits": lambda plan: replace(
        plan, limits=replace(plan.limits, faults=FaultBudget(max_strikes=1))
    ),
    "limits ": lambda plan: replace(plan, limits=replace(plan.limits, window=WindowMode.SEALED)),
    "in_process": lambda plan: replace(plan, venue=Venue(in_process=True)),
    "strict_bots": lambda plan: replace(plan, venue=Venue(strict_bots=True)),
    "sandbox": lambda plan: replace(plan, venue=Venue(sandbox=Sandbox.DOCKER)),
    "pondering": lambda plan: replace(plan, venue=Venue(holds_still=True)),
    "teams": lambda plan: replace(plan, seating=Seating(((1,), (0,)), (1, 0))),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_file_of_another_plan_is_refused_and_what_differs_is_named(name: str, path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(InputError) as caught:
        StateFile(path, CHANGES[name](PLAN))
    message = str(caught.value)
    assert message.startswith(f"{path} belongs to another plan: {name.strip()} ")
    assert "give the same options again, or another file" in message
    assert path.read_bytes() == before


def test_every_fact_of_a_plan_is_compared() -> None:
    free = {"format", "engine", "boards"}
    assert {name.strip() for name in CHANGES} == set(plan_facts(PLAN)) - free


def test_a_difference_says_what_was_and_what_is(path: Path) -> None:
    with pytest.raises(InputError, match="match_boards was 2 and is 4 now"):
        StateFile(path, CHANGES["match_boards"](PLAN))


def test_more_boards_go_on_where_fewer_ended(path: Path) -> None:
    more = replace(PLAN, boards=11)
    assert content(path, more) == [facts(match) for match in MATCHES]
    with StateFile(path, more) as state:
        state.write([played(more).finished[5]])
    # Match 5 had one board; of twelve it has two, and is played again.
    wider = replace(PLAN, boards=12)
    assert content(path, wider) == [facts(match) for match in MATCHES]
    again = played(wider).finished[5]
    with StateFile(path, wider) as state:
        state.write([again])
    assert content(path, wider) == [facts(match) for match in (*MATCHES, again)]


def test_fewer_boards_than_a_file_has_are_refused(path: Path) -> None:
    with pytest.raises(InputError, match="more than 6 boards: match 3; give as many boards as it"):
        StateFile(path, replace(PLAN, boards=6))


def resealed(line: bytes, **changes: object) -> bytes:
    """A line that says something else, with a checksum that fits."""
    said = {**json.loads(line), **changes}
    del said["sum"]
    body = json.dumps(said, separators=(",", ":")).encode()
    return body[:-1] + b',"sum":"' + hashlib.sha256(body).hexdigest()[:16].encode() + b'"}\n'


@pytest.mark.parametrize("digests", [None, [], [1], "no", {"a": 1}, 7])
def test_a_first_line_that_was_written_anew_is_refused(digests: object, path: Path) -> None:
    first, *others = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([resealed(first, digests=digests), *others]))
    with pytest.raises(InputError, match="is no state of a series"):
        StateFile(path, PLAN)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (1, 99),  # a board of another match
        (2, 7),  # a rotation that there is not
        (3, [0, 0]),
        (4, [0]),
        (6, [1, 2, 3]),
        (6, ["5000", "0"]),
        (8, 2),
        (9, []),
    ],
)
def test_results_that_are_not_of_the_plan_are_damage(place: int, value: object, path: Path) -> None:
    first, second, *others = path.read_bytes().splitlines(keepends=True)
    results = json.loads(second)["results"]
    results[0][place] = value
    path.write_bytes(b"".join([first, resealed(second, results=results), *others]))
    with pytest.raises(InputError, match="line 2 is damaged"):
        StateFile(path, PLAN)


ODD: tuple[object, ...] = (None, 1, -1, 1e400, "x", [], {}, [None], [[[]]])
FINE: dict[str, tuple[object, ...]] = {
    "match": (1,),  # as it was
    "results": ([], {}),  # a match that is not whole: it is played again
    "tallies": (),
    "forfeits": ([], {}),
    "voids": ("x", [], {}),
    "logs": (),
}


@pytest.mark.parametrize("member", FINE)
def test_a_member_that_cannot_be_is_damage(member: str, path: Path) -> None:
    first, second, *others = path.read_bytes().splitlines(keepends=True)
    for value in ODD:
        path.write_bytes(b"".join([first, resealed(second, **{member: value}), *others]))
        if value in FINE[member]:
            assert len(content(path)) == (2 if member == "results" else 3)
        else:
            with pytest.raises(InputError, match="line 2 is damaged"):
                StateFile(path, PLAN)


def test_bots_whose_files_have_changed_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text("")
    (folder / "x.py").write_text("pass\n")
    plan = replace(PLAN, bots=(replace(manifest("mine"), folder=folder), manifest("other")))
    for text, changed in [("pass\n", ()), ("pass # better\n", ("mine",))]:
        (folder / "x.py").write_text(text)
        with StateFile(tmp_path / "state", plan) as state:
            assert state.changed == changed


def test_what_only_says_where_is_no_difference(path: Path) -> None:
    plan = replace(PLAN, venue=Venue(port=0, records=Path("/elsewhere")))
    assert len(content(path, plan)) == 3


@pytest.mark.parametrize(
    "garbage", [b"hello\n", b"hello", b"{}\n", b"[]\n", b"\xff\n", b"\0" * 100, b"\n", b"[" * 9999]
)
def test_what_is_no_state_is_refused_and_left_alone(garbage: bytes, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(garbage)
    with pytest.raises(InputError, match=r"notes\.txt: is no state of a series"):
        StateFile(path, PLAN)
    assert path.read_bytes() == garbage


def test_a_damaged_line_is_refused_wherever_it_is_damaged(path: Path) -> None:
    whole = path.read_bytes()
    first, second, *_ = [at for at, byte in enumerate(whole) if byte == 0x0A]
    for at in range(first + 1, second, 41):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(InputError, match="line 2 is damaged; take it out to have its match"):
            StateFile(path, PLAN)


def test_a_line_that_is_there_twice_is_refused(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[1]]))
    with pytest.raises(InputError, match="line 5: match 1 is there twice"):
        StateFile(path, PLAN)


def test_lines_that_were_taken_out_are_played_again(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[3])
    assert content(path) == [facts(MATCHES[2])]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("", "cannot be opened for writing: Is a directory"),
        ("none/state", "cannot be opened for writing: No such file or directory"),
        ("/dev/full", "/dev/full: is no file"),
        ("/dev/zero", "/dev/zero: is no file"),
        ("/proc/version", "/proc/version: "),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_before_the_first_game(
    place: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        StateFile(tmp_path / place, PLAN)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe: is no file"):
        StateFile(tmp_path / "pipe", PLAN)


def test_two_runs_never_share_a_file(path: Path) -> None:
    wrong = pytest.raises(InputError, match="another run is writing it; name another file")
    with StateFile(path, PLAN), wrong:
        StateFile(path, PLAN)
    assert len(content(path)) == 3


@contextlib.contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file can grow beyond `size` bytes meanwhile, as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_costs_the_line_and_not_the_file(tmp_path: Path) -> None:
    path = tmp_path / "state"
    with StateFile(path, PLAN) as state:
        state.write(MATCHES[:1])
        whole = path.read_bytes()
        with (
            room_for(len(whole) + 100),
            pytest.raises(HostFault, match="state: cannot be written: File too large"),
        ):
            state.write(MATCHES[1:])
        assert path.read_bytes() == whole
        assert len(state.finished) == 1
        state.write([MATCHES[2]])
    assert content(path) == [facts(MATCHES[0]), facts(MATCHES[2])]


def test_a_file_that_cannot_even_be_begun_is_no_bot_s_fault(tmp_path: Path) -> None:
    with room_for(10), pytest.raises(HostFault, match="cannot be written: File too large"):
        StateFile(tmp_path / "state", PLAN)
    assert content(tmp_path / "state") == []  # what is there of its first line does no harm
