"""A ladder with a real server: authors, operators, matches, records; ends and starts again."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli.demoserver import why_no_docker
from tests.e2e.house import ARENA, House, refused
from tests.e2e.serving import SETTINGS, Served, ran, served, small_bot

pytestmark = pytest.mark.slow

TRUST = "--trust-authors"


@pytest.fixture(name="server")
def one_server(house: House) -> Iterator[Served]:
    """A server with two owners."""
    with served(house, TRUST) as server:
        server.ready  # noqa: B018 - waits for it
        for name in ("ann", "bob"):
            server.owner(name)
        yield server


def submit(server: Served, owner: str, bot: Path) -> subprocess.CompletedProcess[str]:
    return server.run(owner, "submit", str(bot))


def test_a_ladder_from_the_first_token_to_a_rerun(server: Served, house: House) -> None:
    bots = {"ann": small_bot(house, "keeper"), "bob": small_bot(house, "random")}
    for owner, bot in bots.items():
        done = submit(server, owner, bot)
        assert done.returncode == 0, done.stderr
        steps = [line.split()[0] for line in done.stdout.splitlines()]
        assert steps == ["upload", "check", "store", "build", "validate", "accepted"]
        assert f"{owner}/{bot.name}, version 1" in done.stdout

    match = server.matches_done(3)[-1]
    assert {seat["title"] for seat in match["seats"]} == {"ann/keeper", "bob/random"}
    assert match["result"]["verdict"] == "COMPLETED"
    number = str(match["number"])
    full = server.json("", "matches", number)
    assert [one["state"] for one in full["attempts"]] == ["done"]
    assert full["attempts"][0]["seed"]
    assert {one["title"] for one in full["rating_changes"]} == {"ann/keeper", "bob/random"}

    table = server.json("", "ladder")
    assert [line["place"] for line in table["standings"]] == [1, 2]
    assert not table["more"]
    status = server.json("ann", "status")
    assert [one["state"] for one in status["uploads"]] == ["accepted"]
    assert [one["title"] for one in status["bots"]] == ["ann/keeper"]
    own = server.json("ann", "bots", "keeper")
    assert own["versions"][0]["state"] == "active"
    assert match["number"] in {one["match"] for one in own["rating_changes"]}

    told = server.json("", "fetch-record", number, "--out", "record.jsonl")
    assert told["sha256"] == match["result"]["record"]
    assert ran(house, "verify", "record.jsonl").returncode == 0
    again = server.json("ann", "rerun-match", number, str(bots["ann"]))
    assert len(again["games"]) == match["result"]["games"]
    for game in again["games"]:
        assert game["prompts"] == game["answered"]
        # On a busy machine a response window may have been missed, which rerun cannot repeat.
        assert game["agree"] >= game["prompts"] - 2
        assert not game["broken_off"]
    watched = server.run("", "watch", number)
    assert watched.returncode == 0, watched.stderr
    assert f"match {number} done" in watched.stdout


def test_a_bot_that_does_not_play_is_refused_with_its_reason(server: Served, house: House) -> None:
    bot = small_bot(house, "broken", source="random")
    program = bot / "random_bot.py"
    program.write_text("raise SystemExit('no fuel today')\n")
    done = submit(server, "ann", bot)
    assert done.returncode == 1
    assert "validate  REFUSED" in done.stdout
    assert "no fuel today" in done.stdout
    status = server.json("ann", "status")
    assert [(one["state"], one["step"]) for one in status["uploads"]] == [("refused", "validate")]
    one = server.run("ann", "status", "1", "--json")
    assert one.returncode == 1
    assert json.loads(one.stdout)["why"]
    assert server.json("", "ladder")["standings"] == []
    # Whoever else asks is told what they would be told of one that does not exist.
    other = server.run("bob", "status", "1", "--json")
    assert other.returncode == 2
    missing = server.run("bob", "status", "99", "--json")
    assert refused(other).replace("upload 1:", "upload 99:") == refused(missing)


def test_an_upload_that_needs_a_build_is_refused_where_there_is_no_sandbox(
    server: Served, house: House
) -> None:
    bot = small_bot(house, "random")
    path = bot / "bot.toml"
    path.write_text('build = ["make"]\n' + path.read_text())
    done = submit(server, "ann", bot)
    assert done.returncode == 1
    assert "this server has no sandbox to build in" in done.stdout


def test_a_login_is_kept_where_nobody_else_reads_it(server: Served, house: House) -> None:
    public, token = server.ready["public"], server.owners["ann"]
    assert token not in " ".join(map(str, server.log))
    with subprocess.Popen(
        [ARENA, "login", public, "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=house.bots,
        env={**os.environ, "XDG_CONFIG_HOME": str(house.bots / "config")},
    ) as login:
        out, _ = login.communicate(f"{token}\n")
    assert login.returncode == 0
    told = json.loads(out)
    assert told["owner"] == "ann"
    assert stat.S_IMODE(Path(told["file"]).stat().st_mode) == 0o600
    assert json.loads(ran(house, "status", "--json").stdout)["owner"]["owner"] == "ann"
    assert ran(house, "logout").returncode == 0
    assert ran(house, "status", "--json").returncode == 2


@pytest.mark.parametrize(
    ("token", "message"),
    [("", "token"), ("arena_owner_" + "0" * 16 + "_" + "0" * 64, "not known here")],
)
def test_a_wrong_token_is_one_clear_line(server: Served, token: str, message: str) -> None:
    server.owners["nobody"] = token
    done = server.run("nobody", "status", "--json")
    assert message in refused(done)


def test_a_restart_keeps_all_and_drains_first(house: House) -> None:
    with served(house, TRUST) as server:
        for owner, name in (("ann", "keeper"), ("bob", "random")):
            server.owner(owner)
            assert submit(server, owner, small_bot(house, name)).returncode == 0
        server.matches_done(2)
        second = ran(house, "serve", "--data", "data", TRUST)
        assert second.returncode == 1
        assert f"process {server.process.pid} on" in second.stderr.splitlines()[-1]
        owners = server.owners
        server.until(lambda: server.json("", "matches", "--state", "leased")["matches"])
        assert server.end() == 0
        assert server.events("draining")
        assert server.events("ended")
        begun = {(one["match"], one["attempt"]) for one in server.events("attempt begun")}
        over = {
            (one["match"], one["attempt"])
            for name in ("report sent", "attempt given back")
            for one in server.events(name)
        }
        assert begun == over
    with served(house, TRUST) as server:
        server.owners = owners
        before = {one["number"] for one in server.matches_done(2)}
        assert server.json("ann", "status")["bots"][0]["title"] == "ann/keeper"
        server.matches_done(len(before) + 1)
        check = server.admin("rebuild", "--check", "--json")
        assert check.returncode == 0, check.stdout
        assert json.loads(check.stdout)["different"] == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_other_signals_end_it_as_well(house: House, number: int) -> None:
    with served(house, TRUST) as server:
        server.ready  # noqa: B018 - waits for it
        assert server.end(number) == 0


def test_operators_pause_and_look(server: Served, house: House) -> None:
    assert server.admin("pause", "--why", "new cards").returncode == 0
    assert server.json("", "ladder")["ladder"]["paused"] == "new cards"
    assert "new cards" in server.run("", "ladder").stdout
    assert server.admin("resume").returncode == 0
    assert server.json("", "ladder")["ladder"]["paused"] == ""
    audit = json.loads(server.admin("audit", "--json").stdout)["audit"]
    assert {"CreateOwner", "IssueToken", "PauseLadder", "ResumeLadder"} <= {
        one["action"] for one in audit
    }
    listed = json.loads(server.admin("token", "list", "ann", "--json").stdout)["tokens"]
    assert [one["owner"] for one in listed] == ["ann"]
    assert server.admin("token", "revoke", listed[0]["public"]).returncode == 0
    assert server.run("ann", "status", "--json").returncode == 2
    assert server.run("bob", "status", "--json").returncode == 0
    settings = json.loads(server.admin("settings", "--json").stdout)["settings"]
    assert {"name": "matches.hands", "value": "1", "source": "settings"} in settings
    assert stat.S_IMODE((server.data / "operator.json").stat().st_mode) == 0o600


def test_metrics_are_served_on_loopback(server: Served) -> None:
    with urllib.request.urlopen(f"http://{server.ready['metrics']}/metrics", timeout=10) as found:
        text = found.read().decode()
    assert "arena_healthy 1.0" in text
    assert 'arena_queue_length{queue="uploads"} 0.0' in text
    issued = 'code="OK",method="millearena.v1.OperatorService/IssueToken"'
    assert f"arena_requests_total{{{issued}}} 2.0" in text


@pytest.mark.parametrize(
    ("settings", "args", "code", "message"),
    [
        (SETTINGS, (), 2, "this server accepts uploads"),
        (SETTINGS.replace("hands = 1", "hands = -1"), (TRUST,), 2, "line 14: matches: hands -1"),
        (SETTINGS, (TRUST, "--public", "0.0.0.0:0"), 2, "travel in the clear"),
        (SETTINGS, (TRUST, "--metrics", "0.0.0.0:0"), 2, "must be on loopback"),
        (SETTINGS, ("--sandbox", "docker", "--accept", "nothing"), 2, "no check is called"),
        (SETTINGS, (TRUST, "--data", "arena.toml"), 2, "is no folder"),
        (SETTINGS, (TRUST, "--data", "/proc/x"), 1, "/proc/x"),
        (SETTINGS + "[server]\n", (TRUST,), 2, "not TOML"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    house: House, settings: str, args: tuple[str, ...], code: int, message: str
) -> None:
    (house.bots / "arena.toml").write_text(settings)
    state = house.temporary / "state"
    try:
        done = ran(house, "serve", *args, ARENA_STATE=str(state))
    finally:
        shutil.rmtree(state, ignore_errors=True)
    assert done.returncode == code, done.stderr
    assert message in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_settings_are_printed_as_a_file_that_is_read(house: House) -> None:
    (house.bots / "arena.toml").write_text(SETTINGS)
    printed = ran(house, "serve", "--print-settings", "--jobs", "3")
    assert printed.returncode == 0
    assert "at_once = 3" in printed.stdout
    (house.bots / "arena.toml").write_text(printed.stdout)
    assert ran(house, "serve", "--print-settings").stdout == printed.stdout


def test_a_ladder_in_containers(house: House) -> None:
    if why := why_no_docker():
        pytest.skip(f"not shown here: {why}")
    settings = SETTINGS.replace('"process"', '"docker"').replace('"prompt"', '"sealed"')
    settings = settings.replace("response_window = 30\n", "")
    with served(house, settings=settings) as server:
        for owner, name in (("ann", "keeper"), ("bob", "random")):
            server.owner(owner)
            done = submit(server, owner, small_bot(house, name))
            assert done.returncode == 0, done.stdout + done.stderr
        match = server.matches_done(1)[0]
        assert match["result"]["verdict"] == "COMPLETED"
        assert server.end() == 0
