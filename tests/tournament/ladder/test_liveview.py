"""What is shown of a match, and when: late, in whole seconds, and of bounded size."""

from __future__ import annotations

from arena.tournament.ladder.commentary import Frame, FrameKind
from arena.tournament.ladder.liveview import Live, Shown
from tests.tournament.ladder.house import Hours


def frame(number: int, second: int) -> Frame:
    return Frame(
        number=number,
        second=second,
        kind=FrameKind.PLAYED,
        game=0,
        games=1,
        hand=0,
        bots=(0, 1),
        events=("0 DRAWN",),
        turn=0,
        tables=(),
        sizes=(6, 6),
        draw_count=10,
        discard="",
        totals=(0, 0),
    )


def numbers(live: Live, since: int = 0) -> list[int]:
    return [one.number for one in live.watch(1, since).frames]


def test_nothing_is_shown_before_its_second_and_the_delay_are_over() -> None:
    hours = Hours()
    live = Live(hours.monotonic, delay=10)
    live.began(1, 1)
    live.add(1, 1, [frame(0, 0), frame(1, 0), frame(2, 1)])
    hours.wait(10.75)
    assert numbers(live) == []
    hours.wait(0.25)
    assert numbers(live) == [0, 1]
    hours.wait(1)
    assert numbers(live) == [0, 1, 2]
    assert numbers(live, since=2) == [2]
    shown = live.watch(1, 1)
    assert (shown.next, shown.is_over) == (3, False)


def test_a_frame_that_comes_late_or_early_is_shown_at_the_same_moment() -> None:
    """Whatever the channel does, what counts is the second in which it happened."""
    for wait in (0.0, 0.9, 5.0):
        hours = Hours()
        live = Live(hours.monotonic, delay=10)
        live.began(1, 1)
        live.add(1, 1, [frame(0, 0)])
        hours.wait(5)
        hours.wait(wait)
        live.add(1, 1, [frame(1, 5)])
        hours.wait(10.5 - wait)
        assert numbers(live) == [0]
        hours.wait(0.5)
        assert numbers(live) == [0, 1]


def test_what_is_over_is_shown_no_more() -> None:
    hours = Hours()
    live = Live(hours.monotonic, delay=0)
    live.began(1, 1)
    live.add(1, 1, [frame(0, 0)])
    hours.wait(5)
    assert numbers(live) == [0]
    live.ended(1, 1)
    shown = live.watch(1, 1)
    assert (shown.frames, shown.next, shown.is_over) == ((), 1, True)
    assert live.matches == ()


def test_who_has_watched_gets_the_rest_when_it_is_over_and_no_more_is_kept() -> None:
    hours = Hours()
    live = Live(hours.monotonic, delay=10)
    live.began(1, 2)
    live.add(1, 2, [frame(0, 0), frame(1, 3)])
    assert live.rest(1, 2, 0) == ()
    live.ended(1, 2)
    assert live.rest(1, 2, 1) == (frame(1, 3),)
    assert live.rest(1, 1, 0) == ()
    assert live.watch(1) == Shown((), 0, is_over=True)
    for match in range(2, 60):
        live.began(match, 1)
        live.ended(match, 1)
    assert live.rest(1, 2, 0) == ()


def test_frames_of_an_attempt_that_was_ended_are_dropped() -> None:
    hours = Hours()
    live = Live(hours.monotonic, delay=0)
    live.began(1, 2)
    live.add(1, 1, [frame(0, 0)])
    live.ended(1, 1)
    hours.wait(5)
    assert numbers(live) == []
    assert live.matches == (1,)


def test_memory_is_bounded_however_long_or_quick_a_match_is() -> None:
    hours = Hours()
    live = Live(hours.monotonic, delay=10)
    live.began(1, 1)
    for second in range(300):
        live.add(1, 1, [frame(second * 10 + at, second) for at in range(10)])
        hours.wait(1)
    kept = live._running[1].frames
    assert len(kept) <= 500 + 11 * 10
    assert numbers(live)[-1] == 2899
    live.add(1, 1, [frame(number, 300) for number in range(3000, 60_000)])
    assert 9_900 < len(kept) <= 10_000
    hours.wait(11)
    live.add(1, 1, [])
    assert len(kept) == 500
