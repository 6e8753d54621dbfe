"""Where in a record something is that somebody names."""

from __future__ import annotations

import io
from collections.abc import Iterable

import pytest

from arena.cli.frames import OpenFrames
from arena.cli.replayjump import Jumps
from arena.errors import InputError
from arena.referee.events import Prompt
from arena.referee.replay import load
from arena.referee.scripted import Leave, Step, eager
from tests.referee.plans import make_plan
from tests.referee.recorded import recorded

LAST = 5


def leaving(prompt: Prompt) -> Iterable[Step]:
    return [Leave(why="exited with code 3")] if prompt.number == LAST else eager(prompt)


@pytest.fixture(scope="module")
def frames() -> OpenFrames:
    """A game that ends at the fifth prompt of the bot at seat 0, which has no answer."""
    plan = make_plan("classic", 2, seed="jump")
    return OpenFrames(load(io.BytesIO(b"".join(recorded(plan, leaving, eager)))))


def test_an_answer_is_where_it_was_played(frames: OpenFrames) -> None:
    for number in range(1, LAST):
        (at,) = Jumps(frames).prompts(number, seat=0)
        step = frames.steps[at]
        assert (step.seat, step.said.prompt) == (0, number)


def test_a_prompt_without_an_answer_is_where_the_hand_was_broken_off(frames: OpenFrames) -> None:
    assert Jumps(frames).prompt(LAST, seat=0) == len(frames.steps) - 1


def test_a_prompt_that_nobody_was_sent_is_told_with_those_there_are(frames: OpenFrames) -> None:
    with pytest.raises(InputError, match=f"prompt 6: the prompts of seat 0 are 1 to {LAST}$"):
        Jumps(frames).prompt(LAST + 1, seat=0)
