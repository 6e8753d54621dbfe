"""A series in a pool of real processes: lost workers, refusals, and the same table for any jobs."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import pytest

from arena.errors import BotError, HostFault
from arena.referee.events import GameResult
from arena.stats.sprt import Sprt
from arena.tournament.matches import MatchSpec
from arena.tournament.running import PlayReporting, Run, run_all
from arena.tournament.series import FinishedMatch, Series, SeriesPlan
from arena.tournament.standings import Standings, Stops
from arena.workers.pool import MatchPool
from tests.tournament.scripted import facts, play, played, series_plan


@dataclass
class Ear:
    """Hears how a series goes."""

    standings: Standings
    games: int = 0
    finished: list[int] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    interrupt_after: int = 1_000_000

    def game_ended(self, spec: MatchSpec, result: GameResult) -> None:
        assert threading.current_thread() is not threading.main_thread()
        self.games += 1

    def match_finished(self, match: FinishedMatch) -> None:
        self.finished.append(match.number)
        self.standings.add(match)
        if len(self.finished) >= self.interrupt_after:
            raise KeyboardInterrupt

    def attempt_lost(self, spec: MatchSpec) -> None:
        self.lost.append(spec.name)

    def is_enough(self) -> bool:
        return self.standings.enough


def run(
    plan: SeriesPlan,
    *,
    jobs: int = 1,
    stops: Stops | None = None,
    series: Series | None = None,
    task: PlayReporting = play,
    interrupt_after: int = 1_000_000,
) -> tuple[Series, Ear]:
    series = series or Series(plan)
    ear = Ear(Standings(plan, stops or Stops()), interrupt_after=interrupt_after)
    for match in series.finished.values():
        ear.standings.add(match)
    with MatchPool(jobs, preload=("tests.tournament.scripted",)) as pool:
        run_all([Run(series, task, ear)], pool, jobs)
    return series, ear


def told(series: Series) -> list[tuple[object, ...]]:
    return [facts(series.finished[number]) for number in sorted(series.finished)]


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_a_series_comes_to_the_same_end_with_any_jobs(jobs: int) -> None:
    plan = series_plan("random", "crasher in game 1", boards=8)
    series, ear = run(plan, jobs=jobs)
    assert told(series) == told(played(plan))
    assert ear.games == plan.games
    assert sorted(ear.finished) == list(range(plan.match_count))


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_stop_ends_the_series_and_what_is_still_being_played(jobs: int) -> None:
    plan = series_plan("random", "hostile", boards=200, match_boards=2)
    stops = Stops(sprt=Sprt(elo0=0, elo1=200))
    _, ear = run(plan, jobs=jobs, stops=stops)
    one = run(plan, stops=stops)[1].standings
    assert one.enough
    assert (ear.standings.boards, ear.standings.pairs) == (one.boards, one.pairs)
    assert len(ear.finished) < plan.match_count


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_worker_that_is_killed_costs_an_attempt_and_nothing_else(jobs: int) -> None:
    clean, _ = run(series_plan("eager", "eager", boards=6))
    series, ear = run(series_plan("worker dies", "eager", boards=6), jobs=jobs)
    assert [match.results for _, match in sorted(series.finished.items())] == [
        match.results for _, match in sorted(clean.finished.items())
    ]
    assert ear.lost == ["00001-0-1", "00001-0-2"]
    assert series.finished[1].voids == tuple(
        f"match 00001-0-{attempt}: a worker was killed by SIGKILL before its task was done"
        for attempt in (1, 2)
    )


def test_a_match_whose_worker_always_dies_is_set_aside_and_the_others_are_played() -> None:
    plan = series_plan("worker always dies", "eager", boards=6)
    series, ear = run(plan, jobs=2)
    assert ear.lost == [f"00001-0-{attempt}" for attempt in (1, 2, 3)]
    assert series.finished[1].results == ()
    assert ear.standings.void_boards == 2
    assert ear.standings.boards == 4
    assert len(ear.standings.voids) == 3


# -- bots that do not start -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    "bots",
    [("eager", "absent"), ("absent", "eager", "eager"), ("eager", "absent", "eager", "eager")],
    ids=["two", "three", "teams"],
)
def test_a_bot_that_does_not_start_at_all_is_refused_with_its_last_line(
    bots: tuple[str, ...], jobs: int
) -> None:
    preset = "classic" if len(bots) == 4 else "express"
    with pytest.raises(BotError) as caught:
        run(series_plan(*bots, preset=preset, boards=20), jobs=jobs)
    assert str(caught.value) == (
        "bot 'absent' did not start: it exited with 1 before it joined: absent in 00000-0-1"
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_starts_only_later_is_refused_with_any_jobs(jobs: int) -> None:
    """Whether the first match or another one is over first must not decide."""
    with pytest.raises(BotError, match="bot 'late starter' did not start"):
        run(series_plan("late starter", "eager", boards=20, match_boards=1), jobs=jobs)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("bot", ["early starter", "one leg"])
def test_a_bot_that_stops_starting_forfeits_and_the_series_goes_on(bot: str, jobs: int) -> None:
    plan = series_plan(bot, "eager", boards=6)
    series, ear = run(plan, jobs=jobs)
    assert told(series) == told(played(plan))
    assert len(ear.standings.games) == plan.games
    assert {str(one.reason) for one in ear.standings.forfeits} == {"STARTUP"}


def test_a_bot_that_stops_starting_forfeits_as_well_when_the_series_is_taken_up() -> None:
    plan = series_plan("early starter", "eager", boards=6)
    whole = played(plan)
    series, _ = run(plan, series=Series(plan, [whole.finished[0]]))
    assert told(series) == told(whole)


# -- failures ---------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_playing_again_would_not_mend_ends_the_run_and_keeps_what_was_won(jobs: int) -> None:
    plan = series_plan("full disk", "eager", boards=8)
    series = Series(plan)
    with pytest.raises(HostFault, match="No space left on device"):
        run(plan, series=series, jobs=jobs)
    assert set(series.finished) == {0} or jobs > 1
    assert 1 not in series.finished


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_series_can_be_taken_up(jobs: int) -> None:
    plan = series_plan("random", "crasher in game 1", boards=12)
    series = Series(plan)
    with pytest.raises(KeyboardInterrupt):
        run(plan, series=series, jobs=jobs, interrupt_after=2)
    assert 2 <= len(series.finished) <= 4
    again, ear = run(plan, series=Series(plan, list(series.finished.values())), jobs=jobs)
    assert told(again) == told(played(plan))
    assert ear.standings.boards == plan.boards
