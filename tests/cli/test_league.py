"""`arena league`: every group meets on the same boards, and all are rated in one order."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from arena.cli.leaguetable import RATING, Group, League
from arena.cli.planning import Conditions
from arena.ladder.rating import Ranking, rate_all
from arena.tournament.standings import Standings
from tests.cli.matchroom import FIRST, Done, Room
from tests.tournament.scripted import played, series_plan

EXPRESS = ("-r", "express", "--seed", "7", "-n", "2")
BOTS = ("bots:First", "bots:Last", "bots:Chance")


def league(room: Room, *args: str) -> Done:
    return room.call("league", *args, "--in-process")


def _games(duel: dict[str, Any]) -> int:
    return int(duel["wins"] + duel["draws"] + duel["losses"])


def facts(room: Room, *args: str) -> Any:
    done = league(room, *args, "--json")
    assert done.code == 0, done.err
    return done.json


def test_every_bot_meets_every_other_in_both_rotations(room: Room) -> None:
    found = facts(room, *BOTS, *EXPRESS)
    assert {bot["name"] for bot in found["bots"]} == set(BOTS)
    for bot in found["bots"]:
        assert bot["games"] == 2 * 2 * 2
        assert set(bot["against"]) == set(BOTS) - {bot["name"]}
        for duel in bot["against"].values():
            assert duel["wins"] + duel["draws"] + duel["losses"] == 4
            assert duel["share"]["interval"][0] <= duel["share"]["mean"]
    against = {bot["name"]: bot["against"] for bot in found["bots"]}
    for one, other in combinations(BOTS, 2):
        assert against[one][other]["wins"] == against[other][one]["losses"]
        assert against[one][other]["draws"] == against[other][one]["draws"]


@pytest.mark.parametrize(("columns", "has_room"), [(60, False), (160, True)])
def test_intervals_are_in_the_table_where_they_fit(
    room: Room, monkeypatch: pytest.MonkeyPatch, columns: int, has_room: bool
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = league(room, *BOTS, *EXPRESS).out.splitlines()
    told = "below a share its 95 % interval, from boards, not from games"
    assert (told in lines) == has_room
    assert any("--json has the 95 % intervals" in line for line in lines) != has_room
    assert bool(re.search(r"\d+-\d+", "\n".join(lines))) == has_room


def test_what_is_counted_is_said_in_the_right_number(room: Room) -> None:
    done = league(room, *BOTS[:2], "-r", "express", "--seed", "7", "-n", "1")
    assert done.err.splitlines()[0] == (
        "plan: 2 bots, 1 group of 2, 1 board in 2 rotations each; seed 7"
    )


def test_bots_are_ranked_by_their_share(room: Room) -> None:
    found = facts(room, *BOTS, *EXPRESS)
    shares = [bot["share"]["mean"] for bot in found["bots"]]
    assert shares == sorted(shares, reverse=True)
    assert all(0 < bot["sigma"] < RATING.sigma for bot in found["bots"])


def test_the_table_has_mu_sigma_games_and_a_cross_table(room: Room) -> None:
    done = league(room, *BOTS, *EXPRESS)
    assert done.code == 0
    assert done.err == ("plan: 3 bots, 3 groups of 2, 2 boards in 2 rotations each; seed 7\n")
    words = done.out.split()
    for heading in ("bot", "mu", "sigma", "games", "forfeits", "1", "2", "3"):
        assert heading in words
    assert "share in % of a line's bot against a column's" in done.out


@pytest.mark.slow
def test_the_number_of_jobs_changes_nothing(room: Room) -> None:
    args = (*BOTS, "-r", "express", "--seed", "7", "-n", "4", "--match-boards", "1")
    assert facts(room, *args, "--jobs", "2") == facts(room, *args)


@pytest.mark.slow
def test_tables_of_three(room: Room) -> None:
    found = facts(room, *BOTS, "bots:Raising", *EXPRESS, "--players", "3")
    for bot in found["bots"]:
        assert bot["games"] == 3 * 2 * 3  # groups, boards, rotations
        assert sum(_games(duel) for duel in bot["against"].values()) == 2 * bot["games"]


@pytest.mark.slow
def test_a_forfeit_is_a_loss_and_is_counted(room: Room) -> None:
    found = facts(room, "bots:First", "bots:Last", "bots:Exiting", *EXPRESS)
    last = found["bots"][-1]
    assert (last["name"], last["forfeits"]) == ("bots:Exiting", 8)
    assert {duel["losses"] for duel in last["against"].values()} == {4}


def test_ratings_are_those_of_all_games_in_the_order_of_their_boards() -> None:
    """No group is rated long before another one: that would favour whoever comes late."""
    groups = []
    for names in combinations(("patient", "random", "hostile"), 2):
        plan = series_plan(*names, boards=3)
        standings = Standings(plan)
        for match in played(plan).finished.values():
            standings.add(match)
        groups.append(Group(names, standings))
    games = sorted(
        (
            (game.board, number, game.rotation, group, group.standings.score(game).ranks)
            for number, group in enumerate(groups)
            for game in group.standings.games
        ),
        key=lambda one: one[:3],
    )
    rankings = [
        Ranking(tuple((name,) for name in group.names), ranks) for *_, group, ranks in games
    ]
    forth, back = rate_all(RATING, rankings), rate_all(RATING, rankings[::-1])
    found = League(("patient", "random", "hostile"), groups, Conditions())
    for name in found.names:
        assert found.rating(name).mu == (forth[name].mu + back[name].mu) / 2
        assert found.rating(name).sigma == (forth[name].sigma + back[name].sigma) / 2


def test_bots_that_are_the_same_are_rated_the_same(room: Room) -> None:
    """Each wins every board once: no order of the games may make one of them better."""
    (room.folder / "twin.py").write_text((room.folder / "bots.py").read_text())
    found = facts(room, "bots:First", "twin:First", *EXPRESS)
    one, other = found["bots"]
    assert one["share"]["mean"] == other["share"]["mean"] == 0.5
    assert one["mu"] == pytest.approx(other["mu"], abs=1e-9)


@pytest.mark.slow
def test_two_versions_of_a_bot_are_two_bots(room: Room) -> None:
    old = room.bot("mine", FIRST, version="1.0", folder="old")
    new = room.bot("mine", FIRST, version="1.1", folder="new")
    found = facts(room, old, new, "bots:Last", *EXPRESS)
    assert {bot["name"] for bot in found["bots"]} == {"mine 1.0", "mine 1.1", "bots:Last"}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["bots:First", "bots:First"], "bot 'bots:First' is there twice; a league has every bot"),
        (["bots:First"], "1 bot: a table has 2; name more"),
        ([*BOTS, "bots:Raising", "-p", "4"], "4 players of this game are partners; say --players"),
        ([*BOTS, "-r", "poker"], "unknown preset 'poker'"),
        ([*BOTS, "nobody"], "unknown bot 'nobody'"),
        ([*BOTS, "--record", "records"], "--record and --port are about what goes over"),
        ([*BOTS, "bots:Unmakable", "-r", "express"], "bot 'bots:Unmakable' did not start: "),
    ],
    ids=lambda value: " ".join(value)[-30:] if isinstance(value, list) else "",
)
def test_what_is_wrong_is_told_in_one_line(room: Room, args: list[str], message: str) -> None:
    done = league(room, *args)
    assert done.code == 2
    assert done.message.startswith(message)
    told = [line for line in done.err.splitlines() if not line.startswith("plan: ")]
    # What was played until then is not lost, and is told.
    assert len(told) == 1 or "finished matches are kept" in told[0]


@pytest.mark.slow
def test_a_league_is_taken_up_where_it_was(room: Room) -> None:
    args = (*BOTS, "-r", "express", "-n", "4", "--match-boards", "2", "--resume", "states")
    whole = facts(room, *args)
    states = sorted((room.folder / "states").iterdir())
    assert [path.name for path in states] == [f"group-000{number}.resume" for number in (1, 2, 3)]
    lines = states[1].read_bytes().splitlines(keepends=True)
    states[1].write_bytes(lines[0] + lines[2])
    states[2].unlink()
    assert facts(room, *args) == whole
    done = league(room, *args, "--seed", "another")
    assert done.code == 2
    assert "group-0001.resume belongs to another plan: seed" in done.message


@pytest.mark.slow
def test_what_was_played_before_a_failure_is_kept_and_told(room: Room, tmp_path: Path) -> None:
    args = ("bots:First", "bots:Last", "bots:Unmakable", *EXPRESS)
    done = league(room, *args)
    assert done.code == 2
    assert "bots:First" in done.out  # the table of what was played
    (folder,) = (tmp_path / "temporary").iterdir()
    assert f"go on with the same command and --resume {folder}" in done.err
    mended = (room.folder / "bots.py").read_text().replace('raise ValueError("no cards")', "pass")
    (room.folder / "bots.py").write_text(mended)
    found = facts(room, *args, "--resume", str(folder))
    assert len(found["bots"]) == 3
    assert len(json.loads((folder / "group-0001.resume").read_text().splitlines()[0])) > 10
    league(room, *args)  # and one that comes to its end leaves nothing
    assert list((tmp_path / "temporary").iterdir()) == [folder]
