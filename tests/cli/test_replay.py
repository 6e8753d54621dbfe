"""`arena replay`: what is shown of a record, to whom, and by which keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.cli import frames
from arena.engine.cards import Card
from arena.engine.deal import Board
from arena.engine.view import view
from arena.referee.events import Prompt
from arena.referee.game import MatchPlan
from arena.referee.limits import WindowMode
from arena.referee.record import Chain
from arena.referee.scripted import Reply, Script, ScriptedSeat
from tests.cli.recordcommands import arena, sample, write
from tests.referee.plans import make_plan, patient
from tests.referee.recorded import chained, erratic, recorded, said_by

LINES = sample()
SAID = said_by(LINES)
PLAYS: list[dict[str, Any]] = [line for line in SAID if line["t"] == "play"]
NAME = "00000-0"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return write(tmp_path / "record.jsonl", LINES)


def replayed(*args: str | Path) -> list[str]:
    done = arena("replay", *args)
    assert (done.code, done.err) == (0, "")
    return done.out.splitlines()


def actions(lines: list[str]) -> list[str]:
    """The lines that begin an action."""
    return [line for line in lines if re.match(r" {0,4}\d+ seat \d ", line)]


# -- plain ------------------------------------------------------------------------------------


def test_plain_is_one_line_an_action(record: Path) -> None:
    lines = replayed(record)
    shown = actions(lines)
    assert len(shown) == len(PLAYS)
    for number, (line, play) in enumerate(zip(shown, PLAYS, strict=True), 1):
        assert line.startswith(f"{number:>5} seat {play['seat']} ")
        assert f": {play['action'].replace(' on ', ' on team ')} " in line
        assert " | 1: " in line  # both tables
    assert lines[0] == f"match {NAME}, attempt 1, 2026-01-01T00:00:00+00:00"
    assert sum(line.startswith("game ") for line in lines) == 2
    assert sum(line.startswith("hand ") for line in lines) == 4
    assert "verdict COMPLETED" in lines


def test_full_says_everything(record: Path) -> None:
    text = "\n".join(replayed(record, "--full"))
    for play in PLAYS:
        assert f"prompt {play['prompt']}: {play['spent'] / 1e6:,.1f} ms" in text
    assert "the default action, because timed_out; strikes 1" in text
    assert "may answer" in text
    rejected = [line for line in SAID if line["t"] == "rejected"]
    assert all(f"was told: {line['detail']}" in text for line in rejected)
    ends = [line for line in SAID if line["t"] == "hand"]
    assert all(f"{km} km, {points} points" in text for line in ends for km, points in _sums(line))


def _sums(line: dict[str, Any]) -> list[tuple[int, int]]:
    return list(zip(line["km"], line["points"], strict=True))


def test_a_game_a_hand_and_a_beginning_can_be_chosen(record: Path) -> None:
    whole = actions(replayed(record))
    game = actions(replayed(record, "--game", "1"))
    hands = [actions(replayed(record, "--game", "1", "--hand", str(hand))) for hand in (0, 1)]
    assert game == hands[0] + hands[1]
    assert whole[-len(game) :] == game
    assert actions(replayed(record, "--from", "30")) == whole[29:]
    assert actions(replayed(record, "--from", "30", "--full")) != whole[29:]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--game", "2"], "game 2: the record has games 0 to 1"),
        (["--hand", "0"], "hand 0: of which game? Add --game, from 0 to 1"),
        (["--game", "0", "--hand", "9"], "hand 9: game 0 has hands 0 to 1"),
        (["--from", "99999"], f"action 99999: this has actions 1 to {len(PLAYS)}"),
        (["--line", "99999"], f"line 99999: the record has lines 1 to {len(LINES)}"),
        (["--line", "9", "--as-seat", "0"], "line 9: no seat knows the lines; leave out --as-seat"),
        (["--line", "9", "--from", "2"], "--from 2 and --line 9 each say where to begin; give one"),
        (["--seat", "0"], "--seat 0 says whose prompt; add --prompt, or say --as-seat"),
        (
            ["--prompt", "2", "--seat", "0", "--as-seat", "1"],
            "--seat 0: seat 1 knows its own prompts alone",
        ),
        (
            ["--prompt", "1", "--seat", "0", "--game", "1", "--hand", "1"],
            "prompt 1: the prompts of seat 0 in game 1 are ",
        ),
        (["--prompt", "99999"], "prompt 99999: the prompts of bots are 1 to "),
        (["--as-seat", "2"], "seat 2 is not at the table; the seats are 0 to 1"),
    ],
)
def test_what_is_not_there_is_named(record: Path, args: list[str], message: str) -> None:
    done = arena("replay", record, *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"arena: {message}")
    assert done.err.count("\n") == 1


def test_a_prompt_is_found_by_the_number_that_a_fault_names(record: Path) -> None:
    late = next(play for play in PLAYS if play.get("fault") == "timed_out")
    game = str(late["game"]) if "game" in late else None
    args = ["--prompt", str(late["prompt"]), "--seat", str(late["seat"])]
    found = [
        at
        for at, play in enumerate(PLAYS)
        if (play["prompt"], play["seat"]) == (late["prompt"], late["seat"])
    ]
    shown = json.loads(arena("replay", record, *args, "--game", game or "0", "--json").out)
    assert shown["steps"][0]["step"] == found[0] + 1
    assert shown["steps"][0]["fault"] == "timed_out"


def test_a_prompt_that_several_bots_have_had_needs_a_seat(record: Path) -> None:
    done = arena("replay", record, "--prompt", "5")
    assert done.code == 2
    assert re.search(r"^arena: prompt 5: there are several: seat \d of game 0, seat", done.err)
    mine = [at for at, play in enumerate(PLAYS, 1) if (play["prompt"], play["seat"]) == (5, 1)]
    args = ["--prompt", "5", "--seat", "1", "--game", "0"]
    assert actions(replayed(record, *args))[0].startswith(f"{mine[0]:>5} seat 1 ")
    as_seat = json.loads(arena("replay", record, "--prompt", "5", "--as-seat", "1", "--json").out)
    assert as_seat["steps"][0]["prompt"] == 5
    assert as_seat["steps"][0]["own"]


def test_a_line_is_that_of_the_file_or_the_next_action(record: Path) -> None:
    plays = [at for at, line in enumerate(SAID, 1) if line["t"] == "play"]
    whole = actions(replayed(record))
    assert actions(replayed(record, "--line", str(plays[7]))) == whole[7:]
    assert actions(replayed(record, "--line", "1")) == whole
    assert actions(replayed(record, "--line", str(len(SAID)))) == whole[-1:]


def test_a_record_that_does_not_hold_is_not_replayed(tmp_path: Path) -> None:
    forged = said_by(LINES)
    forged[20] = forged[20] | {"at": 0}
    path = write(tmp_path / "forged.jsonl", chained(forged))
    done = arena("replay", path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"arena: {path}: line 21: at is 0, must be at least ")


def test_a_match_without_a_game_has_nothing_to_replay(tmp_path: Path) -> None:
    absent = [ScriptedSeat(joins=lambda life: False) for _ in range(2)]
    lines = replayed(write(tmp_path / "absent.jsonl", recorded(make_plan(), *absent)))
    assert "bot 0 forfeits, STARTUP: exited with 1 before it joined" in lines
    assert "verdict FORFEIT" in lines


def test_names_may_hold_anything(tmp_path: Path) -> None:
    said = said_by(LINES)
    evil = [
        {"name": "\x1b[2J[bold red]evil[/]\n\u202e", "version": "\ud800", "digest": ""},
        {"name": "", "version": "", "digest": ""},
    ]
    said[0] = said[0] | {"bots": evil, "match": "\x07bell"}
    text = json.dumps(said[0], separators=(",", ":"))  # a lone surrogate must be escaped
    assert "\\ud800" in text
    path = tmp_path / "evil.jsonl"
    path.write_bytes(b"".join(_chained_ascii(said)))
    for args in ([], ["--full"], ["--as-seat", "0"]):
        done = arena("replay", path, *args)
        assert done.code == 0
        assert not set(done.out) & {"\x1b", "\x07", "\u202e", "\ud800"}
        assert "[bold red]evil[/]" in done.out or "[bold red" in done.out


def _chained_ascii(said: list[dict[str, object]]) -> Iterator[bytes]:
    chain = Chain()
    for line in said:
        body = json.dumps(line, separators=(",", ":")).encode()
        yield body[:-1] + b',"chain":"' + chain.add(body).encode() + b'"}\n'


# -- JSON -------------------------------------------------------------------------------------


def test_json_has_every_line_of_play_and_what_it_led_to(record: Path) -> None:
    done = arena("replay", record, "--json")
    facts = json.loads(done.out)
    assert done.code == 0
    assert facts["head"] == json.loads(LINES[-1])["chain"]
    assert len(facts["steps"]) == len(PLAYS)
    for step, play in zip(facts["steps"], PLAYS, strict=True):
        assert {name: step[name] for name in play if name != "t"} == {
            name: value for name, value in play.items() if name != "t"
        }
        assert json.loads(LINES[step["line"] - 1])["action"] == step["action"]
        card = step["action"].split()[1] if " " in step["action"] else None
        assert card in (None, "pile", *step["held"])
    games = facts["games"]
    assert [game["result"]["totals"] for game in games] == [
        line["totals"] for line in SAID if line["t"] == "result"
    ]
    last = games[-1]["hands"][-1]
    assert [table["km"] for table in facts["steps"][-1]["tables"]] == last["km"]


def test_json_as_a_seat_has_its_view_and_its_own_times_alone(record: Path) -> None:
    facts = json.loads(arena("replay", record, "--json", "--as-seat", "1").out)
    assert "head" not in facts
    assert facts["as_seat"] == 1
    mine = [step for step in facts["steps"] if step["own"]]
    assert [step["action"] for step in mine] == [
        play["action"] for play in PLAYS if play["seat"] == 1
    ]
    assert all(step["action"] in step["legal"] for step in mine)
    for step in facts["steps"]:
        if not step["own"]:
            assert not step.keys() & {"spent", "lag", "bank", "fault", "prompt", "line", "action"}
            hidden = [one for one in step["events"] if one["kind"] in ("DRAWN", "DISCARDED")]
            assert all(one["card"] is None for one in hidden if one["seat"] != 1)


# -- what a seat knows --------------------------------------------------------------------------


def avoiding(kinds: set[Card]) -> Script:
    """Play something else than these kinds as long as there is something else."""

    def script(prompt: Prompt) -> list[Reply]:
        legal = prompt.view.legal
        others = [action for action in legal if action.card not in kinds]
        return [Reply((others or legal)[0])]

    return script


EXCHANGES = [
    ("classic", 2, WindowMode.PROMPT),
    ("classic", 4, WindowMode.SEALED),
    ("express", 3, WindowMode.PROMPT),
    ("plateau", 2, WindowMode.STANDING),
]


@pytest.mark.parametrize(("preset", "players", "window"), EXCHANGES)
def test_exchanged_hidden_cards_change_nothing_that_a_seat_is_shown(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    preset: str,
    players: int,
    window: WindowMode,
) -> None:
    plan = make_plan(preset, players, window=window, seed="exchange")
    texts = exchanged(tmp_path, monkeypatch, plan)
    for name in SEAT_0:
        first, second = (text[name] for text in texts)
        assert first == second
        assert len(first) > 1000
    assert texts[0]["open"] != texts[1]["open"]  # there is something to see for whoever may


def test_a_leak_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay that shows seat 0 what seat 1 knew fails the test above in every form."""
    monkeypatch.setattr(frames, "view", lambda state, seat, since=0: view(state, 1, since))
    texts = exchanged(tmp_path, monkeypatch, make_plan(seed="exchange"))
    assert all(texts[0][name] != texts[1][name] for name in ("full", "json"))


def exchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plan: MatchPlan
) -> list[dict[str, str]]:
    """What seat 0 is shown, and all that there is, of two matches that differ in two hidden cards.

    Seat 1 holds one of them and draws the other one, and plays neither as long as it can. Shown is
    what comes before that.
    """
    players = plan.seating.players
    order = plan.boards[0].deck_order(0, plan.rules.deck(players))
    mine = 1  # the first card that seat 1 is dealt, for seat 0 is dealt first
    stripe = range(players * plan.rules.hand_size + 1, len(order), players)
    later = stripe[len(stripe) // 2 :]  # early enough that nobody else draws from this stripe
    other = next(at for at in later if order[at] != order[mine])
    kinds = {Card(order[mine]), Card(order[other])}
    swapped = bytearray(order)
    swapped[mine], swapped[other] = order[other], order[mine]
    texts: list[dict[str, str]] = []
    until: set[int] = set()
    for deck in (order, bytes(swapped)):
        monkeypatch.setattr(Board, "deck_order", lambda *_, deck=deck: deck)
        scripts = [avoiding(kinds) if seat == 1 else patient for seat in range(players)]
        lines = recorded(plan, *scripts)
        until.add(_shown_before_seat_1_plays(lines, kinds))
        path = write(tmp_path / "exchanged.jsonl", lines)
        everything = SEAT_0 | {"open": ["--full"]}
        texts.append({name: arena("replay", path, *args).out for name, args in everything.items()})
    count = min(until)
    assert count > 25
    return [{name: _first_actions(text, count) for name, text in shown.items()} for shown in texts]


SEAT_0 = {
    "brief": ["--as-seat", "0"],
    "full": ["--as-seat", "0", "--full"],
    "json": ["--as-seat", "0", "--json"],
}


def _shown_before_seat_1_plays(lines: list[bytes], kinds: set[Card]) -> int:
    """How many actions seat 0 is shown before seat 1 plays one of the exchanged cards."""
    shown = 0
    for line in said_by(lines):
        if line["t"] == "play":
            play: dict[str, Any] = line
            if play["seat"] == 1 and any(card.name in play["action"] for card in kinds):
                break
            shown += play["seat"] == 0 or bool(play["events"])
    return shown


def _first_actions(text: str, count: int) -> str:
    end = f'"step": {count + 1},' if text.startswith("{") else f"\n{count + 1:>5} seat "
    return text.partition(end)[0]


def test_a_record_with_mischief_of_all_kinds_is_shown_whole(tmp_path: Path) -> None:
    for mode in WindowMode:
        plan = make_plan("classic", 6, window=mode, seed=str(mode))
        lines = recorded(plan, *(erratic(seat, 0.1) for seat in range(6)))
        path = write(tmp_path / f"{mode}.jsonl", lines)
        plays = [line for line in said_by(lines) if line["t"] == "play"]
        assert len(actions(replayed(path, "--full"))) == len(plays)
        for seat in range(6):
            seen = actions(replayed(path, "--as-seat", str(seat)))
            visible = [play for play in plays if play["events"] or play["seat"] == seat]
            assert len(seen) == len(visible)
