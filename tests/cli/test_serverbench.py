"""`arena bench server`, in sizes that take seconds."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from sqlalchemy import select
from typer.testing import CliRunner

from arena.app.rated import calendar
from arena.cli import serverbench
from arena.cli.serverbenchasks import ask, ask_store, measure_rebuild, measure_recording
from arena.cli.serverbenchfill import ACTIVE, Size, fill, size_of
from arena.cli.serverbenchladder import play_ladder
from arena.cli.serverbenchplay import (
    Conditions,
    Cost,
    Stay,
    cost_of,
    play_part,
    summed_up,
)
from arena.cli.serverbenchwire import ask_service
from arena.errors import HostFault
from arena.storage.check import check_data
from arena.storage.inputs import digest_of
from arena.storage.recording import result_payload
from arena.storage.schema import RESULTS
from arena.storage.store import Store, open_store
from arena.tournament.matches import Sandbox

SIZE = Size(60, 300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that is filled, and that nobody has open."""
    folder = tmp_path_factory.mktemp("bench") / "data"
    with open_store(folder, calendar) as store:
        fill(store, SIZE)
    return folder


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    with open_store(folder, calendar) as store:
        yield store


# -- what is filled in ----------------------------------------------------------------------------


def test_what_is_filled_in_could_have_been_played(tmp_path: Path) -> None:
    told = 0

    def tell(done: int) -> None:
        nonlocal told
        told += done

    with open_store(tmp_path / "data", calendar) as store:
        fill(store, SIZE, tell)
        assert size_of(store) == SIZE
        assert told == SIZE.matches
        assert store.ledger.rebuild().different  # its ratings are made by a plain formula
    checked = check_data(tmp_path / "data")
    # There are no uploads: whatever else is promised holds.
    assert {one.promise for one in checked.violations} == {5}
    assert (checked.matches, checked.results) == (SIZE.matches, SIZE.matches)
    assert checked.events == 2 * SIZE.matches


def test_the_ledger_chains_what_results_say(store: Store) -> None:
    with store.database.reading() as connection:
        rows = connection.execute(select(RESULTS)).mappings().all()
    assert len(rows) == SIZE.matches
    assert all(digest_of(result_payload(row)) == row["payload_sha256"] for row in rows)


def test_a_folder_that_is_filled_already_is_used_again(store: Store) -> None:
    head = store.ledger.entries(1000).items[-1].chain
    fill(store, SIZE)
    assert store.ledger.entries(1000).items[-1].chain == head


def test_a_folder_with_something_else_is_refused(store: Store) -> None:
    with pytest.raises(HostFault, match="holds 60 entrants and 300 matches already"):
        fill(store, Size(60, 301))


def test_only_some_entrants_are_active(store: Store) -> None:
    assert len(store.entrants.candidates()) == min(ACTIVE, SIZE.entrants)


# -- what is asked --------------------------------------------------------------------------------


def test_questions_are_counted_and_put_in_order() -> None:
    asked = ask("nothing", [lambda: None, lambda: None], 100, target=5)
    assert asked.count == 100
    assert asked.p50 <= asked.p99
    assert asked.rate > 0
    assert asked.early > 1


def test_the_store_answers_all_questions(store: Store) -> None:
    asked = list(ask_store(store, SIZE, 20))
    assert len({one.name for one in asked}) == len(asked) == 5
    assert all(one.count == 20 and one.rate > 0 for one in asked)


def test_the_service_answers_all_questions(folder: Path) -> None:
    asked = list(ask_service(folder, SIZE, 20, 2))
    assert [one.count for one in asked] == [20, 20, 20, 20]
    assert all(one.processor > 0 or one.p50 > 0 for one in asked)


def test_a_service_that_does_not_begin_is_told(folder: Path, store: Store) -> None:
    with pytest.raises(HostFault, match="has not begun: data folder"):
        next(ask_service(folder, SIZE, 20, 1))


