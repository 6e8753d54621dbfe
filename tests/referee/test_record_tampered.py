"""Records that were changed, cut or garbled: the first bad line is named, in one line of words."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.referee.heading import UnknownRecord
from arena.referee.reading import MOST_BYTES, BrokenOff, RecordError, lines_of, read_record
from arena.referee.record import Chain
from tests.referee.plans import make_plan
from tests.referee.recorded import chained, erratic, place, recorded, said_by, verified

LINES = recorded(make_plan("express", 2, seed="tamper"), erratic(1), erratic(2))
WHOLE = b"".join(LINES)
NUMBERS = st.integers(0, len(LINES) - 1)


def wrong_line(lines: Iterable[bytes]) -> int:
    """The number of the line that is named, 1 where it is no record at all."""
    with pytest.raises(InputError) as caught:
        verified(lines)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 1000
    error = caught.value
    return error.line if isinstance(error, RecordError) else 1


# -- bytes and lines --------------------------------------------------------------------------


@given(at=st.integers(0, len(WHOLE) - 1), flip=st.integers(1, 255))
@settings(max_examples=300)
def test_any_changed_byte_is_found_in_its_line(at: int, flip: int) -> None:
    changed = bytearray(WHOLE)
    changed[at] ^= flip
    number = WHOLE[:at].count(b"\n") + 1
    # A line that lost its end at the end of the file looks as if it had never got one.
    cut = at == len(WHOLE) - 1
    assert wrong_line([bytes(changed)]) == (number - 1 if cut else number)


@given(at=NUMBERS)
def test_a_line_left_out_is_noticed_at_the_next(at: int) -> None:
    last = at == len(LINES) - 1
    assert wrong_line([*LINES[:at], *LINES[at + 1 :]]) == (at if last else at + 1)


@given(at=NUMBERS)
def test_a_doubled_line_is_noticed(at: int) -> None:
    assert wrong_line([*LINES[: at + 1], *LINES[at:]]) == at + 2


@given(pair=st.tuples(NUMBERS, NUMBERS).filter(lambda pair: pair[0] < pair[1]))
def test_exchanged_lines_are_noticed_at_the_first(pair: tuple[int, int]) -> None:
    first, second = pair
    lines = list(LINES)
    lines[first], lines[second] = lines[second], lines[first]
    assert wrong_line(lines) == first + 1


@given(at=st.integers(0, len(WHOLE) - 1))
def test_a_record_that_is_cut_anywhere_was_broken_off(at: int) -> None:
    """As a killed process leaves it. What it holds until then is as sound as it was."""
    whole_lines = WHOLE[:at].count(b"\n")
    with pytest.raises((BrokenOff, UnknownRecord)) as caught:
        verified([WHOLE[:at]])
    if isinstance(caught.value, UnknownRecord):
        assert at < len(b'{"t":"header"')
        return
    assert isinstance(caught.value, BrokenOff)
    assert caught.value.line == whole_lines
    assert "the attempt was broken off" in str(caught.value)


def test_broken_off_names_the_last_whole_line() -> None:
    with pytest.raises(BrokenOff, match=r"^ends after line 12 without a verdict: "):
        verified(LINES[:12])
    with pytest.raises(BrokenOff, match=r"^ends within line 13 without a verdict: "):
        verified([*LINES[:12], LINES[12][:40]])
    with pytest.raises(BrokenOff, match=r"^is empty: the attempt was broken off$"):
        verified([])


def test_broken_off_and_changed_is_changed() -> None:
    changed = LINES[5].replace(b'"at":', b'"at":1')
    with pytest.raises(RecordError, match=r"^line 6: its chain hash is ") as caught:
        verified([*LINES[:5], changed, *LINES[6:12]])
    assert not isinstance(caught.value, BrokenOff)


def test_lines_after_the_verdict_are_refused() -> None:
    with pytest.raises(RecordError, match=f"^line {len(LINES) + 1}: nothing follows the verdict"):
        verified([*LINES, LINES[-1]])


# -- other records ----------------------------------------------------------------------------


def with_header(**changes: object) -> list[bytes]:
    first, *others = said_by(LINES)
    return chained([first | changes, *others])


def test_another_engine_is_named() -> None:
    with pytest.raises(UnknownRecord, match=r"^made by engine 2; this is engine 1$"):
        verified(with_header(engine=2, rules={"new": "option"}))


def test_another_format_is_named_whatever_its_chain_is_like() -> None:
    line = b'{"t":"header","format":"mille-arena-record/2","chain":"' + b"0" * 64 + b'"}\n'
    with pytest.raises(
        UnknownRecord,
        match=r"^its format is 'mille-arena-record/2'; the one that is read here is mille-arena-",
    ):
        verified([line])


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"\n", b"{}\n", b"[[[[\n", b"\xff\xfe" * 99])
def test_something_else_is_no_record(content: bytes) -> None:
    with pytest.raises(UnknownRecord, match=r"^not a record: "):
        verified([content])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": {}}, "rules: target is missing"),
        ({"rules": {"target": 800}}, "rules: option target: 800 is not allowed; allowed: 1000"),
        ({"preset": "poker"}, "preset: 'poker' is not one of classic, express, plateau, leaflet"),
        ({"teams": [[1], [0], [7]]}, "rules: teams "),
        ({"teams": [list(range(9)) for _ in range(9)]}, "teams: name more than 6 seats"),
        ({"hands": 0}, "hands: 0 is out of range"),
        ({"legs": []}, "legs: a match has at least one game"),
        ({"legs": [[[5, 0]]]}, "legs: board 5: there are 1, from 0"),
        ({"legs": [[[0]]]}, "legs[0][0]: must be a list of two numbers"),
        ({"limits": {}}, "limits.start_up: is missing"),
        ({"commitments": ["00"]}, "commitments[0]: '00' is not 64 hexadecimal digits"),
        ({"bots": []}, "bots: are 0, must be as many as seats, 2"),
        ({"engine": "1"}, "engine: '1' is not a whole number"),
        ({"striped": 1}, "striped: 1 is neither true nor false"),
        ({"bot_seeds": [[1]]}, "bot_seeds: must be a list for each leg with a number for each bot"),
        ({"bot_seeds": [[1, 1 << 64]]}, "bot_seeds[0]: 18446744073709551616 is out of range"),
    ],
)
def test_a_header_that_makes_no_sense_is_line_1(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        verified(with_header(**changes))
    assert message in str(caught.value)


def test_a_header_without_a_member_names_it() -> None:
    first, *others = said_by(LINES)
    for name in first.keys() - {"t", "format", "bot_seeds"}:
        lacking = {key: value for key, value in first.items() if key != name}
        with pytest.raises(RecordError, match=rf"^line 1: {name}: is missing"):
            verified(chained([lacking, *others]))


def test_further_facts_in_a_header_are_passed_over() -> None:
    assert verified(with_header(tournament="Spring 2026")).lines == len(LINES)


# -- garbage with a chain that holds -------------------------------------------------------------


def with_body(body: bytes) -> list[bytes]:
    """A record whose third line has this body, with a chain that holds until there."""
    chain = Chain()
    for line in LINES[:2]:
        chain.add(line[: line.rindex(b',"chain":')] + b"}")
    third = body[:-1] + b',"chain":"' + chain.add(body).encode() + b'"}\n'
    return [*LINES[:2], third, *LINES[3:]]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"t":"play"}', "line 3: at: is missing, must be a whole number from 0 up"),
        (b'{"t":"poem","at":1}', "line 3: t: no line is called 'poem'; there are start, game"),
        (b'{"at":1,"t":"start"}', "line 3: must begin with "),
        (b'{"t":"\\u0073tart","at":0,"bot":1,"leg":0}', "line 3: must begin with "),
        (b'{"t":"start","at":0,"bot":1,"leg":0,"x":1}', "line 3: x: a start line has no such"),
        (b'{"t":"start","at":0,"at":0,"bot":1,"leg":0}', "line 3: 'at': is there twice"),
        (b'{"t":"start","at":true,"bot":1,"leg":0}', "line 3: at: is true, must be a whole"),
        (b'{"t":"start","at":0.5,"bot":1,"leg":0}', "line 3: at: is 0.5, must be a whole"),
        (b'{"t":"start","at":NaN,"bot":1,"leg":0}', "line 3: NaN is no JSON"),
        (b'{"t":"start","at":-1,"bot":1,"leg":0}', "line 3: at: is -1, must be a whole number"),
        (b'{"t":"start","at":9223372036854775808,"bot":1,"leg":0}', "line 3: at: is 922337203"),
        (b'{"t":"start","at":' + b"9" * 5000 + b',"bot":1,"leg":0}', "line 3: not JSON: "),
        (b'{"t":"start","at":' + b"[" * 100_000 + b"}", "line 3: not JSON: nested too deeply"),
        (b'{"t":"start","at":\xff}', "line 3: not UTF-8 text (byte 18)"),
        (b'{"t":"start","at":"\\ud800\\u001b[31m"}', "line 3: at: is '\\ud800\\x1b[31m', must"),
        (b'{"t":"start",}', "line 3: not JSON: "),
        (b'{"t":"start","at":0,"bot":7,"leg":0}', "line 3: bot is 7, must be 1"),
        (b'{"t":"start","at":0,"bot":1,"leg":1}', "line 3: leg is 1, must be 0"),
    ],
    ids=range(18),
)
def test_garbage_is_one_clear_line(body: bytes, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        verified(with_body(body))
    assert str(caught.value).startswith(message)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1000


def test_many_members_are_no_trouble() -> None:
    """A line full of names, of which the last comes twice: read in one go."""
    names = ",".join(f'"{number}":0' for number in range(80_000))
    body = f'{{"t":"start",{names},"79999":0}}'.encode()
    with pytest.raises(RecordError, match=r"^line 3: '79999': is there twice$"):
        verified(with_body(body))


def test_a_line_may_have_a_mebibyte_and_no_byte_more() -> None:
    first, *others = said_by(LINES)
    room = MOST_BYTES - (len(chained([first | {"fact": ""}])[0]) - 1)
    assert verified(chained([first | {"fact": "x" * room}, *others])).lines == len(LINES)
    with pytest.raises(RecordError, match=r"^line 1: longer than 1048576 bytes$"):
        verified(chained([first | {"fact": "x" * (room + 1)}, *others]))


@given(body=st.binary(max_size=200))
def test_any_bytes_are_one_clear_line(body: bytes) -> None:
    with pytest.raises(RecordError) as caught:
        verified(with_body(b'{"t":' + body.replace(b"\n", b"") + b"}"))
    assert str(caught.value).isprintable()


def test_a_line_without_end_is_refused_before_it_is_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "endless.jsonl"
    with path.open("wb") as file:
        file.write(LINES[0])
        file.truncate(1 << 34)  # sixteen gibibytes of nothing, of which the disk keeps none
    with path.open("rb") as file:
        longest = max(len(line) for line, _ in zip(lines_of(file), range(3), strict=False))
        assert longest == MOST_BYTES + 1
        file.seek(0)
        _, lines = read_record(lines_of(file))
        with pytest.raises(RecordError, match=rf"^line 2: longer than {MOST_BYTES} bytes"):
            next(lines)


# -- what must come now -----------------------------------------------------------------------


def test_what_would_be_right_is_said() -> None:
    said = said_by(LINES)
    at = place(LINES, "play", 3)
    wrong = {
        "kind": ("EXTEND", r"kind is 'EXTEND', must be "),
        "seat": (5, r"seat is 5, must be [01]: nobody else is asked"),
        "action": ("play D200 on 3", r"action is 'play D200 on 3', must be one of: "),
        "bank": (5, r"bank is 5, must be \d+"),
        "prompt": (99, r"prompt is 99, must be \d+"),
        "events": (["0 DRAWN D25"], r"events is \['0 DRAWN D25'\], must be \["),
    }
    for name, (value, message) in wrong.items():
        lines = chained([*said[:at], said[at] | {name: value}, *said[at + 1 :]])
        with pytest.raises(RecordError, match=f"^line {at + 1}: {message}"):
            verified(lines)


def test_a_line_out_of_place_names_what_could_come() -> None:
    said = said_by(LINES)
    at = place(LINES, "play")
    early = {"t": "window", "at": said[at]["at"], "window": 1, "attack": "ACCIDENT", "team": 0}
    lines = chained([*said[:at], early | {"seats": [0], "lasts": 0}, *said[at:]])
    with pytest.raises(RecordError, match=r"a window line, where only play or rejected or "):
        verified(lines)


def test_seeds_that_are_not_what_was_promised_are_named() -> None:
    said = said_by(LINES)
    said[-2] = said[-2] | {"seeds": ["00" * 32]}
    with pytest.raises(RecordError, match=r"seeds\[0\]: its SHA-256 is not the header's commit"):
        verified(chained(said))


def test_a_record_without_its_seeds_is_not_verified() -> None:
    said = said_by(LINES)
    with pytest.raises(RecordError, match="must come after one line with the seeds"):
        verified(chained([*said[:-2], said[-1]]))


def test_verifying_reads_a_file_and_says_nothing_else_of_it(tmp_path: Path) -> None:
    """Bytes in memory and a file give the same."""
    assert verified(LINES).head == json.loads(LINES[-1])["chain"]
    assert verified([WHOLE]) == verified(LINES)
    assert verified(io.BytesIO(WHOLE)).lines == len(LINES)
