"""The book of prompts: what an answer that names no open prompt counts as."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.referee.events import Prompt
from arena.referee.limits import Instant
from arena.referee.prompts import Closing, OpenPrompt, PromptBook
from arena.referee.scripted import eager
from arena.referee.tally import Fault, Tally
from tests.referee.plans import ONE, ZERO, asked, make_plan, simulate


@pytest.fixture(scope="module")
def prompt() -> Prompt:
    return asked(simulate(make_plan(), eager, eager))[0][2]


def opened(book: PromptBook, prompt: Prompt, deadline: int = 10) -> str:
    name = book.new_id()
    book.open(ZERO, OpenPrompt(replace(prompt, prompt_id=name), Instant(0), Instant(deadline)))
    return name


@pytest.mark.parametrize(
    ("how", "fault"),
    [
        (Closing.ANSWERED, Fault.DOUBLED),
        (Closing.EXPIRED, Fault.LATE),
        (Closing.WITHDRAWN, Fault.STALE),
    ],
)
def test_how_a_prompt_was_closed_says_what_another_answer_counts_as(
    prompt: Prompt, how: Closing, fault: Fault
) -> None:
    book = PromptBook(b"secret")
    name = opened(book, prompt)
    book.close(ZERO, how)
    assert book.fault_of(ZERO, name) is fault
    assert book.fault_of(ONE, name) is Fault.UNSOLICITED


def test_only_the_last_prompts_are_remembered(prompt: Prompt) -> None:
    book = PromptBook(b"secret")
    names = []
    for _ in range(70):
        names.append(opened(book, prompt))
        book.close(ZERO, Closing.ANSWERED)
    assert book.fault_of(ZERO, names[0]) is Fault.UNSOLICITED
    assert book.fault_of(ZERO, names[-64]) is Fault.DOUBLED


def test_a_prompt_expires_after_its_deadline_and_not_at_it(prompt: Prompt) -> None:
    book = PromptBook(b"secret")
    opened(book, prompt, deadline=10)
    assert book.deadline == 10
    assert list(book.expired(Instant(10))) == []
    assert list(book.expired(Instant(11))) == [ZERO]


def test_names_follow_from_the_secret_and_are_long_enough_not_to_be_guessed() -> None:
    first, again, other = (PromptBook(secret) for secret in (b"one", b"one", b"two"))
    names = [first.new_id() for _ in range(100)]
    assert names == [again.new_id() for _ in range(100)]
    assert not set(names) & {other.new_id() for _ in range(100)}
    assert all(len(bytes.fromhex(name)) == 16 for name in names)


def test_the_median_and_the_most_of_no_times_are_nothing() -> None:
    tally = Tally()
    assert tally.think_time(0.5) == tally.think_time(1) == 0
    tally.think_times.extend([4, 1, 3, 2])
    assert (tally.think_time(0.5), tally.think_time(1)) == (3, 4)
