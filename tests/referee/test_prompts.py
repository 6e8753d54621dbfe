"""The book of prompts: names, and what an answer that names no open prompt counts as."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from arena.referee.events import BotNo, Prompt
from arena.referee.limits import Instant
from arena.referee.prompts import Closing, OpenPrompt, PromptBook
from arena.referee.scripted import eager
from arena.referee.tally import Fault
from tests.referee.plans import ONE, ZERO, asked, make_plan, simulate

NUMBERS = count(1)


@pytest.fixture(scope="module")
def prompt() -> Prompt:
    return asked(simulate(make_plan(), eager, eager))[0][2]


def opened(book: PromptBook, prompt: Prompt, deadline: int = 10, bot: BotNo = ZERO) -> str:
    name = book.name(bot, next(NUMBERS))
    book.open(bot, OpenPrompt(replace(prompt, prompt_id=name), Instant(0), Instant(deadline)))
    return name


@pytest.mark.parametrize(
    ("how", "fault", "late_by"),
    [
        (Closing.ANSWERED, Fault.DOUBLED, None),
        (Closing.EXPIRED, Fault.LATE, 5),
        (Closing.WITHDRAWN, Fault.STALE, None),
    ],
)
def test_how_a_prompt_was_closed_says_what_one_more_answer_counts_as(
    prompt: Prompt, how: Closing, fault: Fault, late_by: int | None
) -> None:
    book = PromptBook(b"secret")
    name = opened(book, prompt, deadline=10)
    book.close(ZERO, how)
    assert book.fault_of(ONE, name, Instant(15)) == (Fault.UNSOLICITED, None)
    assert book.fault_of(ZERO, name, Instant(15)) == (fault, late_by)
    assert book.fault_of(ZERO, name, Instant(16)) == (Fault.DOUBLED, None)


def test_only_the_last_prompts_are_remembered(prompt: Prompt) -> None:
    book = PromptBook(b"secret")
    names = []
    for _ in range(70):
        names.append(opened(book, prompt))
        book.close(ZERO, Closing.ANSWERED)
    assert book.fault_of(ZERO, names[0], Instant(0)) == (Fault.UNSOLICITED, None)
    assert book.fault_of(ZERO, names[-64], Instant(0)) == (Fault.DOUBLED, None)


def test_what_one_life_was_asked_is_forgotten_with_it(prompt: Prompt) -> None:
    book = PromptBook(b"secret")
    name = opened(book, prompt)
    book.forget(ZERO)
    assert book.opened(ZERO) is None
    assert book.fault_of(ZERO, name, Instant(0)) == (Fault.UNSOLICITED, None)


def test_a_prompt_expires_after_its_deadline_and_not_at_it(prompt: Prompt) -> None:
    book = PromptBook(b"secret")
    opened(book, prompt, deadline=10)
    opened(book, prompt, deadline=12, bot=ONE)
    assert book.deadline == 10
    assert list(book.expired(Instant(10))) == []
    assert list(book.expired(Instant(11))) == [ZERO]
    assert list(book.expired(Instant(13))) == [ZERO, ONE]


def test_withdrawing_all_leaves_nothing_to_answer(prompt: Prompt) -> None:
    book = PromptBook(b"secret")
    names = {bot: opened(book, prompt, bot=bot) for bot in (ZERO, ONE)}
    book.withdraw_all()
    assert book.deadline is None
    for bot, name in names.items():
        assert book.fault_of(bot, name, Instant(0)) == (Fault.STALE, None)


def test_names_follow_from_the_secret_and_the_bots_own_count() -> None:
    first, again, other = (PromptBook(secret) for secret in (b"one", b"one", b"two"))
    keys = [(BotNo(bot), number) for bot in range(6) for number in range(1, 100)]
    names = [first.name(*key) for key in keys]
    assert names == [again.name(*key) for key in reversed(keys)][::-1]
    assert len(set(names)) == len(names)
    assert not set(names) & {other.name(*key) for key in keys}
    assert all(len(bytes.fromhex(name)) == 16 for name in names)
