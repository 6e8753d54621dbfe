"""What is kept of a program's output."""

from __future__ import annotations

from arena.sandbox.launcher import CappedLog


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


def test_last_words_are_one_line_of_bounded_length() -> None:
    log = CappedLog()
    assert log.last_words() == ""
    log.write(b"Traceback:\n  line 1\nOops\n")
    assert log.last_words() == "Traceback: line 1 Oops"
    log.write(b"x" * 500)
    assert len(log.last_words(100)) == 100
    assert log.last_words(100).startswith("... xx")