def test_a_rebuild_puts_right_what_was_filled_in() -> None:
    rebuilt = measure_rebuild(SIZE, lambda done: None)
    assert rebuilt.matches == SIZE.matches
    assert min(rebuilt.write, rebuilt.check) > 0


def test_recording_is_measured_against_the_disk() -> None:
    recorded = measure_recording(10)
    assert min(dataclasses.astuple(recorded)) > 0


# -- what is played -------------------------------------------------------------------------------


def conditions(sandbox: Sandbox | None) -> Conditions:
    return Conditions(
        name="few", sandbox=sandbox, boards=1, hands=1, is_sealed=False, at_once=1, matches=2
    )


def test_only_the_time_counts_in_which_every_place_could_be_taken() -> None:
    stays = [
        Stay(began=0, ended=10, starting=1),
        Stay(began=0, ended=8, starting=0.8),
        Stay(began=10, ended=20, starting=3),
    ]
    two = dataclasses.replace(conditions(None), at_once=2)
    played = summed_up(two, stays)
    assert played.empty == pytest.approx(0.1)  # one place was empty for 2 s of twice 10
    assert played.stay == pytest.approx(28 / 3)
    assert played.per_hour == pytest.approx(3600 * 18 / 10 / (28 / 3))
    assert played.starting == pytest.approx((0.1 + 0.1 + 0.3) / 3)


def test_void_matches_hold_places_and_bring_nothing() -> None:
    stays = [
        Stay(began=0, ended=4, is_void=True),
        Stay(began=4, ended=10),
        Stay(began=10, ended=16),
    ]
    played = summed_up(conditions(None), stays)
    assert (played.matches, played.voids) == (2, 1)
    assert played.empty == 0
    assert played.per_hour == pytest.approx(3600 / 10)  # one was whole in those 10 s
    with pytest.raises(HostFault, match="every match of the bench was void"):
        summed_up(conditions(None), stays[:1])


def test_what_starting_costs_follows_from_two_lengths() -> None:
    cost = cost_of(4, 12, (1, 5))
    assert cost == Cost(start=2, board=2)
    assert cost.share(3) == pytest.approx(0.25)
    assert cost.boards_for(0.25) == 3
    assert cost.boards_for(0.24) == 4


def test_parts_are_played_in_process_and_in_processes() -> None:
    inside = play_part(conditions(None))
    outside = play_part(conditions(Sandbox.PROCESS))
    assert (inside.matches, outside.matches) == (2, 2)
    assert inside.starting is None
    assert outside.starting is not None
    assert 0 < outside.starting < 1
    assert inside.stay < outside.stay
    assert inside.processor is not None
    assert outside.processor is not None
    assert 0 < inside.processor < outside.processor
    assert 0 < outside.p50 <= outside.p99


def test_a_ladder_is_played_under_a_director() -> None:
    done = []
    played = play_ladder(conditions(Sandbox.PROCESS), lambda: done.append(1))
    assert len(done) == played.matches == 2  # void ones are played again
    assert played.per_hour > 0
    assert 0 < played.p50 <= played.p99


# -- the command ----------------------------------------------------------------------------------


def run(*arguments: str) -> str:
    app = typer.Typer()
    app.command()(serverbench.server)
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


SMALL = ("--entrants", "60", "--matches", "300", "--requests", "10")


def test_the_command_prints_one_json_value(tmp_path: Path) -> None:
    keep = ("--keep", str(tmp_path / "data"))
    found = json.loads(run("--json", *SMALL, *keep, "--part", "requests", "--part", "matchmaker"))
    names = [one["name"] for one in found["requests"]]
    assert names[0] == "page of standings"
    assert "page of standings, gRPC" in names
    assert "candidates, from the store" in names
    assert found["play"] == []
    again = run(*SMALL, *keep, "--part", "matchmaker")  # the same folder
    assert "60 active" in again


def test_the_command_prints_rates_for_people() -> None:
    told = run("--rebuilt", "50", "--recorded", "10", "--part", "rebuild", "--part", "recording")
    assert "Ratings of 50 matches" in told
    assert "reports/s" in told
