"""From the games of an attempt to its report: ranks, points, wins and faults by seat."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.referee.events import OutcomeKind
from arena.referee.match import Match
from arena.referee.scripted import Leave, ScriptedSeat, Simulation, eager
from arena.storage.facts import Lease, MatchKind, Moment, NewMatch, Report, Seat
from arena.tournament.ladder.attempt import RatedSpec, Span, report_of
from arena.tournament.ladder.specs import spec_of
from arena.tournament.ladder.spool import Spool, Spooled
from arena.tournament.ladder.terms import Terms
from arena.tournament.matches import MatchOutcome, Venue
from tests.tournament.trials import bot

SPAN = Span(started=Moment(1), ended=Moment(2), machine_time=1)


def rated(teams: tuple[tuple[int, ...], ...], terms: Terms, folder: Path = Path("/x")) -> RatedSpec:
    players = sum(map(len, teams))
    new = NewMatch(
        kind=MatchKind.RATED,
        table="some",
        seats=tuple(Seat(entrant, entrant) for entrant in range(1, players + 1)),
        teams=teams,
        terms=terms.as_json(),
    )
    lease = Lease(
        match=12,
        attempt=1,
        token="secret",
        seed=bytes(32),
        commitment="c" * 64,
        ends=Moment(0),
        new=new,
    )
    bots = [bot(f"bot{seat}") for seat in range(players)]
    return spec_of(lease, (), bots, Venue(records=folder))


def outcome(spec: RatedSpec, *seats: ScriptedSeat) -> MatchOutcome:
    simulation = Simulation(Match(spec.spec.plan(), b"secret"), seats)
    simulation.run()
    match = simulation.match
    assert match.verdict is not None
    return MatchOutcome(
        verdict=match.verdict,
        results=tuple(match.results),
        tallies=tuple(match.roster.tallies[one] for one in match.plan.bots),
        logs=("",) * len(seats),
        record_head="h" * 64,
    )


def report(spec: RatedSpec, played: MatchOutcome) -> Report:
    logs = ["d" * 64] * len(spec.spec.bots)
    return report_of(spec, played, logs, "r" * 64, SPAN)


def leaving(after: int) -> ScriptedSeat:
    """Crashes at one of its questions."""
    asked = 0

    def script(prompt: Any) -> Any:
        nonlocal asked
        asked += 1
        return [Leave(why="exited with code 3")] if asked > after else eager(prompt)

    return ScriptedSeat(script)


def test_with_two_teams_games_won_decide_and_a_forfeit_ends_it() -> None:
    spec = rated(((0,), (1,)), Terms(preset="express", boards=2))
    played = outcome(spec, ScriptedSeat(), ScriptedSeat())
    said = report(spec, played)
    assert said.verdict == "COMPLETED"
    assert sum(seat.wins for seat in said.seats) == said.games == 4
    wins = [seat.wins for seat in said.seats]
    if wins[0] != wins[1]:
        assert said.ranks == ((0, 1) if wins[0] > wins[1] else (1, 0))
    broken = report(spec, outcome(spec, leaving(5), ScriptedSeat()))
    assert broken.verdict == "FORFEIT"
    assert broken.ranks == (1, 0)
    assert (broken.seats[0].forfeit, broken.seats[1].forfeit) == ("CRASH", "")
    assert broken.games == 0
    assert "bot0 (CRASH: exited with code 3)" in broken.why


def test_with_three_teams_the_table_plays_on_and_who_forfeits_ranks_last() -> None:
    spec = rated(((0,), (1,), (2,)), Terms(preset="express", boards=2))
    assert spec.spec.play_on
    played = outcome(spec, ScriptedSeat(), leaving(3), ScriptedSeat())
    said = report(spec, played)
    assert played.verdict.kind is OutcomeKind.FORFEIT
    assert said.games == 6
    assert said.ranks[1] == 2
    assert sorted(said.ranks)[:2] in ([0, 1], [0, 0])


def test_partners_share_points_and_ranks_are_by_team() -> None:
    spec = rated(((0, 2), (1, 3)), Terms(boards=1, hands=1))
    said = report(spec, outcome(spec, *[ScriptedSeat() for _ in range(4)]))
    assert len(said.ranks) == 2
    assert said.seats[0].points == said.seats[2].points
    assert said.seats[1].wins == said.seats[3].wins
    assert not spec.spec.play_on


def test_a_void_attempt_has_no_ranks() -> None:
    spec = rated(((0,), (1,)), Terms(preset="express", boards=1))
    played = outcome(spec, ScriptedSeat(), ScriptedSeat())
    void = replace(played, verdict=replace(played.verdict, kind=OutcomeKind.VOID, void="no engine"))
    said = report(spec, void)
    assert (said.verdict, said.ranks, said.why) == ("VOID", (), "VOID: no engine")


def test_a_report_comes_out_of_the_spool_as_it_went_in(tmp_path: Path) -> None:
    spec = rated(((0,), (1,)), Terms(preset="express", boards=1))
    said = report(spec, outcome(spec, ScriptedSeat(), ScriptedSeat()))
    spool = Spool(tmp_path / "spool")
    spool.write(Spooled(said, ("one\n", "\ufffd")))
    found = spool.read(12, 1)
    assert found == Spooled(said, ("one\n", "\ufffd"))
    assert spool.read(12, 2) is None
    json.dumps(said.seats[0].tally)


@pytest.mark.parametrize("size", range(0, 2000, 97))
def test_a_report_that_was_cut_anywhere_is_no_report(tmp_path: Path, size: int) -> None:
    from arena.tournament.ladder.spool import CorruptReport  # noqa: PLC0415

    spec = rated(((0,), (1,)), Terms(preset="express", boards=1))
    spool = Spool(tmp_path / "spool")
    spool.write(
        Spooled(report(spec, outcome(spec, ScriptedSeat(), ScriptedSeat())), ("x" * 2000, ""))
    )
    path = spool.folder / "12-1.report"
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(CorruptReport, match="as it was written"):
        spool.read(12, 1)


def test_what_a_lease_is_played_as_keeps_its_secrets() -> None:
    spec = rated(((0,), (1,)), Terms(boards=3))
    assert "secret" not in repr(spec)
    assert spec.spec.name == "12-1"
    assert spec.spec.facts["commitment"] == "c" * 64
    assert len(spec.spec.boards) == 3
    assert [len(leg) for leg in spec.spec.legs] == [3, 3]
