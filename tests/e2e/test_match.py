"""`arena match` as it is: real processes, real sockets, and nothing left behind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from arena.app import MatchSpec, play_match
from arena.engine.deal import seed_from_text
from arena.engine.rulesets import make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import make_seating
from arena.errors import BotError
from arena.referee.events import Effect, Played
from arena.referee.limits import TimeControl, nanos
from arena.referee.tally import Fault
from arena.submissions.manifest import LANGUAGES, find_bot

ARENA = Path(sys.executable).with_name("arena")
ODD_BOT = Path(__file__).with_name("odd_bot.py")
MARK = "ARENA_TEST_MARK"
PATIENT = ("--turn-time", "60", "--response-window", "30")
"""Limits that no bot runs into because this machine is busy."""


# These tests may be run by something that ignores hang-ups, which would be inherited.
HEED_HANG_UPS = """\
import os, signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""


@dataclass
class House:
    """Where a test plays: a mark that processes inherit, folders for temporary files and bots."""

    mark: str
    temporary: Path
    bots: Path

    def bot(self, kind: str) -> str:
        """The folder of an odd bot."""
        folder = self.bots / kind
        folder.mkdir()
        command = json.dumps(["python", str(ODD_BOT), kind])
        (folder / "bot.toml").write_text(
            f'name = "{kind}"\nversion = "1"\nlanguage = "python"\nrun = {command}\n'
        )
        return str(folder)

    def play_here(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let matches of this very process play in the house as well."""
        monkeypatch.setenv(MARK, self.mark)
        monkeypatch.setattr(tempfile, "tempdir", str(self.temporary))

    def environment(self) -> dict[str, str]:
        return {**os.environ, MARK: self.mark, "TMPDIR": str(self.temporary)}

    def start(self, *args: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", HEED_HANG_UPS, ARENA, "match", *args],
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def match(self, *args: str) -> subprocess.CompletedProcess[str]:
        running = self.start(*args)
        out, err = running.communicate(timeout=120)
        return subprocess.CompletedProcess(args, running.returncode, out, err)

    def facts(self, *args: str, limits: Sequence[str] = PATIENT) -> dict[str, Any]:
        done = self.match(*args, *limits, "--json")
        assert done.returncode == 0, done.stderr
        facts: dict[str, Any] = json.loads(done.stdout)
        return facts

    def processes(self) -> list[int]:
        """Every process that carries the mark."""
        line = f"{MARK}={self.mark}".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if line in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
            except OSError:
                continue
        return found


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    # Not below tmp_path, which is too long for a socket.
    with tempfile.TemporaryDirectory(prefix="t-") as name:
        house = House(uuid.uuid4().hex, Path(name), tmp_path)
        yield house
        assert house.processes() == []
        assert list(Path(name).iterdir()) == []


def faults(facts: dict[str, Any], bot: int) -> dict[str, int]:
    return {cause: count for cause, count in facts["bots"][bot]["faults"].items() if count}


# -- matches ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_ten_games_between_the_example_bots(house: House) -> None:
    facts = house.facts("cautious", "random", "--games", "10", "--seed", "7")
    assert [bot["name"] for bot in facts["bots"]] == ["cautious", "random"]
    assert [game["seats"] for game in facts["results"]] == [
        ["cautious", "random"],
        ["random", "cautious"],
    ] * 5
    assert all(max(game["points"]) >= 5000 for game in facts["results"])
    cautious, random = facts["bots"]
    assert cautious["won"] > random["won"]
    assert cautious["games_by_seat"] == random["games_by_seat"] == [5, 5]
    assert faults(facts, 0) == faults(facts, 1) == {}


@pytest.mark.parametrize(
    "args",
    [
        ["random", "random", "--hands", "3"],
        ["cautious", "random", "cautious", "random", "--hands", "1"],
        ["random", "cautious", "random", "-r", "express", "-o", "top_choice=true"],
        ["cautious", "random", "-r", "plateau"],
    ],
    ids=["classic", "teams", "express", "plateau"],
)
def test_the_same_seed_gives_the_same_games(args: list[str], house: House) -> None:
    first, again = (house.facts(*args, "-n", "4", "--seed", "x") for _ in range(2))
    assert len(first["results"]) == 4
    assert first["results"] == again["results"]
    other = house.facts(*args, "-n", "4", "--seed", "y")
    assert other["results"] != first["results"]


def test_the_plan_comes_before_and_the_table_after(house: House) -> None:
    done = house.match("cautious", "random", "-n", "2", "--hands", "1", "--seed", "7")
    assert done.returncode == 0
    assert done.stderr == "playing 2 games, seed 7\n"
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "cautious, random: classic, 2 games of 1 hand, seed 7" in done.stdout
    for word in ("bot", "seats", "won", "drawn", "fourrés", "median", "cautious", "1 each"):
        assert word in done.stdout


def test_a_seed_is_made_and_shown_where_none_is_given(house: House) -> None:
    facts = house.facts("random", "random", "-n", "1", "--hands", "1")
    seed = facts["seed"]
    again = house.facts("random", "random", "-n", "1", "--hands", "1", "--seed", seed)
    assert again["results"] == facts["results"]


def of_the_guide(house: House, name: str) -> str:
    """The folder of one of the bots in the SDK's guide, which has one bot.toml for both."""
    guide = (Path(__file__).parents[2] / "sdk" / "README.md").read_text()
    (manifest,) = re.findall(r"```toml\n(.*?)```", guide, flags=re.DOTALL)
    programs = re.findall(r"```python\n(.*?)```", guide, flags=re.DOTALL)
    folder = house.bots / name
    folder.mkdir()
    (folder / "bot.toml").write_text(manifest.replace("hasty", name))
    (folder / f"{name}_bot.py").write_text(programs[["hasty", "search"].index(name)])
    return str(folder)


def test_the_first_bot_of_the_guide_plays(house: House) -> None:
    bot = of_the_guide(house, "hasty")
    facts = house.facts(bot, "random", "--games", "4", "--hands", "1", "--seed", "7")
    assert facts["bots"][0]["name"] == "hasty"
    assert faults(facts, 0) == {}
    assert facts["bots"][0]["log_tail"] == []


@pytest.mark.parametrize(
    ("ruleset", "games"), [("classic", "2"), ("express", "2"), ("plateau", "2")]
)
def test_the_searching_bot_of_the_guide_plays(ruleset: str, games: str, house: House) -> None:
    bot = of_the_guide(house, "search")
    args = ("--games", games, "--hands", "1", "--seed", "7", "-r", ruleset)
    facts = house.facts(bot, "random", *args)
    assert faults(facts, 0) == {}
    assert facts["bots"][0]["log_tail"] == []
    assert facts["bots"][0]["won"] >= 1


def test_a_program_is_started_as_the_protocol_says(house: House) -> None:
    bot = house.bot("witness")
    logs = house.bots / "logs"
    house.facts(bot, "random", "-n", "1", "--hands", "1", "--logs", str(logs))
    found = json.loads((logs / "1-witness.log").read_text())
    assert found.pop("ARENA_ADDRESS").startswith(f"unix:{house.temporary}/arena-")
    assert 0 <= int(found.pop("ARENA_BOT_SEED")) < 2**64
    here = {"folder": bot, "first in PATH": str(ARENA.parent)}
    assert found == {**here, "input": "", "session": True}


def test_the_program_that_the_protocol_shows_is_a_good_manifest(house: House) -> None:
    text = (Path(__file__).parents[2] / "proto" / "README.md").read_text()
    (manifest,) = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    (house.bots / "bot.toml").write_text(manifest)
    assert find_bot(str(house.bots)).language == "rust"
    assert ", ".join(LANGUAGES) in manifest


# -- bots that do wrong -----------------------------------------------------------------------


def test_a_bot_that_sleeps_through_a_prompt(house: House) -> None:
    limits = ("--turn-time", "3", "--bank", "0", "--response-window", "30")
    bots = [house.bot("sleeper"), house.bot("plain")]
    facts = house.facts(*bots, "-n", "2", "--hands", "1", limits=limits)
    assert len(facts["results"]) == 2
    assert faults(facts, 0) == {"timed_out": 1, "late": 1}
    assert faults(facts, 1) == {}


def test_a_bot_that_wakes_up_after_the_match_leaves_quietly(house: House) -> None:
    limits = ("--turn-time", "0.3", "--bank", "0", "--response-window", "30")
    one_hand = ("-n", "1", "--hands", "1", "--seed", "1")  # this one runs out of cards
    done = house.match(house.bot("snorer"), "random", *one_hand, *limits)
    assert done.returncode == 0
    assert re.search(r"^snorer: \d+ time-outs?", done.stdout, flags=re.MULTILINE)
    assert "wrote" not in done.stderr


def test_a_bot_that_exits_in_the_middle_of_a_game(house: House) -> None:
    facts = house.facts(house.bot("quitter"), house.bot("plain"), "-n", "3", "--hands", "1")
    assert len(facts["results"]) == 3
    assert faults(facts, 0) == {"crashed": 1}
    assert faults(facts, 1) == {}


def test_a_coup_fourre_that_comes_late(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.play_here(monkeypatch)
    seen: list[Played] = []

    def watch(effect: Effect) -> None:
        if isinstance(effect, Played):
            seen.append(effect)

    spec = spec_of(house, "dawdler", "attacker", hands=2)
    outcome = play_match(spec, watch=watch)
    dawdler, attacker = outcome.tallies
    late = dawdler.faults[Fault.LATE]
    assert late >= 1
    # No penalty: nothing but the window and the answer that came after it is counted.
    assert set(dawdler.faults) == {Fault.LATE, Fault.MISSED_WINDOW}
    assert dawdler.coups_fourres == 0
    assert dict(attacker.faults) == {}
    # The attack stands: what was played for the dawdler is a pass, and the attack's turn is over.
    passes = [at for at, one in enumerate(seen) if str(one.action) == "pass" and not one.answered]
    assert len(passes) == dawdler.faults[Fault.MISSED_WINDOW] >= late
    for at in passes:
        assert seen[at].seat == 0
        assert seen[at - 1].seat == 1
        assert seen[at - 1].action.team == 0
        assert at + 1 == len(seen) or seen[at + 1].seat == 0


def test_a_bot_that_raises_plays_on_and_its_log_is_told_and_kept(house: House) -> None:
    logs = house.bots / "logs"
    bots = (house.bot("clumsy"), "random")
    done = house.match(*bots, "-n", "1", "--hands", "1", "--logs", str(logs))
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    tail = lines[lines.index("clumsy wrote:") + 1 :]
    assert len(tail) == 5
    assert "  RuntimeError: dropped all my cards" in tail
    assert re.match(r"  arena_sdk: choose raised \d times? \(last: RuntimeError: dropped", tail[-1])
    log = (logs / "1-clumsy.log").read_text().splitlines()
    assert log[-1].startswith(tail[-1].strip().removesuffix("..."))
    assert log[0] == "Traceback (most recent call last):"
    assert (logs / "2-random.log").read_text() == ""


def test_one_slip_costs_one_decision(house: House) -> None:
    """The bot sleeps so long that the prompts behind are closed; it does not answer those."""
    limits = ("--turn-time", "0.3", "--bank", "0", "--response-window", "0.1")
    facts = house.facts(house.bot("napper"), "random", "-n", "1", "--hands", "1", limits=limits)
    assert faults(facts, 0)["timed_out"] > 1  # while it slept
    assert faults(facts, 0)["late"] == 1


def test_a_bot_that_plays_what_is_not_legal(house: House) -> None:
    facts = house.facts(house.bot("liar"), "random", "-n", "1", "--hands", "1")
    assert faults(facts, 0) == {"illegal": 1}


def test_a_bot_that_will_not_end_and_its_hidden_child_are_gone_after_the_match(
    house: House,
) -> None:
    facts = house.facts(house.bot("stubborn"), "random", "-n", "1", "--hands", "1")
    assert len(facts["results"]) == 1


# -- what cannot begin ------------------------------------------------------------------------


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one line of a refusal, after the plan if there is one."""
    assert done.returncode == 2
    message: str = json.loads(done.stdout)["error"]["message"]
    assert done.stderr.splitlines()[-1] == f"arena: {message}"
    return message


def test_a_bot_that_cannot_start_is_told_with_its_last_words(house: House) -> None:
    message = refused(house.match("random", house.bot("broken"), "--json"))
    assert message.startswith("bot 'broken' did not start: it exited with code 1: Module")
    assert message.endswith("1: ModuleNotFoundError: No module named 'no_such_module'")


def test_the_log_of_a_bot_that_cannot_start_is_kept(house: House) -> None:
    logs = house.bots / "logs"
    refused(house.match("random", house.bot("broken"), "--json", "--logs", str(logs)))
    log = (logs / "2-broken.log").read_text()
    assert log.startswith("about to import\nTraceback")


def test_an_interpreter_that_is_missing_is_told(house: House) -> None:
    folder = Path(house.bot("plain"))
    toml = (folder / "bot.toml").read_text()
    (folder / "bot.toml").write_text(toml.replace('"python", ', '"no-such-interpreter", ', 1))
    message = refused(house.match(str(folder), "random", "--json"))
    assert "cannot start 'no-such-interpreter'" in message
    assert "No such file or directory" in message


def test_a_bot_that_never_joins_is_told(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.play_here(monkeypatch)
    spec = spec_of(house, "mute", "plain")
    spec = replace(spec, time=replace(spec.time, start_up=nanos(0.5)))
    with pytest.raises(BotError, match=r"bot '\w+' did not start: it did not join within 500 ms"):
        play_match(spec)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["random", "random", "--turn-time", "inf"], "'--turn-time': Input should be less than or"),
        (["random", "random", "--bank", "nan"], "'--bank': Input should be less than or equal to"),
        (["random", "random", "--logs", "/dev/null/x"], "'--logs': /dev/null/x: cannot be written"),
        (["nobody", "random"], "unknown bot 'nobody': it is no folder and no example bot; "),
        (["random"], "1 player: classic is for 2 or 3 players"),
        (["random", "random", "-r", "poker"], "unknown preset 'poker'; the presets are"),
        (["random", "random", "-o", "target=5"], "option target: 5 is not allowed"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(args: list[str], message: str, house: House) -> None:
    done = house.match(*args, "--json")
    assert message in refused(done)
    assert done.stderr.count("\n") == 1


# -- ends that nobody planned -----------------------------------------------------------------


def until(condition: Callable[[], bool]) -> None:
    """Wait for `condition`; the processes of others have no other way to tell."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("when", ["starting", "playing"])
def test_a_signal_ends_the_match_and_everything_it_started(
    when: str, number: signal.Signals, house: House
) -> None:
    kind = "mute" if when == "starting" else "stubborn"
    running = house.start(house.bot(kind), "random", "-n", "100000", "--json")
    least = 3 if kind == "mute" else 4  # the stubborn one has a child
    until(lambda: len(house.processes()) >= least)
    running.send_signal(number)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert err.splitlines()[-1] == "arena: interrupted"
    assert json.loads(out) == {"error": {"kind": "interrupted", "message": "interrupted"}}


def test_a_bug_of_ours_leaves_nothing_behind(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.play_here(monkeypatch)

    def watch(effect: Effect) -> None:
        if isinstance(effect, Played):
            raise ZeroDivisionError

    with pytest.raises(ExceptionGroup) as caught:
        play_match(spec_of(house, "stubborn", "plain"), watch=watch)
    assert caught.group_contains(ZeroDivisionError)


def spec_of(house: House, *kinds: str, hands: int = 1) -> MatchSpec:
    rules = make_ruleset("classic", players=len(kinds))
    return MatchSpec(
        bots=tuple(find_bot(house.bot(kind)) for kind in kinds),
        rules=rules,
        seating=make_seating(rules, len(kinds)),
        seed=seed_from_text("late"),
        games=1,
        length=Length(hands),
        time=TimeControl(turn=nanos(60), response_window=nanos(0.4)),
    )
