"""What `arena match` says of a series: the plan, the table, the JSON, the CSV; names and logs."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.console import Console

from arena.cli.labels import estimate_text, labels, sides
from arena.cli.matchfacts import SeriesFacts
from arena.cli.matchlogs import make_folder, write_logs
from arena.cli.matchreport import SeriesReport
from arena.errors import HostFault
from arena.referee.events import Forfeit, ForfeitReason
from arena.referee.tally import Fault, Tally, Times
from arena.sandbox.lastwords import BRIDGE
from arena.stats.sprt import Sprt
from arena.tournament.series import FinishedMatch, SeriesPlan
from arena.tournament.standings import Standings, Stops
from tests.referee.plans import ONE, ZERO
from tests.tournament.scripted import manifest, played, series_plan

PLAN = series_plan("patient", "crasher in game 1", boards=4, preset="classic")


def standings(plan: SeriesPlan = PLAN, stops: Stops | None = None) -> Standings:
    found = Standings(plan, stops or Stops())
    for match in played(plan).finished.values():
        found.add(match)
    return found


def printed(found: Standings, width: int = 80, seed: str = "7") -> list[str]:
    console = Console(width=width, markup=False, highlight=False)
    with console.capture() as captured:
        SeriesReport(found.plan, seed).print(found, console)
    return captured.get().splitlines()


def facts(found: Standings) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(json.dumps(SeriesFacts(found.plan, "7").facts(found)))
    return value


# -- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "names"),
    [
        (["a/1", "b/1"], ("a", "b")),
        (["a/1", "b/1", "a/1"], ("a #1", "b", "a #2")),
        (["a/1", "a/2", "b/1"], ("a 1", "a 2", "b")),
        (["a/1", "a/2", "a/2"], ("a #1", "a #2", "a #3")),
    ],
)
def test_bots_of_one_name_are_told_apart(bots: list[str], names: tuple[str, ...]) -> None:
    assert labels([manifest(*bot.split("/")) for bot in bots]) == names


def test_partners_are_one_side() -> None:
    plan = series_plan("a", "b", "a", "c", preset="classic")
    assert sides(plan) == ("a #1 + a #2", "b + c")


# -- before -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "line"),
    [
        (
            series_plan("a", "b", preset="classic", hands=None, boards=1, match_boards=1),
            "plan: a against b; classic, to 5000 points; 1 board in 2 rotations = 2 games in 1 "
            "match; prompt windows; seed x",
        ),
        (
            series_plan("a", "b", "c", hands=None, boards=5),
            "plan: a against b against c; express, a hand a game; 5 boards in 3 rotations = 15 "
            "games in 3 matches; prompt windows; seed x",
        ),
        (
            series_plan("a", "b", hands=3, boards=2000, match_boards=10, rotate=False),
            "plan: a against b; express, 3 hands a game; 2,000 boards = 2,000 games in 200 "
            "matches; prompt windows; seed x",
        ),
    ],
)
def test_the_plan_says_what_is_played_and_how_often(plan: SeriesPlan, line: str) -> None:
    assert SeriesReport(plan, "x").plan_line(1) == line


def test_the_plan_says_how_many_matches_are_played_at_once() -> None:
    assert "in 2 matches, 2 at once; " in SeriesReport(PLAN, "x").plan_line(2)


# -- the table --------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_table_is_whole_in_a_narrow_terminal(width: int) -> None:
    found = standings()
    console = Console(width=width)
    with console.capture() as captured:
        console.print(SeriesReport(PLAN, "7").table(found))
    lines = captured.get().splitlines()
    assert max(map(len, lines)) <= width
    assert "…" not in "".join(lines)
    first, second = (line.split() for line in lines[1:3])
    assert first == ["mean", "coups", "start", "p50", "p99", "max"]
    assert second[:4] == ["bot", "games", "won", "drawn"]


def test_six_bots_fit_in_sixty_columns() -> None:
    found = standings(series_plan(*["patient"] * 6, preset="classic", boards=2))
    console = Console(width=60)
    with console.capture() as captured:
        console.print(SeriesReport(found.plan, "7").table(found))
    lines = captured.get().splitlines()
    assert max(map(len, lines)) <= 60
    assert sum("patient" in line for line in lines) == 6


def test_a_pair_has_share_points_elo_and_los() -> None:
    (line,) = [one for one in printed(standings()) if " against " in one]
    assert line.startswith("patient against crasher in game 1: won ")
    for part in (" % [", " points a game", "; Elo ", "; LOS "):
        assert part in line


def test_every_pair_at_a_table_has_its_line() -> None:
    lines = printed(standings(series_plan("patient", "eager", "hostile", boards=4)))
    assert [line.partition(":")[0] for line in lines if " against " in line] == [
        "patient against eager",
        "patient against hostile",
        "eager against hostile",
    ]


def test_a_test_says_its_state() -> None:
    found = standings(stops=Stops(sprt=Sprt(elo0=0, elo1=5)))
    (line,) = [one for one in printed(found) if one.startswith("SPRT")]
    assert line.startswith("SPRT elo0 0, elo1 5: continue, LLR ")
    assert line.endswith(" in [-2.94, 2.94] after 4 boards")


def test_where_it_stopped_is_told() -> None:
    plan = series_plan("crasher", "eager", boards=60)
    lines = printed(standings(plan, Stops(sprt=Sprt(elo0=0, elo1=100))))
    (line,) = [one for one in lines if one.startswith("stopped after ")]
    assert line.endswith(" of 60 boards: the SPRT is decided")
    assert facts(standings(plan, Stops(sprt=Sprt(elo0=0, elo1=100))))["stopped_by"] == "sprt"
    assert any(": accept H0, LLR " in one for one in lines)


def test_boards_that_wait_for_an_earlier_match_are_told() -> None:
    found = Standings(PLAN)
    found.add(played(PLAN).finished[1])
    assert "2 boards more, finished, wait for an earlier match and do not count yet" in printed(
        found
    )


def test_nothing_at_all_can_be_shown_too() -> None:
    found = Standings(PLAN)
    assert "95 % intervals from 0 boards, not from games; seed 7" in printed(found)
    assert facts(found)["pairs"][0]["share"] is None
    assert SeriesFacts(PLAN, "7").csv(found).count("\n") == 1


def match_with(**given: Any) -> FinishedMatch:
    return replace(played(series_plan("eager", "hostile", boards=1)).finished[0], **given)


def test_who_did_something_wrong_has_a_line_under_the_table() -> None:
    plan = series_plan("eager", "hostile", boards=1)
    faults = Counter({Fault.TIMED_OUT: 22, Fault.MISSED_WINDOW: 1, Fault.LATE: 2, Fault.STALE: 3})
    found = Standings(plan)
    found.add(match_with(tallies=(Tally(faults=faults), Tally())))
    assert SeriesReport(plan, "7").fault_lines(found) == [
        "eager: 22 time-outs, 1 missed window, 2 late"
    ]


def test_every_cause_has_its_words() -> None:
    plan = series_plan("eager", "hostile", boards=1)
    for fault in set(Fault) - {Fault.STALE}:
        found = Standings(plan)
        found.add(match_with(tallies=(Tally(), Tally(faults=Counter({fault: 2})))))
        (line,) = SeriesReport(plan, "7").fault_lines(found)
        assert line.startswith("hostile: 2 ")


def test_who_nearly_failed_to_start_is_warned() -> None:
    plan = series_plan("eager", "hostile", boards=1)
    limit = plan.limits.time.start_up
    for took, warned in [(limit * 7 // 10, False), (limit * 7 // 10 + 1, True)]:
        times = Times()
        times.add(took)
        found = Standings(plan)
        found.add(match_with(tallies=(Tally(), Tally(start_ups=times))))
        lines = [one for one in printed(found) if "on a busier machine" in one]
        assert lines == (
            ["hostile: started in 14,000 ms of 20,000 ms; on a busier machine that is a forfeit"]
            if warned
            else []
        )


def test_forfeits_and_voids_are_told_and_many_of_them_counted() -> None:
    plan = series_plan("eager", "hostile", boards=1)
    forfeit = Forfeit(ZERO, ForfeitReason.TIMEOUT, "no answer to prompt 41\x1b[2J", 0)
    found = Standings(plan)
    found.add(match_with(forfeits=(forfeit,) * 2, voids=("match 0: why", "match 0: again")))
    lines = printed(found)
    assert lines.count("forfeit: eager: TIMEOUT: no answer to prompt 41\\x1b[2J") == 2
    assert "void: match 0: why" in lines
    assert "... and 1 more (--json has all)" in lines


def test_who_wrote_something_is_quoted_line_by_line() -> None:
    plan = series_plan("eager", "hostile", boards=1)
    found = Standings(plan)
    found.add(match_with(logs=("", f"hello\n\n\x1b[31m{'x' * 90}\n")))
    assert printed(found)[-3:] == ["hostile wrote last:", "  hello", "  ?[31m" + "x" * 90]
    assert facts(found)["bots"][1]["log_tail"] == ["hello", "?[31m" + "x" * 90]


def test_what_a_bridge_could_not_read_is_told_in_its_words() -> None:
    plan = series_plan("eager", "hostile", boards=1)
    bots = (plan.bots[0], replace(plan.bots[1], bridge="stdio-json"))
    forfeit = Forfeit(ONE, ForfeitReason.PROTOCOL, "not a PlayRequest: 1 byte", 0)
    log = f"{BRIDGE}line 1 of the bot's standard output is no PlayRequest\n{BRIDGE}right is one\n"
    found = Standings(replace(plan, bots=bots))
    found.add(match_with(forfeits=(forfeit,), logs=("", log)))
    why = "line 1 of the bot's standard output is no PlayRequest"
    assert f"forfeit: hostile: PROTOCOL: {why}" in printed(found)


def test_of_an_error_the_head_is_quoted_as_well() -> None:
    plan = series_plan("eager", "hostile", boards=1)
    found = Standings(plan)
    frames = "".join(f"    at step{number} (node:internal/x:{number}:1)\n" for number in range(20))
    found.add(match_with(logs=("", f"TypeError: no table\n{frames}Node.js v20.20.2\n")))
    lines = printed(found)
    assert lines[lines.index("hostile wrote last:") + 1] == "  TypeError: no table"
    assert lines[-1] == "  Node.js v20.20.2"
    assert len(facts(found)["bots"][1]["log_tail"]) == 10


# -- for programs -----------------------------------------------------------------------------


def test_the_facts_are_json_with_every_cause_and_add_up() -> None:
    found = facts(standings())
    first, second = found["bots"]
    assert set(second["faults"]) == {fault.value for fault in Fault}
    assert second["faults"]["forfeited"] == len(found["forfeits"]) == 4
    assert first["won"] + second["won"] + first["drawn"] == len(found["games"]) == 8
    assert first["games_by_seat"] == second["games_by_seat"] == [4, 4]
    assert first["version"] == "1"
    assert found["seed"] == "7"
    assert found["limits_nanoseconds_and_counts"]["turn"] == 1_000_000_000
    (pair,) = found["pairs"]
    assert (pair["wins"], pair["draws"], pair["losses"]) == (
        first["won"],
        first["drawn"],
        second["won"],
    )
    assert sum(pair["boards_by_half_points"]) == pair["boards"] == found["boards"] == 4


def test_means_are_over_boards_that_nobody_forfeited() -> None:
    found = facts(standings())
    spoilt = {game["board"] for game in found["games"] if game["forfeited_teams"]}
    points = [
        game["points"][game["teams"][game["seats"].index("patient")]]
        for game in found["games"]
        if game["board"] not in spoilt
    ]
    assert spoilt
    assert found["bots"][0]["mean_points"]["mean"] == pytest.approx(sum(points) / len(points))


def test_where_there_are_no_points_there_are_km() -> None:
    found = facts(standings(series_plan("patient", "hostile", preset="plateau")))
    assert "mean_points" not in found["bots"][1]
    assert found["bots"][1]["mean_km"]["mean"] > 0
    assert "hands_won" in found["games"][0]
    assert "points" not in found["games"][0]


def test_json_has_no_infinity() -> None:
    found = SeriesFacts(PLAN, "7").facts(standings(series_plan("crasher", "eager", boards=4)))
    text = json.dumps(found, allow_nan=False)
    assert json.loads(text)["pairs"][0]["elo"]["mean"] is None


def test_csv_has_a_line_for_every_game_and_seat() -> None:
    found = standings()
    rows = list(csv.DictReader(io.StringIO(SeriesFacts(PLAN, "7").csv(found))))
    assert len(rows) == 2 * PLAN.games
    for row, (game, seat) in zip(
        rows, [(game, seat) for game in found.games for seat in (0, 1)], strict=True
    ):
        assert (int(row["board"]), int(row["rotation"])) == (game.board, game.rotation)
        assert int(row["seat"]) == seat
        assert row["bot"] == PLAN.bots[game.bots[seat]].name
        assert int(row["rank"]) == game.ranks[game.team_of[seat]]
        assert int(row["forfeited"]) == (game.team_of[seat] in game.forfeited)


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@sum", "=cmd|'/c calc'!A1", '"a,b"'])
def test_a_name_is_no_formula_in_a_sheet(name: str) -> None:
    plan = replace(PLAN, bots=(manifest(name), manifest("b")))
    found = Standings(plan)
    for match in played(PLAN).finished.values():
        found.add(match)
    rows = list(csv.DictReader(io.StringIO(SeriesFacts(plan, "7").csv(found))))
    names = {row["bot"] for row in rows}
    assert names == {"b", name if name[0] == '"' else f"'{name}"}


# -- how it stands ----------------------------------------------------------------------------


def test_the_running_estimate_is_the_first_side_s_against_the_other() -> None:
    found = standings()
    text = estimate_text(found, sides(PLAN))
    assert text.startswith("patient ")
    assert text.endswith("], 4 boards")
    assert estimate_text(Standings(PLAN), sides(PLAN)) == "0 boards"


def test_of_more_sides_who_leads_is_told() -> None:
    plan = series_plan("crasher", "patient", "crasher", boards=4)
    assert (
        estimate_text(standings(plan), sides(plan))
        == "patient leads with 100.0 % of the games, 4 boards"
    )


# -- logs -------------------------------------------------------------------------------------


def test_logs_get_safe_names_in_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "logs"
    make_folder(folder, "--logs")
    write_logs(folder, ["../a b", "é" * 64], ["one\n", "two\né"])
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "1-.._a_b.log": "one\n",
        f"2-{'_' * 64}.log": "two\né",
    }


def test_a_folder_that_cannot_be_is_refused_before_the_match(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(typer.BadParameter, match=r"file/logs: cannot be written to: Not a dir"):
        make_folder(tmp_path / "file" / "logs", "--logs")


def test_a_log_that_cannot_be_written_leaves_nothing_half_done(tmp_path: Path) -> None:
    (tmp_path / "1-a.log").mkdir()
    with pytest.raises(HostFault, match=r"1-a\.log: cannot be written: Is a directory"):
        write_logs(tmp_path, ["a"], ["text"])
    assert [path.name for path in tmp_path.iterdir()] == ["1-a.log"]
