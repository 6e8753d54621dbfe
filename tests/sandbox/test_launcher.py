"""What is kept of a program's output."""

from __future__ import annotations

from arena.sandbox.launcher import CappedLog, last_lines


def test_short_output_is_kept_whole() -> None:
    log = CappedLog(10)
    for piece in (b"abcde", b"fghij", b"klm", b"nop"):
        log.write(piece)
    assert log.text() == "abcdefghijklmnop"


def test_of_long_output_the_beginning_and_the_end_are_kept() -> None:
    log = CappedLog(10)
    log.write(b"the beginning, ")
    for number in range(10_000):
        log.write(b"%d " % number)
    head, gap, tail = log.text().split("\n")
    assert head == "the beginn"
    assert tail.endswith("9998 9999 ")
    assert 10 <= len(tail) < 20
    lost = int(gap.split()[1])
    assert len(head) + lost + len(tail) == 15 + sum(len(f"{number} ") for number in range(10_000))


def test_one_huge_piece_is_cut_too() -> None:
    log = CappedLog(10)
    log.write(b"a" * 1_000_000 + b"z")
    assert log.text() == f"{'a' * 10}\n[... 999981 bytes ...]\n{'a' * 9}z"


def test_bytes_that_are_no_text_do_no_harm() -> None:
    log = CappedLog()
    log.write(b"\xff\xfe ok")
    assert log.text().endswith(" ok")


def test_last_lines_are_printable_not_blank_and_of_bounded_length() -> None:
    assert last_lines("", 5) == []
    assert last_lines("Traceback:\n  line 1\n\nOops\n \n", 2) == ["  line 1", "Oops"]
    assert last_lines("a\x1b[2Jb\tc", 1) == ["a?[2Jb  c"]
    (line,) = last_lines("first" + "x" * 500, 1)
    assert line == "first" + "x" * 192 + "..."
